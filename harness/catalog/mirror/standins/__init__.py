"""Small code of ours in place of scripts that cannot be had: AMT's elements, its helper functions, look-ups of places.

A stand-in is served under one address, whatever number of files it is written in.
"""

from __future__ import annotations

from importlib.resources import files

_FOLDER = files(__package__)

# Stand-in -> the files that it consists of, in the order in which they run.
PARTS = {
    "crowd-html-elements.js": (
        "crowd/style.js",
        "crowd/element.js",
        "crowd/form.js",
        "crowd/inputs.js",
        "crowd/layout.js",
        "crowd/classifiers.js",
        "crowd/text_annotation.js",
        "crowd/image_annotation.js",
        "crowd/absent.js",
        "crowd/ready.js",
    ),
    "externalHIT_v1.js": ("externalHIT_v1.js",),
    "geolocation.js": ("geolocation.js",),
    "geolocation.json": ("geolocation.json",),
    "geolocation.txt": ("geolocation.txt",),
    "media.js": ("media.js",),
}


def source(name: str) -> bytes:
    """Return the text of a stand-in, as it is served.

    Args:
        name: A key of ``PARTS``.

    Raises:
        KeyError: there is no such stand-in.
    """
    return b"".join((_FOLDER / part).read_bytes() for part in PARTS[name])
