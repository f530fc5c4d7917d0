"""A figure of matplotlib as SVG inside a page: text stays text, colours are the page's own, ids are unique."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

PAINTS = ("ink", "muted", "rule", "paper", "series-1", "series-2", "series-3", "series-4")
"""The names of the page's colours: ``ink`` is drawn as ``var(--ink)``."""

# Black is what matplotlib leaves out, so that no colour of ours may be black.
_SENTINELS = {name: f"#01{place + 1:02x}fe" for place, name in enumerate(PAINTS)}
_SENTINEL = re.compile("|".join(_SENTINELS.values()))
_NAMES = {colour: name for name, colour in _SENTINELS.items()}
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FONT = re.compile(r"\s*font-family:[^;]*;?")
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.linewidth": 0.8,
    "path.simplify": False,
}


def paint(name: str) -> str:
    """The colour to give to matplotlib for one of the page's colours."""
    return _SENTINELS[name]


class FigureTexts:
    """Texts of a figure that are not ours: drawn as stand-ins, and put in once the picture is made.

    So no name can be read as a formula, lack a glyph in a font of matplotlib, or hold a character that XML forbids.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, text: str) -> str:
        """The stand-in for a text."""
        self._texts.append(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text))
        return f"word{len(self._texts) - 1:05d}"

    def said(self, text: str) -> str:
        """What stands in a figure for a text that was drawn."""
        return self._texts[int(text[4:])] if re.fullmatch(r"word\d{5}", text) else text


@contextmanager
def drawing(width: float, height: float) -> Iterator[Drawing]:
    """An empty figure in the report's style, whatever the user's own settings of matplotlib are.

    Args:
        width: Inches.
        height: Inches.
    """
    # What is slow to import is imported for work, not for help.
    from matplotlib import style  # noqa: PLC0415
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure as Drawing  # noqa: PLC0415

    with style.context(["default", _STYLE]):
        figure = Drawing(figsize=(width, height))
        FigureCanvasSVG(figure)
        yield figure


def inline(figure: Drawing, ident: str, title: str, description: str, words: FigureTexts) -> str:
    """The figure as an ``svg`` element for a page.

    Args:
        figure: What was drawn within ``drawing``, with colours of ``paint``.
        ident: An id that no other element of the page has; all ids in the figure begin with it.
        title: What it is, for people who hear the page.
        description: What it shows.
        words: The texts that stand-ins stand for.

    Returns:
        The same text for the same figure.
    """
    made = io.BytesIO()
    figure.savefig(made, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    root = ElementTree.fromstring(made.getvalue())  # noqa: S314 - written by matplotlib, a line above
    used = set(_references(root))
    for parent in list(root.iter()):
        for child in [child for child in parent if _local(child.tag) in ("metadata", "style")]:
            parent.remove(child)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.tail = None
        if element.tag == "text":
            element.text = words.said(element.text or "")
        else:
            element.text = None
        _rewrite(element, ident, used)
    _prune(root)
    head = _header(root, ident, title, description)
    return ElementTree.tostring(head, encoding="unicode")


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _references(root: ElementTree.Element) -> Iterator[str]:
    for element in root.iter():
        for name, value in element.attrib.items():
            if _local(name) == "href":
                yield value.removeprefix("#")
            yield from _REFERENCE.findall(value)


def _rewrite(element: ElementTree.Element, ident: str, used: set[str]) -> None:
    """Attributes without name spaces, with the page's colours and fonts, and with ids that are this figure's."""
    attributes = dict(element.attrib)
    element.attrib.clear()
    for name, value in attributes.items():
        if name == "id":
            if value in used:
                element.set("id", f"{ident}-{value}")
        elif _local(name) == "href":
            element.set("href", f"#{ident}-{value.removeprefix('#')}")
        else:
            plain = _REFERENCE.sub(lambda found: f"url(#{ident}-{found[1]})", value)
            plain = _FONT.sub("", plain) if name == "style" else plain
            element.set(name, _SENTINEL.sub(lambda found: f"var(--{_NAMES[found[0]]})", " ".join(plain.split())))


def _prune(element: ElementTree.Element) -> None:
    """Take out groups that hold nothing."""
    for child in list(element):
        _prune(child)
        if child.tag in ("g", "defs") and not len(child):
            element.remove(child)


def _header(root: ElementTree.Element, ident: str, title: str, description: str) -> ElementTree.Element:
    box = root.get("viewBox", "")
    # Matplotlib speaks of points, a page of pixels, of which an inch has 96.
    width, height = (f"{float(size) * 96 / 72:g}" for size in box.split()[2:])
    names = {"title": f"{ident}-title", "desc": f"{ident}-desc"}
    head = ElementTree.Element(
        "svg",
        {
            "class": "plot",
            "viewBox": box,
            "width": width,
            "height": height,
            "role": "img",
            "aria-labelledby": names["title"],
            "aria-describedby": names["desc"],
        },
    )
    for tag, text in (("title", title), ("desc", description)):
        element = ElementTree.SubElement(head, tag, {"id": names[tag]})
        element.text = _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    head.extend(list(root))
    return head
