"""Tasks of WebArena's format on bundled sites, in a real browser: of each evaluator a right episode and a wrong one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from harness.browser.input_back_end import BrowserSession
from harness.catalog import Catalog
from harness.catalog.trace import ElementMark, Trace, TraceAction, TraceStep
from harness.datasets.webarena import import_webarena, read_origin
from harness.records.site_record import Evaluation
from harness.scoring.evaluators.text_match import MeaningJudge
from tests.datasets.webarena_files import configured, page, write_file
from tests.scoring.evaluators.made import ScriptedJudge
from tests.sites.served import replay_task, site_browser

KETTLE = "/product/brookfield-electric-kettle-1-7-l/"
IN_THE_CART = [
    page(
        "__SHOPPING__/cart/",
        'document.querySelector("#cart-lines").outerText',
        must_include=["Brookfield electric kettle |OR| Morrow", "Black"],
    ),
    page("__SHOPPING__/cart/", "document.querySelectorAll('[name=\"quantity\"')[0].value", exact_match="1"),
    page("__SHOPPING__/cart/", "", must_include=[f'href="{KETTLE}"']),
]
TASKS = {
    "exact": configured(1, ["string_match"], reference_answers={"exact_match": "'Two years'"}),
    "parts": configured(2, ["string_match"], reference_answers={"must_include": ["Brookfield", "1.7 l"]}),
    "sign": configured(3, ["string_match"], reference_answers={"must_include": ["6"]}),
    "meaning": configured(4, ["string_match"], reference_answers={"fuzzy_match": ["it is sold out"]}),
    "not possible": configured(
        5, ["string_match"], reference_answers={"fuzzy_match": "N/A"}, string_note="the shop has no such thing"
    ),
    "address": configured(
        6, ["url_match"], reference_url="__SHOPPING__/search/?q=kettle |OR| __SHOPPING__/search/?q=pot"
    ),
    "whole address": configured(7, ["url_match"], reference_url="__SHOPPING__/cart", url_note="EXACT"),
    "pages": configured(8, ["program_html"], program_html=IN_THE_CART),
    "page left": configured(
        9,
        ["url_match", "program_html"],
        reference_url="__SHOPPING__/cart/",
        program_html=[page("last", "document.querySelector('input[name=\"q\"').value", exact_match="Glass Kettle")],
    ),
    "parts of a page": configured(
        10,
        ["program_html"],
        program_html=[
            page(
                "last",
                "document.querySelector('form.search').lastElementChild.getAttribute('type')",
                exact_match="submit",
            ),
            page("last", "document.querySelector('main').querySelector('#sort').selectedIndex", exact_match="1"),
        ],
    ),
}


@pytest.fixture(scope="module")
def shop() -> Iterator[BrowserSession]:
    with site_browser("shop") as live:
        yield live


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder = tmp_path_factory.mktemp("webarena")
    import_webarena(write_file(folder, *TASKS.values()), folder / "tasks", [read_origin("shopping=bundled:shop")])
    return Catalog(folder / "tasks")


def to(do: TraceAction, css: str = "", value: str = "") -> TraceStep:
    return TraceStep(do=do, element=ElementMark(css=css) if css else None, value=value)


def shop_url(path: str) -> TraceStep:
    return to("goto", value=f"http://shop.test{path}")


def kettle(colour: str) -> list[TraceStep]:
    return [shop_url(KETTLE), to("click", f"input[name='colour'][value='{colour}']"), to("click", "#add-to-cart")]


def answers(text: str) -> list[TraceStep]:
    return [to("finish", value=text)]


def checks(
    shop: BrowserSession, catalog: Catalog, name: str, steps: Sequence[TraceStep], judge: MeaningJudge | None = None
) -> Evaluation:
    task = catalog.task(f"WebArena {TASKS[name]['task_id']:03}")
    trace = Trace(goal="", start="http://shop.test/", steps=tuple(steps))
    replay = replay_task(shop, task, seed=0, trace=trace, judge=judge)
    assert replay.error == ""
    assert list(replay.evaluations) == ["checks"]
    return replay.evaluations["checks"]


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("exact", answers(" two YEARS "), answers("two years and a day")),
        ("parts", answers("The Brookfield with 1.7 L."), answers("The Brookfield.")),
        ("sign", answers("There are 6."), answers("There are 16, or 6.5.")),
        ("address", [shop_url("/search/?q=kettle&sort=price")], [shop_url("/search/?q=tent")]),
        ("whole address", [shop_url("/cart/")], [shop_url("/cart/?from=home")]),
        ("pages", kettle("Black"), kettle("Cream")),
        (
            "page left",
            [shop_url("/cart/"), to("fill", "input[name='q']", "Glass Kettle")],
            [shop_url("/cart/"), to("fill", "input[name='q']", "Glass")],
        ),
        ("parts of a page", [shop_url("/search/?q=kettle&sort=price")], [shop_url("/search/?q=kettle")]),
    ],
)
def test_right_episode_gets_1_and_a_wrong_one_0(
    shop: BrowserSession, catalog: Catalog, name: str, right: list[TraceStep], wrong: list[TraceStep]
) -> None:
    found = checks(shop, catalog, name, right)
    assert (found.score, found.success) == (1.0, True), found
    found = checks(shop, catalog, name, wrong)
    assert (found.score, found.success) == (0.0, False), found


def test_answer_by_meaning_is_the_judges_and_unknown_without_one(shop: BrowserSession, catalog: Catalog) -> None:
    judge = ScriptedJudge({"none is left": 0.9, "it is sold in black": 0.1})
    assert checks(shop, catalog, "meaning", answers("none is left")).score is None
    assert checks(shop, catalog, "meaning", answers("none is left"), judge).score == 1
    assert checks(shop, catalog, "meaning", answers("it is sold in black"), judge).score == 0
    rule, answer = judge.asked[0]
    assert answer == "none is left"
    assert "it is sold out" in rule
    assert "Look for a kettle." in rule


@pytest.mark.slow
def test_what_cannot_be_done_is_said_in_two_letters_or_with_the_reason(shop: BrowserSession, catalog: Catalog) -> None:
    judge = ScriptedJudge({"there is no such thing": 1.0})
    assert checks(shop, catalog, "not possible", answers("n/a")).score == 1
    assert checks(shop, catalog, "not possible", answers("there is no such thing")).score is None
    assert checks(shop, catalog, "not possible", answers("there is no such thing"), judge).score == 1
    assert checks(shop, catalog, "not possible", answers("it costs 20 euros"), judge).score == 0


def test_pages_are_read_in_the_end_and_are_no_moment_of_the_episode(shop: BrowserSession, catalog: Catalog) -> None:
    found = checks(shop, catalog, "pages", kettle("Cream"))
    assert [part.score for part in found.parts] == [1, 0, 1, 1]
    assert found.floor is None
    assert "cream" in found.parts[1].why
    assert shop.site.tab.url == "http://shop.test/cart/"
    assert checks(shop, catalog, "page left", []).score == 0


@pytest.mark.slow
def test_task_on_the_board_is_checked_by_the_page_of_what_was_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("board")
    written = page(
        "__REDDIT__/post/100902/edit/", "document.getElementById('f-text').value", must_include=["for 45 min"]
    )
    entry = configured(31, ["program_html"], start="__REDDIT__", program_html=[written])
    import_webarena(write_file(folder, entry), folder / "tasks", [read_origin("reddit=bundled:board")])
    task = Catalog(folder / "tasks").task("WebArena 031")
    edit = to("goto", value="http://board.test/post/100902/edit/")
    text = "I bake mine for 45 minutes with the lid on, then ten minutes without."
    right = (edit, to("fill", "#f-text", text), to("click", "#save-post"))
    with site_browser("board") as board:
        for steps, score in ((right, 1), (right[:2], 0)):
            trace = Trace(goal="", start="http://board.test", steps=steps)
            replay = replay_task(board, task, seed=0, trace=trace)
            assert (replay.error, replay.evaluations["checks"].score) == ("", score)
