"""Selectors that find an element alone, and keep what holds of the one that was there."""

from __future__ import annotations

import pytest

from harness.sites.maintenance.selectors import compounds, containers_in, selector_for
from tests.sites.maintenance.made import element_in, tree_of

PAGE = """
<ul id="found"><li data-trip="DW1"><a class="manage" href="/1">Details</a></li>
<li data-trip="DW2"><a class="manage" href="/2">Details</a></li></ul>
<div><p><span>first</span></p><p><span>second</span></p></div>
<input type="radio" name="colour" value="red"><input type="radio" name="colour" value="blue">
<button id="go">Go</button><button id="9 lives">Nine</button>
"""


@pytest.mark.parametrize(
    ("css", "parts"),
    [
        ("#a", ["#a"]),
        ("#found > li:has(a[href='/x y/']) button", ["#found", "li:has(a[href='/x y/'])", "button"]),
        ("a+b ~ c", ["a", "b", "c"]),
        ('[title="a > b"] i', ['[title="a > b"]', "i"]),
        ("", []),
    ],
)
def test_a_selector_falls_into_parts(css: str, parts: list[str]) -> None:
    assert compounds(css) == parts
    assert containers_in(css) == parts[:-1]


@pytest.mark.parametrize(
    ("meant", "was", "now"),
    [
        ("#go", "#start", "#go"),
        ("[data-trip=DW2] a", "[data-trip='DW2'] .choose", "[data-trip='DW2'] a.manage"),
        ("[data-trip=DW2] a", "#results a[href='/2']", "a[href='/2']"),
        ("[value=blue]", "#blue", 'input[name="colour"][value="blue"]'),
        ("[data-trip=DW1] a", "[data-trip='DW1'] .manage", "[data-trip='DW1'] .manage"),
        ("p:nth-of-type(2) span", "#second", "html > body:nth-of-type(1) > div:nth-of-type(1) > p:nth-of-type(2) > "
         "span:nth-of-type(1)"),
        ("button:last-of-type", "#nine", '[id="9 lives"]'),
    ],
)  # fmt: skip
def test_what_still_holds_of_a_selector_is_kept(meant: str, was: str, now: str) -> None:
    tree = tree_of(PAGE)
    element = element_in(tree, meant)
    assert selector_for(tree, element, was) == now
    assert tree.all(now, "css") == [element]


def test_a_selector_that_cannot_be_read_is_replaced() -> None:
    tree = tree_of(PAGE)
    assert selector_for(tree, element_in(tree, "#go"), "button:::nonsense(") == "#go"
