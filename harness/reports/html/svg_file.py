"""A figure of a report as a file of its own: SVG with its key, in the light colours of the page."""

from __future__ import annotations

import re
from importlib.resources import files
from xml.etree import ElementTree

from django.template import Context, Engine

from harness.reports.html.blocks import FigureBlock

_TEMPLATES = files(__package__) / "templates"
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_COLOUR = re.compile(r"--([\w-]+): (#\w+);")
_EDGE, _LINE = 16.0, 20.0
"""Pixels: around everything, and of an entry of the key."""


def svg_file(figure: FigureBlock) -> str:
    """The text of the file: pictures below each other, under their key; the same for the same figure."""
    pictures = [ElementTree.fromstring(each) for each in figure.pictures]  # noqa: S314 - made by ``plots.svg``
    wide = max(float(each.attrib["width"]) for each in pictures)
    root = ElementTree.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": "sans-serif"}
    )
    ElementTree.SubElement(root, "title").text = figure.caption
    ElementTree.SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": "var(--paper)"})
    sign, down = Engine(dirs=[str(_TEMPLATES)]).get_template("sign.html"), _EDGE
    for key in figure.keys:
        drawn = ElementTree.fromstring(sign.render(Context({"key": key})))  # noqa: S314 - a template of ours
        drawn.attrib |= {"x": f"{_EDGE:g}", "y": f"{down:g}", "color": f"var(--{key.paint})"}
        root.append(drawn)
        place = {"x": f"{_EDGE + _LINE:g}", "y": f"{down + 11:g}", "font-size": "12", "fill": "var(--ink)"}
        ElementTree.SubElement(root, "text", place).text = key.words
        down += _LINE
    for picture in pictures:
        picture.attrib |= {"x": f"{_EDGE:g}", "y": f"{down:g}"}
        root.append(picture)
        down += float(picture.attrib["height"])
    root.attrib |= {"width": f"{wide + 2 * _EDGE:g}", "height": f"{down + _EDGE:g}"}
    # Colours are written out: few programs beside browsers know variables.
    light = (_TEMPLATES / "report.css").read_text(encoding="utf-8").partition("}")[0]
    colours = dict(_COLOUR.findall(light))
    return _VARIABLE.sub(lambda found: colours[found[1]], ElementTree.tostring(root, encoding="unicode")) + "\n"
