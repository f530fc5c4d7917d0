"""The layouts of the community board: every planted change is there, in the variant and in nothing else."""

from __future__ import annotations

from urllib.parse import urlsplit

import lxml.html
import pytest

from harness.catalog import Catalog
from tests.checkout import PROJECT
from tests.sites.visits import visit
from turkle_app.sites.board.variants import MOVED, PLANTED

CATALOG = Catalog(PROJECT / "tasks" / "_sites")
STEPS = [step for name in CATALOG.names() if name.startswith("Board - ") for step in CATALOG.task(name).trace.steps]


def found(visited, address, selector):
    response = visited.client.get(address)
    assert response.status_code == 200, address
    return lxml.html.fromstring(response.content.decode()).cssselect(selector)


@pytest.mark.parametrize("change", PLANTED, ids=lambda change: f"{change.kind} {change.before}")
@pytest.mark.parametrize("seed", [0, 3])
def test_a_planted_change_is_in_the_variant_and_only_there(change, seed):
    page_after = change.page_after or change.page
    with visit("board", seed) as usual:
        assert len(found(usual, change.page, change.before)) == 1
        assert found(usual, change.page, change.after) == []
        words = found(usual, change.page, change.before)[0].text_content()
    with visit("board", seed, MOVED) as moved:
        assert found(moved, page_after, change.before) == []
        (after,) = found(moved, page_after, change.after)
    if change.kind == "relabelled":
        assert change.text
    if change.text:
        assert change.text in after.text_content()
        assert change.text not in words


def test_there_are_changes_of_every_kind():
    kinds = [change.kind for change in PLANTED]
    assert {*kinds} == {"renamed", "relabelled", "moved", "reordered", "readdressed"}
    assert len(PLANTED) >= 12


@pytest.mark.parametrize("change", PLANTED, ids=lambda change: f"{change.kind} {change.before}")
def test_a_trace_acts_on_every_element_that_is_otherwise_in_the_variant(change):
    path = urlsplit(change.page).path
    selectors = {step.element.css for step in STEPS if step.element and urlsplit(step.url).path == path}
    with visit("board") as usual:
        page = lxml.html.fromstring(usual.client.get(change.page).content.decode())
    (meant,) = page.cssselect(change.before)
    assert any(meant in page.cssselect(selector) for selector in selectors)
