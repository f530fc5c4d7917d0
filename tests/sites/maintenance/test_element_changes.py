"""In what an element differs from the recorded one."""

from __future__ import annotations

import pytest

from harness.catalog.trace import ElementMark
from harness.sites.maintenance.element_words import changes_of, is_elsewhere
from tests.sites.maintenance.made import element_in, recorded, tree_of

LINK = '<nav><a id="cart" href="/cart/">Cart</a></nav>'


@pytest.mark.parametrize(
    ("now", "kinds"),
    [
        (LINK, []),
        ('<nav><a id="basket" href="/cart/">Cart</a></nav>', ["renamed"]),
        ('<nav><a id="cart" href="/cart/"> CART </a></nav>', []),
        ('<nav><a id="cart" href="/cart/">Basket</a></nav>', ["relabelled"]),
        ('<nav><a id="cart" href="/basket/">Cart</a></nav>', ["readdressed"]),
        ('<nav><div><a id="cart" href="/cart/">Cart</a></div></nav>', ["moved"]),
        ('<nav><a href="/">Home</a><a id="cart" href="/cart/">Cart</a></nav>', []),
        ('<nav><button id="cart">Cart</button></nav>', ["renamed", "readdressed", "moved"]),
    ],
)
def test_marks_tell_what_has_changed(now: str, kinds: list[str]) -> None:
    after = element_in(tree_of(now), "nav a#cart, nav a#basket, nav button")
    assert changes_of(recorded(LINK, "#cart"), after) == kinds


def test_what_a_mark_does_not_know_has_not_changed() -> None:
    assert changes_of(ElementMark(css="#cart"), element_in(tree_of(LINK), "#cart")) == []
    field = '<label for="q">Search the shop</label><input id="q" name="q">'
    old = ElementMark(css="#q", tag="input", attributes={"id": "q", "name": "q"})
    assert changes_of(old, element_in(tree_of(field), "#q")) == []


def test_of_a_list_the_label_or_the_options_may_have_been_recorded() -> None:
    page = tree_of('<label for="k">Kind</label><select id="k"><option>Note</option><option>Recipe</option></select>')
    for text in ("Kind", "Note Recipe"):
        assert changes_of(ElementMark(css="#k", tag="select", text=text), element_in(page, "#k")) == []
    assert changes_of(ElementMark(css="#k", tag="select", text="Sort"), element_in(page, "#k")) == ["relabelled"]


@pytest.mark.parametrize(
    ("now", "kind"),
    [
        ("<ul id=menu><li>A</li><li><a id=me>Me</a></li><li>C</li></ul><p id=foot></p>", None),
        ("<ul id=menu><li><a id=me>Me</a></li><li>A</li><li>C</li></ul><p id=foot></p>", "reordered"),
        ("<ul id=menu><li>New</li><li>A</li><li><a id=me>Me</a></li><li>C</li></ul><p id=foot></p>", None),
        ("<ul id=menu><li><a id=me>Me</a></li><li>C</li></ul><p id=foot></p>", None),
        ("<ul id=menu><li>A</li></ul><ul id=foot><li><a id=me>Me</a></li></ul>", "moved"),
        ("<ul id=list><li>A</li><li><a id=me>Me</a></li><li>C</li></ul><p id=foot></p>", None),
        ("<div><ul id=menu><li>A</li><li><a id=me>Me</a></li></ul></div>", "moved"),
    ],
)
def test_trees_tell_where_an_element_stands(now: str, kind: str | None) -> None:
    before = tree_of("<ul id=menu><li>A</li><li><a id=me>Me</a></li><li>C</li></ul><p id=foot></p>")
    after = tree_of(now)
    assert is_elsewhere(element_in(before, "#me"), after, element_in(after, "#me")) == kind
