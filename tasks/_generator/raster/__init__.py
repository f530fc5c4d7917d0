"""Pictures made by script, the same bytes on every machine.

Libraries that draw and compress change their bytes from version to version, and fonts differ between machines; so the
little that is needed stands here: a part of SVG as polygons (`vector`), letters made of strokes (`letters`), what makes
a drawing look like a photograph or a scan (`film`), and baseline JPEG (`jpeg`). Arithmetic is on whole numbers, or on
those operations that IEEE 754 defines to the last bit.
"""
