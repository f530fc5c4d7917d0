"""Servers that do not answer: what they keep back is given up in time, and the episode goes on with what is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.browser import PageFailed
from tests.walks import SHOP, Walk, walking

SILENT = "/held/never"
"""The site's server keeps its answer back for longer than the browser of these tests has patience."""


@pytest.fixture(scope="module")
def walk_of_all() -> Iterator[Walk]:
    with walking(timeout=4) as walk:
        yield walk
        walk.server.release("never")


@pytest.fixture
def walk(walk_of_all: Walk) -> Walk:
    """The one browser of this file, emptied."""
    walk_of_all.browser.clear()
    return walk_of_all


@pytest.mark.slow
@pytest.mark.parametrize(
    "embedded",
    [f"<img src={SILENT}>", f"<iframe src={SILENT}></iframe>", f"<script src={SILENT}></script>"],
    ids=["image", "frame", "script"],
)
def test_a_page_is_gone_on_with_if_what_it_embeds_does_not_come(walk: Walk, embedded: str) -> None:
    shown = walk.open(f"<button onclick=\"this.textContent = 'pressed'\">press</button>{embedded}")
    assert walk.browser.late == [shown]
    walk.press("button")
    assert walk.page("document.querySelector('button').textContent") == "pressed"
    assert walk.browser.late == [shown]
    walk.open("<h1>Elsewhere</h1>", "/elsewhere")
    assert walk.page("document.querySelector('h1').textContent") == "Elsewhere"
    assert walk.browser.late == [shown]


@pytest.mark.slow
def test_a_link_to_a_page_that_does_not_come_leaves_the_page_where_it_is(walk: Walk) -> None:
    shown = walk.open(f"<a href={SILENT}>away</a><button onclick=\"this.textContent = 'pressed'\">press</button>")
    walk.press("a")
    assert walk.browser.tab.url == shown
    assert walk.browser.late == [SHOP + SILENT]
    walk.press("button")
    assert walk.page("document.querySelector('button').textContent") == "pressed"


@pytest.mark.slow
def test_an_address_that_does_not_answer_cannot_be_opened(walk: Walk) -> None:
    shown = walk.open("<h1>Here</h1>")
    with pytest.raises(PageFailed, match=r"/held/never cannot be opened: its server does not answer"):
        walk.browser.open(SHOP + SILENT)
    assert walk.browser.tab.url == shown
    assert walk.browser.late == [SHOP + SILENT]
    assert walk.page("document.querySelector('h1').textContent") == "Here"


@pytest.mark.slow
def test_a_page_that_does_not_come_again_stays_as_it_is(walk: Walk) -> None:
    walk.open("<h1>Here</h1>")
    walk.page("history.replaceState(null, '', '/held/never')")
    with pytest.raises(PageFailed, match="cannot be shown: its server does not answer"):
        walk.browser.reload()
    assert walk.page("document.querySelector('h1').textContent") == "Here"
    assert walk.browser.late == [SHOP + SILENT]
