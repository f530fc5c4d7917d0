"""Recorded pages made by hand: each element with an id and a box."""

from __future__ import annotations

SHOWN = "0,0,100,20"
HIDDEN = "-1,-1,-1,-1"


def an_element(tag: str, number: int, inner: str = "", *, box: str = SHOWN, said: str = "") -> str:
    """An element as a recording writes it.

    Args:
        tag: Its tag.
        number: Its id.
        inner: What it holds.
        box: Left, top, width, height.
        said: Further attributes.
    """
    return f'<{tag} backend_node_id="{number}" bounding_box_rect="{box}" {said}>{inner}</{tag}>'


def a_page(body: str) -> str:
    """A page with a head that nobody sees; its body has the id 2."""
    head = an_element("head", 9, an_element("title", 8, "Shop", box=HIDDEN), box=HIDDEN)
    return an_element("html", 1, head + an_element("body", 2, body, box="0,0,1000,1000"), box="0,0,1000,1000")
