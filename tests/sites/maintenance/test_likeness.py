"""Which element of a page is most like a recorded one."""

from __future__ import annotations

import pytest

from harness.catalog.trace import ElementMark
from harness.sites.maintenance.likeness import LEAST, is_certain, nearest, reasons
from tests.sites.maintenance.made import recorded, tree_of

FORM = """
<header><nav><a href="/">Home</a> <a href="/cart/">Cart</a></nav></header>
<main><form action="/buy">
<label for="size">Size</label><select id="size" name="size"><option>S</option><option>L</option></select>
<label for="note">Note</label><input id="note" name="note">
<label for="mail">Mail</label><input id="mail" name="mail" type="email">
<button id="buy" class="primary">Add to cart</button> <button name="do" value="wish">Add to wish list</button>
</form></main>
"""
CARDS = """
<ul><li data-item="a"><a class="more" href="/a">Details</a> <button class="buy">Buy</button></li>
<li data-item="b"><a class="more" href="/b">Details</a> <button class="buy">Buy</button></li></ul>
"""


@pytest.mark.parametrize(
    ("css", "old", "new", "now"),
    [
        ("#buy", 'id="buy"', 'id="submit-box"', "#submit-box"),
        ("#buy", ">Add to cart<", ">Into the basket<", "#buy"),
        ("#note", 'note">Note</label><input id="note"', 'remark">Note</label><input id="remark"', "#remark"),
        ("#note", "<main>", "<main><div class=wrap><div>", "#note"),
        ("#size", 'name="size"', 'name="dimension"', "#size"),
        ("a[href='/cart/']", 'href="/cart/"', 'href="/basket/"', "a[href='/basket/']"),
    ],
)
def test_an_element_is_known_again_after_one_change(css: str, old: str, new: str, now: str) -> None:
    tree = tree_of(FORM.replace(old, new))
    do = "select_option" if css == "#size" else "fill" if css == "#note" else "click"
    near = nearest(tree, recorded(FORM, css), do)
    assert near[0].element is tree.find(now, "css")
    assert is_certain(near)


def test_equal_buttons_are_told_from_each_other_by_what_the_selector_names_around_them() -> None:
    mark = recorded(CARDS, "[data-item='b'] .buy")
    swapped = tree_of(CARDS.replace('"buy"', '"order"').replace('data-item="a"', 'data-item="c"'))
    near = nearest(swapped, mark, "click")
    assert near[0].element is swapped.find("[data-item='b'] .order", "css")
    assert is_certain(near)


def test_of_equal_elements_none_is_certain() -> None:
    tree = tree_of("<p><button>Go</button></p><p><button>Go</button></p>")
    near = nearest(tree, ElementMark(css="#go", tag="button", text="Go", attributes={"id": "go"}), "click")
    assert len(near) == 2
    assert not is_certain(near)


def test_what_is_unlike_the_recorded_element_is_not_proposed() -> None:
    mark = recorded(FORM, "#buy")
    without = tree_of(FORM.replace('<button id="buy" class="primary">Add to cart</button>', "").replace("wish", "x"))
    assert all(each.likeness >= LEAST for each in nearest(without, mark, "click"))
    assert nearest(tree_of("<p>Nothing <a href='/'>home</a></p>"), mark, "click") == []


def test_a_text_is_written_into_fields_only_and_options_are_chosen_from_lists_only() -> None:
    tree = tree_of(FORM)
    assert {each.element.tag for each in nearest(tree, recorded(FORM, "#note"), "fill")} == {"input"}
    assert {each.element.tag for each in nearest(tree, recorded(FORM, "#size"), "select_option")} == {"select"}


def test_hidden_inputs_are_no_candidates() -> None:
    tree = tree_of('<form><input type="hidden" name="do" value="buy"></form>')
    assert nearest(tree, ElementMark(css="#x", tag="input", attributes={"name": "do", "value": "buy"}), "click") == []


def test_it_says_what_is_the_same_and_what_is_not() -> None:
    tree = tree_of(FORM.replace('id="buy"', 'id="submit-box"'))
    said = reasons(nearest(tree, recorded(FORM, "#buy"), "click")[0])
    assert "text: the same" in said
    assert "id: other" in said
