"""Changes planted by hand into a small site: what a walk through a trace finds, and goes on in spite of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.catalog import Catalog
from harness.episode.site_assignment import SiteSetting
from harness.run.site_control import SiteControl
from harness.sites.maintenance.records import ReplayedTrace, TraceFinding
from harness.sites.maintenance.trace_check import TraceJob, look, with_pictures
from harness.sites.maintenance.trace_findings import replayed
from tests.site import Site
from tests.sites.maintenance.stage import impatient
from tests.websites import ORIGIN, Website, website

HOME = """
<nav><a id="to-shop" href="/shop">Our shop</a></nav><main><h1>Welcome</h1></main>
"""
SHOP = """
<nav><a href="/">Home</a></nav>
<main><ul id="goods"><li><a class="good" href="/tea">Tea</a></li><li><a class="good" href="/oil">Oil</a></li></ul>
</main>
"""
OIL = """
<main><h1>Oil</h1><form action="/bought"><label for="size">Size</label>
<select id="size" name="size"><option>Small</option><option>Large</option></select>
<label for="note">Note</label><input id="note" name="note"><button id="buy">Buy it</button></form></main>
"""
TEA = "<main><h1>Tea</h1></main>"
BOUGHT = "<h1>Thank you</h1>"
PAGES = {"/": HOME, "/shop": SHOP, "/oil": OIL, "/tea": TEA, "/bought": BOUGHT}


def mark(css: str, xpath: str, tag: str, text: str, **attributes: str) -> dict[str, Any]:
    return {"css": css, "xpath": xpath, "tag": tag, "text": text, "attributes": attributes}


STEPS: list[dict[str, Any]] = [
    {
        "do": "click",
        "element": mark("#to-shop", "/html[1]/body[1]/nav[1]/a[1]", "a", "Our shop", id="to-shop", href="/shop"),
        "url": f"{ORIGIN}/",
    },
    {
        "do": "click",
        "element": mark(
            "#goods li:nth-child(2) a", "/html[1]/body[1]/main[1]/ul[1]/li[2]/a[1]", "a", "Oil", href="/oil"
        ),
        "url": f"{ORIGIN}/shop",
        "nodes": [0],
    },
    {
        "do": "select_option",
        "element": mark("#size", "/html[1]/body[1]/main[1]/form[1]/select[1]", "select", "", id="size", name="size"),
        "value": "Large",
        "url": f"{ORIGIN}/oil",
        "nodes": [1],
    },
    {
        "do": "click",
        "element": mark("#buy", "/html[1]/body[1]/main[1]/form[1]/button[1]", "button", "Buy it", id="buy"),
        "url": f"{ORIGIN}/oil",
        "nodes": [2],
    },
]
NODES = [
    {"target": "url", "match": "include", "reference": "shop.test/oil", "url": f"{ORIGIN}/oil"},
    {"target": "element_value", "match": "exact", "reference": "Large", "path": "#size", "host": "shop"},
    {"target": "element_path", "match": "exact", "reference": "#buy", "host": "shop"},
]


@pytest.fixture(scope="module")
def web() -> Iterator[Website]:
    server = Site()
    with impatient(), website(server) as web:
        yield web
    server.close()


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks" / "Buy oil"
    folder.mkdir(parents=True)
    facts = {
        "kind": "site",
        "goal": "Buy a large oil.",
        "start": f"{ORIGIN}/",
        "origins": [ORIGIN],
        "evaluators": {"key_nodes": NODES},
    }
    (folder / "task.json").write_text(json.dumps(facts), encoding="utf-8")
    trace = {"goal": "Buy a large oil.", "start": f"{ORIGIN}/", "steps": STEPS}
    (folder / "trace.json").write_text(json.dumps(trace), encoding="utf-8")
    return folder


def replay(web: Website, folder: Path, pages: dict[str, str]) -> ReplayedTrace:
    """The trace, replayed on the site with some of its pages changed."""
    for path, body in {**PAGES, **pages}.items():
        web.put(path, body)
    task = Catalog(folder.parent).task(folder.name)
    job = TraceJob(task, task.pages[0], SiteSetting())
    seen = look(web.session, SiteControl("http://127.0.0.1:1", ""), job)
    checked = with_pictures(replayed(seen.task, seen.now, job.base), seen, task)
    assert all(each.picture_after in checked.pictures for each in checked.trace.findings if each.after)
    return checked.trace


def only(trace: ReplayedTrace) -> TraceFinding:
    (finding,) = trace.findings
    return finding


def test_a_site_that_has_not_changed_holds(web: Website, task: Path) -> None:
    trace = replay(web, task, {})
    assert trace.findings == ()
    assert (trace.state, trace.nodes_met, trace.guessed, trace.skipped) == ("holds", 3, 0, 0)


@pytest.mark.slow
def test_a_renamed_button_is_found_by_what_it_says(web: Website, task: Path) -> None:
    trace = replay(web, task, {"/oil": OIL.replace('id="buy"', 'id="order-now"')})
    of_step, of_node = trace.findings
    assert of_step.kinds == ("renamed",)
    assert (of_step.step, of_step.breaks) == (4, True)
    assert of_step.after is not None
    assert of_step.after.css == "#order-now"
    assert of_step.proposal is not None
    assert of_step.proposal.certain
    assert (of_node.kinds, of_node.node, of_node.value_after) == (("node_missed",), 3, "#order-now")


def test_other_words_are_told_and_break_nothing(web: Website, task: Path) -> None:
    trace = replay(web, task, {"/oil": OIL.replace("Buy it", "Order")})
    finding = only(trace)
    assert (finding.kinds, finding.breaks, trace.state) == (("relabelled",), False, "changed")


@pytest.mark.slow
def test_an_element_that_is_gone_is_told_and_the_walk_goes_on(web: Website, task: Path) -> None:
    trace = replay(web, task, {"/": "<h1>Welcome</h1>"})
    gone = trace.findings[0]
    assert (gone.kinds, gone.step, gone.after, gone.proposal) == (("gone",), 1, None, None)
    assert trace.skipped == 1
    assert trace.nodes_met == 3, "the walk goes to where the step would have led"


def test_a_list_in_another_order_does_not_lead_to_the_wrong_element(web: Website, task: Path) -> None:
    swapped = SHOP.replace(">Tea<", ">x<").replace(">Oil<", ">Tea<").replace(">x<", ">Oil<")
    swapped = swapped.replace("/tea", "/x").replace("/oil", "/tea").replace("/x", "/oil")
    finding = only(replay(web, task, {"/shop": swapped}))
    assert finding.step == 2
    assert finding.breaks
    assert finding.after is not None
    assert (finding.after.text, finding.after.attributes["href"]) == ("Oil", "/oil")


def test_a_page_at_another_address_is_told_with_the_node_that_names_it(web: Website, task: Path) -> None:
    pages = {"/shop": SHOP.replace("/oil", "/goods/oil"), "/goods/oil": OIL, "/oil": TEA}
    trace = replay(web, task, pages)
    link, page, node = trace.findings
    assert link.kinds == ("readdressed",)
    assert (page.kinds, page.value_after) == (("readdressed",), f"{ORIGIN}/goods/oil")
    assert (node.node, node.value_before, node.value_after) == (1, "shop.test/oil", "shop.test/goods/oil")


@pytest.mark.slow
def test_a_wrapper_is_a_move_and_breaks_nothing(web: Website, task: Path) -> None:
    wrapped = OIL.replace("<form", "<div class='card'><form").replace("</form>", "</form></div>")
    trace = replay(web, task, {"/oil": wrapped})
    assert {each.kinds for each in trace.findings} == {("moved",)}
    assert trace.state == "changed"


def test_a_value_that_is_not_offered_any_more_is_told(web: Website, task: Path) -> None:
    trace = replay(web, task, {"/oil": OIL.replace("Large", "Huge")})
    refused = trace.findings[0]
    assert (refused.kinds, refused.step, refused.value_before) == (("refused",), 3, "Large")
    assert "no option like 'Large'" in refused.words
    assert refused.proposal is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "folded",
    [
        "<details><summary>More</summary><button id=order>Buy it</button></details>",
        "<button type=button id=more aria-controls=rest aria-expanded=false onclick='rest.hidden = false'>More</button>"
        "<div id=rest hidden><button id=order>Buy it</button></div>",
    ],
)
def test_what_is_folded_away_is_unfolded_first(web: Website, task: Path, folded: str) -> None:
    trace = replay(web, task, {"/oil": OIL.replace('<button id="buy">Buy it</button>', folded)})
    finding = trace.findings[0]
    assert "More" in finding.words
    assert finding.after is not None
    assert finding.after.text == "Buy it"
    assert finding.proposal is not None
    inserted = [edit for edit in finding.proposal.edits if edit.insert]
    assert [(edit.at, edit.value["do"], edit.value["element"]["text"]) for edit in inserted] == [
        (("steps", 3), "click", "More")
    ]
    assert (trace.skipped, trace.guessed) == (0, 1)


@pytest.mark.slow
def test_a_change_does_not_hide_the_next_one(web: Website, task: Path) -> None:
    pages = {"/": HOME.replace("to-shop", "shop-link"), "/oil": OIL.replace('id="buy"', 'id="order-now"')}
    trace = replay(web, task, pages)
    assert [each.step for each in trace.findings if each.node is None] == [1, 4]


@pytest.mark.slow
def test_what_a_page_says_is_no_part_of_the_report_but_text(web: Website, task: Path) -> None:
    trace = replay(web, task, {"/oil": OIL.replace("Buy it", "<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>")})
    assert "<script>alert(1)</script>" in trace.findings[0].words


def test_the_picture_beside_the_trace_is_how_the_page_was(web: Website, task: Path) -> None:
    trace = json.loads((task / "trace.json").read_text(encoding="utf-8"))
    trace["steps"][3]["picture"] = "buy.png"
    trace["steps"][1]["picture"] = "../../secret.png"
    (task / "trace.json").write_text(json.dumps(trace), encoding="utf-8")
    for file in (task / "buy.png", task.parent.parent / "secret.png"):
        Image.new("RGB", (40, 30), "white").save(file)
    pages = {"/oil": OIL.replace("Buy it", "Order"), "/shop": SHOP.replace("Oil", "Olive oil")}
    by_step = {each.step: each for each in replay(web, task, pages).findings}
    assert by_step[4].picture_before
    assert by_step[2].picture_before == "", "a picture outside the task's folder is none of its own"


def test_a_site_that_cannot_be_opened_is_no_change(web: Website, task: Path) -> None:
    facts = json.loads((task / "task.json").read_text(encoding="utf-8"))
    facts["start"] = f"{ORIGIN}:1/"
    facts["origins"] = [ORIGIN, f"{ORIGIN}:1"]
    (task / "task.json").write_text(json.dumps(facts), encoding="utf-8")
    trace = replay(web, task, {})
    assert trace.state == "failed"
    assert "cannot be opened" in trace.why
