"""An episode on a website, from its first page to what is known of it in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from harness.browser.browser import PageFailed
from harness.browser.tab import Tab
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.catalog.task import Instance
from harness.catalog.trace import ElementMark, Trace, TraceAction, TraceStep
from harness.episode import work as work_module
from harness.episode.action_sets import ACTION_SETS
from harness.episode.assignment import Page
from harness.episode.clock import PHASES
from harness.episode.film import FilmedTrajectory
from harness.episode.library import ACTIONS, Actions
from harness.episode.play import PlayedPage
from harness.episode.play_site import play_site
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
from harness.episode.site_assignment import PlayedSite, SiteAssignment, SiteWorkItem
from harness.episode.trajectory import Trajectory
from harness.forms.kind import FORMS
from harness.records.config import Limits
from harness.run.task_kind import WrongActions
from oracle.floors import DoNothing
from oracle.oracle import Oracle
from oracle.random_choice import RandomChoice
from oracle.search_only import SearchOnly
from tests.site import Site
from tests.websites import ORIGIN, Website, website

START = f"{ORIGIN}/start"
SEARCH = '<form action=/found><input id=q name=q aria-label="Search"></form><a id=link href=/two target=_blank>Two</a>'


@pytest.fixture(scope="module")
def shop(site: Site) -> Iterator[Website]:
    with website(site) as made:
        made.put("/start", SEARCH, "Start")
        made.put("/found", "<p>found</p><a id=back href=/start>Back</a>", "Found")
        made.put("/two", "<select id=list><option>one<option>two</select>", "Two")
        yield made


def page(seed: int = 0) -> Page:
    return Page(START, (), (), seed, "Find wool socks.", (ORIGIN,))


class Solves:
    """Does what a function does."""

    def __init__(self, work: Callable[[SiteActions], object]) -> None:
        self._work = work

    def solve(self, _page: Page, act: Actions) -> None:
        assert isinstance(act, SiteActions)
        self._work(act)


def played(
    shop: Website,
    solver: object,
    work_item: SiteWorkItem | None = None,
    limits: Limits | None = None,
    **options: object,
) -> tuple[PlayedPage, PlayedSite, Trajectory]:
    shop.browser.clear()
    work_item = work_item or SiteWorkItem(page())
    made, trajectory = play_site(shop.session, solver, work_item, limits or Limits(), **options)  # type: ignore[arg-type]
    assert made.body is not None
    return made, made.body, trajectory


def assigned(*steps: TraceStep) -> SiteAssignment:
    facts = SiteFacts(goal="Find wool socks.", start=START, origins=(ORIGIN,), evaluators=Evaluators())
    trace = Trace(goal=facts.goal, start=START, steps=steps)
    return SiteAssignment(page(), instance=Instance("S", 0, "1", {}, {}, (1,), ()), facts=facts, trace=trace)


def to(do: TraceAction, css: str, value: str = "") -> TraceStep:
    return TraceStep(do=do, element=ElementMark(css=css), value=value)


def test_what_a_solver_did_and_what_came_of_it_is_kept(shop: Website) -> None:
    def work(act: SiteActions) -> None:
        act.observation.snapshot()
        act.fill_search(1, "wool socks")
        act.finish("two")

    made, site, trajectory = played(shop, Solves(work))
    assert [(step.ok, step.action) for step in made.steps] == [
        (True, "fill_search(1, 'wool socks')"),
        (True, "finish('two')"),
    ]
    assert (made.end.outcome, made.attempts) == ("scored", 1)
    assert (site.answer, site.moments_lost, site.state, site.reward) == ("two", 0, None, None)
    moved = [(moment.step, moment.url) for moment in site.moments if moment.kind == "moved"]
    assert moved == [(None, START), (0, f"{ORIGIN}/found?q=wool+socks")]
    assert {moment.dom for moment in site.moments if moment.dom} <= set(trajectory.texts)


def test_an_episode_says_how_long_its_phases_took_and_how_many_messages(shop: Website) -> None:
    made, _, _ = played(shop, DoNothing())
    assert set(made.timing) == set(PHASES) - {"submit", "read", "record"}
    assert made.messages["messages"] > 0
    assert made.messages["waits"] > 0


def test_who_does_nothing_leaves_the_first_page_only(shop: Website) -> None:
    made, site, _ = played(shop, DoNothing())
    assert (made.steps, site.answer) == ((), None)
    assert [(moment.kind, moment.url) for moment in site.moments] == [("moved", START)]


def test_what_is_done_after_the_work_was_finished_is_refused(shop: Website) -> None:
    made, _, _ = played(shop, Solves(lambda act: (act.finish(), act.goto("/two"))))
    assert [step.ok for step in made.steps] == [True, False]


@pytest.mark.slow
def test_a_server_that_does_not_answer_fails_a_step_and_is_in_the_record(
    shop: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(act: SiteActions) -> None:
        with monkeypatch.context() as hasty:
            hasty.setattr(Tab, "patience", 1.0)
            act.goto("/held/never")
        act.goto("/two")

    made, site, _ = played(shop, Solves(work))
    assert [step.ok for step in made.steps] == [False, True]
    assert site.late == (f"{ORIGIN}/held/never",)
    assert [moment.url for moment in site.moments] == [START, f"{ORIGIN}/two"]


def test_what_happens_before_any_step_is_of_none(shop: Website) -> None:
    _, site, _ = played(shop, Solves(lambda _: shop.browser.open(f"{ORIGIN}/two")))
    assert (site.moments[-1].url, {moment.step for moment in site.moments}) == (f"{ORIGIN}/two", {None})


def test_the_limit_of_steps_ends_the_episode(shop: Website) -> None:
    def work(act: SiteActions) -> None:
        while True:
            act.reload()

    made, _, _ = played(shop, Solves(work), limits=Limits(max_steps=2))
    assert (made.end.outcome, made.end.limit, len(made.steps)) == ("limit", "steps", 2)


@pytest.mark.slow
def test_a_solver_that_never_comes_back_is_stopped(shop: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(act: SiteActions) -> None:
        while True:
            act.trajectory.seconds_left()

    monkeypatch.setattr(work_module, "GRACE_SECONDS", -299.0)  # of 300 seconds
    with website(shop.site) as other:
        made, _, _ = played(other, Solves(work))
    assert (made.end.outcome, made.end.limit) == ("limit", "time")


def test_an_error_of_the_solver_is_told(shop: Website) -> None:
    made, site, _ = played(shop, Solves(lambda act: act.goto("/two") and int("one")))
    assert made.end.outcome == "agent_error"
    assert "invalid literal" in made.end.detail
    assert site.moments[-1].url == f"{ORIGIN}/two"


def test_a_first_page_that_cannot_be_opened_is_no_fault_of_the_solver(shop: Website) -> None:
    elsewhere = SiteWorkItem(replace(page(), url="http://evil.test/"))
    with pytest.raises(PageFailed, match="evil"):
        played(shop, DoNothing(), elsewhere)


@pytest.mark.slow
def test_a_film_follows_the_tab_that_is_shown(shop: Website) -> None:
    def work(act: SiteActions) -> None:
        act.observation.snapshot()
        act.click_element(2)
        act.switch_tab(0)

    _, _, trajectory = played(shop, Solves(work), film="webp")
    assert isinstance(trajectory, FilmedTrajectory)
    film = trajectory.film()
    assert [(frame.step, frame.url, frame.title) for frame in film.film.frames] == [
        (None, START, "Start"),
        (0, f"{ORIGIN}/two", "Two"),
        (1, START, "Start"),
    ]
    assert all(film.pictures[frame.picture] for frame in film.film.frames)


# ---- the sets of actions ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_solver_is_offered_the_set_of_its_task(shop: Website) -> None:
    offered: list[set[str]] = []
    for name in (None, "turkingbench", "all"):
        played(shop, Solves(lambda act: offered.append(set(act.specs))), actions=name)
    assert offered == [set(ACTION_SETS["webcanvas"]), {*ACTIONS, "finish"}, set(SITE_ACTIONS) - {"call_tool"}]


def test_a_form_has_the_usual_set_and_none_of_websites() -> None:
    assert FORMS.actions(None) == FORMS.actions("all") == ACTIONS
    with pytest.raises(WrongActions, match="websites"):
        FORMS.actions("webcanvas")


def test_every_set_holds_actions_that_there_are() -> None:
    assert set(SITE_ACTIONS) >= set(ACTIONS)
    library = {name: specs for name, specs in ACTION_SETS.items() if name != "autowebglm"}
    assert all(set(specs) <= set(SITE_ACTIONS) for specs in library.values())


# ---- baselines --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_oracle_replays_the_trace(shop: Website) -> None:
    assignment = assigned(
        to("fill_search", "#q", "wool socks"),
        TraceStep(do="go_back"),
        to("click", "#link"),
        to("select_option", "#list", "two"),
        TraceStep(do="switch_tab", value="0"),
        TraceStep(do="close_tab", value="1"),
        TraceStep(do="goto", value="/two"),
        TraceStep(do="press", value="Tab"),
        TraceStep(do="reload"),
        TraceStep(do="new_tab", value=START),
        to("hover", "#link"),
        TraceStep(do="finish", value="two"),
    )
    made, site, _ = played(shop, Oracle(), assignment)
    assert (made.end.outcome, made.end.detail, site.answer) == ("scored", "", "two")
    assert [step.action.partition("(")[0] for step in made.steps] == [
        "fill_search", "go_back", "click_element", "select_option", "switch_tab", "close_tab", "goto", "press",
        "reload", "new_tab", "hover_element", "finish",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_step_whose_element_is_not_there_ends_the_replay_and_is_told(shop: Website) -> None:
    assignment = assigned(to("click", "#link"), to("click", "#nowhere"), TraceStep(do="finish"))
    made, _, _ = played(shop, Oracle(), assignment)
    assert (made.end.outcome, len(made.steps)) == ("agent_error", 1)
    words = "step 2 of the trace (click '#nowhere') cannot be done: there is no such element on http://shop.test/two"
    assert made.end.detail == f"TraceFailed: {words}"


@pytest.mark.parametrize("value", ["one", "9" * 5_000])
def test_a_tab_that_nobody_ever_opens_ends_the_replay_and_is_told(shop: Website, value: str) -> None:
    made, _, _ = played(shop, Oracle(), assigned(TraceStep(do="switch_tab", value=value)))
    assert (made.end.outcome, len(made.steps)) == ("agent_error", 0)
    assert "names no tab: its value is to be the tab's number, from 0" in made.end.detail


def test_a_step_that_cannot_be_done_ends_the_replay_and_is_told(shop: Website) -> None:
    made, _, _ = played(shop, Oracle(), assigned(to("select_option", "#q", "two")))
    assert made.end.outcome == "agent_error"
    assert "step 1 of the trace (select_option '#q', 'two') cannot be done: '[1]': it is no drop-down list" in (
        made.end.detail
    )


def test_an_element_that_a_site_shows_later_is_waited_for(shop: Website) -> None:
    shop.put("/late", "<a id=link href=/two>Two</a>", "Late")
    shop.put(
        "/waits",
        "<div id=box></div><script>addEventListener('load', () => setTimeout(() => fetch('/late').then((answer) =>"
        " answer.text()).then((text) => { box.innerHTML = text; }), 50))</script>",
        "Waits",
    )
    made, site, _ = played(shop, Oracle(), assigned(TraceStep(do="goto", value="/waits"), to("click", "#link")))
    assert (made.end.detail, site.moments[-1].url) == ("", f"{ORIGIN}/two")


def test_a_task_without_a_trace_has_nothing_to_replay(shop: Website) -> None:
    made, _, _ = played(shop, Oracle(), replace(assigned(), trace=None))
    assert made.end.outcome == "agent_error"
    assert "has no reference trace" in made.end.detail


@pytest.mark.slow
def test_a_random_walk_is_the_same_for_a_seed_and_another_for_another(shop: Website) -> None:
    def walk(seed: int) -> list[str]:
        made, _, _ = played(shop, RandomChoice(), SiteWorkItem(page(seed)), Limits(max_steps=6))
        assert made.end.outcome == "scored"
        return [step.action for step in made.steps]

    first, again, other = walk(1), walk(1), walk(2)
    assert first == again != other
    assert len(first) == 6


@pytest.mark.parametrize(
    ("found", "steps", "answer"),
    [
        (
            "<nav><a href=/start>Wool</a></nav><main><a href=/a>Cotton</a><a href=/sock>Wool Socks</a></main>",
            3,
            "Socks of wool",
        ),
        ("<main><h1>Nothing is  found</h1></main>", 2, "Nothing is found"),
        ("<main>Nothing</main>", 2, None),
    ],
)
def test_a_search_is_one_query_and_one_result_that_is_read(
    shop: Website, found: str, steps: int, answer: str | None
) -> None:
    start = shop.put("/look", "<form action=/hits><input name=q><button>Go</button></form>", "Look")
    shop.put("/hits", found, "Hits")
    shop.put("/sock", "<h1>Socks of <b>wool</b></h1>", "Socks")
    work_item = SiteWorkItem(replace(page(), url=start, goal="Find the page of Wool Socks."))
    _, site, trajectory = played(shop, SearchOnly(), work_item)
    assert site.answer == answer
    assert "fill_search(" in trajectory.steps[0].action
    assert "'Wool Socks'" in trajectory.steps[0].action
    assert len(trajectory.steps) == steps


def test_a_search_does_nothing_where_there_is_none(shop: Website) -> None:
    shop.put("/plain", "<input name=address><a href=/found>Found</a>", "Plain")
    work_item = SiteWorkItem(replace(page(), url=f"{ORIGIN}/plain"))
    _, site, trajectory = played(shop, SearchOnly(), work_item)
    assert site.answer is None
    assert [step.action for step in trajectory.steps] == ["finish(None)"]
