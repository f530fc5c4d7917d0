"""The layouts of the community board: every planted change is there, in the variant and in nothing else."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import lxml.html
import pytest

from harness.catalog import Catalog
from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.final_state import final_state
from tests.checkout import PROJECT
from tests.sites.trace_player import TracePlayer
from tests.sites.visits import visit
from turkle_app.sites.board.variants import MOVED, PLANTED

CATALOG = Catalog(PROJECT / "tasks" / "_sites")
NAMES = [name for name in CATALOG.names() if name.startswith("Board - ")]
STEPS = [step for name in NAMES for step in CATALOG.task(name).trace_of(CATALOG.task(name).pages[0]).steps]
IN_THE_VARIANT = {
    "#search-box": "#find-input",
    "#filter-author": "#by-member",
    "#filter-forum": "#in-forum",
    "#reply-text": "#answer-field",
    "#reply-message": "#answer-letter",
    "#paste-box": "#text-input",
    "#next-page": "#continue-button",
    "button.vote-up": "button.cheer",
    ".thread-head form.follow": ".thread-foot form.follow",
    ".post-tools > a.report": ".post-more a.report",
    "#panel-notifications .form-foot": "#panel-notifications .form-head",
    "a[href='/texts/']": "a[href='/shelf/']",
}


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


@pytest.mark.parametrize("name", NAMES)
def test_every_goal_can_be_reached_in_the_variant(name):
    def led(step):
        if step.element is None:
            return step
        css = step.element.css
        for before, after in IN_THE_VARIANT.items():
            css = css.replace(before, after)
        return replace(step, element=replace(step.element, css=css))

    task = CATALOG.task(name)
    facts, trace = task.site_of(task.pages[0]), task.trace_of(task.pages[0])
    trace = replace(trace, steps=tuple(led(step) for step in trace.steps))
    with visit("board", 1, MOVED) as moved:
        TracePlayer(moved.client, facts.start).play(trace)
        assert final_state(SiteRecord(task=facts, state=moved.told)).success
