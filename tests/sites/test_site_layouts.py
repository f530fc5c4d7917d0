"""The other layouts of the bundled sites: every difference that they list is there and nowhere else, and they work."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from lxml import html

from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.final_state import final_state
from tests.sites.maintenance.planted import CATALOG
from tests.sites.trace_player import TracePlayer
from tests.sites.visits import Visit, visit
from tests.sites.walk import do_something
from turkle_app.sites.registry import find_site
from turkle_app.sites.site import PlantedChange
from turkle_app.sites.travel.moved import READDRESSED

MOVED = "moved"
SITES = ("shop", "travel", "board")
PLANTED = [(site, change) for site in SITES for change in find_site(site).variants[MOVED]]


def finds(visited: Visit, address: str, css: str) -> list[tuple[str | None, ...]]:
    """Id, address and words of what a selector finds on a page; nothing if there is no such page."""
    answer = visited.client.get(address, follow=True)
    found = html.document_fromstring(answer.content).cssselect(css) if answer.status_code == 200 else []
    return [(each.get("id"), each.get("href"), " ".join(each.text_content().split())) for each in found]


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(("site", "change"), PLANTED, ids=lambda each: getattr(each, "before", each))
def test_a_planted_change_is_in_its_layout_and_only_there(site: str, change: PlantedChange, seed: int) -> None:
    with visit(site, seed) as usual, visit(site, seed, MOVED, "episode-2") as moved:
        if change.page != "/":  # where a dialog is until something is done
            do_something(usual, site)
            do_something(moved, site)
        before = finds(usual, change.page, change.before)
        after = finds(moved, change.page_after or change.page, change.after)
        left = finds(moved, change.page, change.before)
        early = finds(usual, change.page, change.after)
    assert before
    assert after
    if change.text:
        assert change.text in str(after[0][-1])
        assert change.text not in str(before[0][-1])
    if change.kind == "relabelled":
        assert change.text
    elif change.kind in {"moved", "reordered"} and left:
        assert after[0] in before
        assert left[0] != before[0]
    else:
        assert left == []
        assert change.page_after or early == []


@pytest.mark.parametrize("site", SITES)
def test_changes_of_each_kind_are_planted(site: str) -> None:
    kinds = [change.kind for of, change in PLANTED if of == site]
    assert {*kinds} == {"renamed", "relabelled", "moved", "reordered", "readdressed"}
    assert len(kinds) >= 12


@pytest.mark.parametrize("site", SITES)
def test_both_layouts_begin_with_the_same_state(site: str) -> None:
    with visit(site, 5) as usual, visit(site, 5, MOVED, "episode-2") as moved:
        assert usual.told == moved.told


# ---- each site's own -------------------------------------------------------------------------------------------------


def test_in_the_shops_other_layout_alone_the_newsletter_is_stopped_on_the_accounts_first_page() -> None:
    with visit("shop") as usual, visit("shop", 0, MOVED, "episode-2") as moved:
        usual.client.post("/account/", {})
        assert usual.told["settings"]["newsletter"] is True
        moved.client.post("/account/settings/", {"name": "N", "email": "a@b.example", "language": "English"})
        assert moved.told["settings"]["newsletter"] is True  # no box of it is there
        moved.client.post("/account/", {})
        assert moved.told["settings"]["newsletter"] is False


@pytest.mark.parametrize(("before", "after"), READDRESSED.items())
def test_a_page_of_the_portal_with_another_address_is_at_that_only(before: str, after: str) -> None:
    for variant, there, gone in (("", before, after), (MOVED, after, before)):
        with visit("travel", variant=variant) as visited:
            assert visited.client.get(f"/{there}").status_code == 200
            assert visited.client.get(f"/{gone}").status_code == 404
            assert finds(visited, "/", f"[href='/{gone}'], [action='/{gone}']") == []


BOARD = [name for name in CATALOG.names() if name.startswith("Board - ")]
ON_THE_BOARD = [change for site, change in PLANTED if site == "board"]
STEPS = [step for name in BOARD for step in CATALOG.task(name).trace_of(CATALOG.task(name).pages[0]).steps]
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


@pytest.mark.parametrize("change", ON_THE_BOARD, ids=lambda each: each.before)
def test_a_trace_acts_on_every_element_of_the_board_that_is_otherwise_in_the_variant(change):
    path = urlsplit(change.page).path
    selectors = {step.element.css for step in STEPS if step.element and urlsplit(step.url).path == path}
    with visit("board") as usual:
        page = html.fromstring(usual.client.get(change.page).content.decode())
    (meant,) = page.cssselect(change.before)
    assert any(meant in page.cssselect(selector) for selector in selectors)


@pytest.mark.parametrize("name", BOARD)
def test_every_goal_on_the_board_can_be_reached_in_the_variant(name):
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
