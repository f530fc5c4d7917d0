"""Episodes on MiniWoB++ in a browser: what a page asks for and gives, by a small stand-in; and its real pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.actions.result import ErrorCode
from harness.browser.input_back_end import BrowserSession
from harness.browser.rewarding_page import RewardingPage
from harness.catalog import Catalog
from harness.catalog.task import Task
from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate
from harness.datasets.tasksets import tasks_folder
from harness.episode.assignment import Page
from harness.episode.play import PlayedPage
from harness.episode.play_site import play_site
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import site_assignment
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from oracle.random_choice import walk
from tests.episode.test_site_programs import Driving
from tests.miniwob_set import fetch_real, fetch_stand_in
from tests.sites.served import begin, site_browser

START = "http://miniwob.test/miniwob/buttons.html?seed=0"
OTHER = "http://miniwob.test/miniwob/click-test.html?seed=0"
SOLVED = [
    "choose-list",
    "click-button",
    "click-button-sequence",
    "click-checkboxes",
    "click-checkboxes-large",
    "click-checkboxes-transfer",
    "click-collapsible",
    "click-collapsible-2",
    "click-dialog",
    "click-dialog-2",
    "click-link",
    "click-option",
    "click-tab",
    "click-tab-2",
    "click-test",
    "click-test-2",
    "click-widget",
    "enter-date",
    "enter-password",
    "enter-text",
    "enter-text-dynamic",
    "enter-time",
    "focus-text",
    "focus-text-2",
    "grid-coordinate",
    "login-user",
    "navigate-tree",
    "use-spinner",
]


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Task]:
    folder = tmp_path_factory.mktemp("miniwob")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        fetch_stand_in(folder)
        yield Catalog(tasks_folder("miniwob")).task("buttons")


@pytest.fixture(scope="module")
def session(task: Task) -> Iterator[BrowserSession]:
    assert task
    with site_browser("miniwob") as found:
        yield found


class Does:
    """A solver that is a function."""

    def __init__(self, work: Callable[[Page, SiteActions], object]) -> None:
        self.solve = work


def press(act: SiteActions, name: str) -> str:
    """Press a button of a page; returns what comes of it."""
    nodes = act.observation.snapshot().nodes
    return act.click_element(next(node.ref for node in nodes if node.get("id") == name)).message


def played(
    session: BrowserSession, task: Task, work: Callable[[Page, SiteActions], object], seed: int = 0
) -> PlayedPage:
    begin(session, "miniwob")
    return play_site(session, Does(work), site_assignment(task, task.pages[seed], 0).work_item, Limits())[0]


def reward(page: PlayedPage) -> float | None:
    assert page.body is not None
    return page.body.reward


@pytest.mark.parametrize(("name", "given"), [("right", 1.0), ("part", 0.5), ("wrong", -1.0), ("nothing", None)])
def test_the_reward_is_what_the_page_gives(session: BrowserSession, task: Task, name: str, given: float | None) -> None:
    assert reward(played(session, task, lambda _, act: press(act, name))) == given


def test_who_does_nothing_gets_nothing_however_long_it_takes(session: BrowserSession, task: Task) -> None:
    # Three times as long as the page's own limit, by its own clock.
    def wait(*_: object) -> None:
        session.site.channel.call(
            "Runtime.evaluate", expression="new Promise((resume) => setTimeout(resume, 180))", awaitPromise=True
        )

    assert reward(played(session, task, wait)) is None


@pytest.mark.slow
def test_the_solver_is_told_what_the_page_asks_for_and_so_is_who_reads_the_record(
    session: BrowserSession, task: Task
) -> None:
    goals: dict[int, list[str]] = {}
    for seed in (0, 0, 1):
        page = played(session, task, lambda page, _, seed=seed: goals.setdefault(seed, []).append(page.goal), seed)
        assert page.body is not None
        assert page.body.goal == goals[seed][-1]
    first, again = goals[0]
    assert first == again
    assert first.startswith("Do what the page itself asks for, in the yellow box at its top. It asks: Press ")
    assert first != goals[1][0]


@pytest.mark.claim("miniwob-first-word")
def test_when_the_page_has_ended_its_episode_nothing_more_is_done(session: BrowserSession, task: Task) -> None:
    said: list[str] = []

    def work(_: Page, act: SiteActions) -> None:
        said.append(press(act, "wrong"))
        assert act.finished
        for again in (act.reload(), act.goto(START), act.press("Tab")):
            assert (again.ok, again.code) == (False, ErrorCode.ALREADY_SUBMITTED)
            said.append(again.message)

    assert reward(played(session, task, work)) == -1.0
    over = "the page has ended its episode; nothing more can be done"
    assert said[0].endswith(f"; {over}")
    assert said[1:] == [over] * 3


@pytest.mark.slow
@pytest.mark.claim("miniwob-first-word")
def test_another_page_gives_nothing_for_this_one(session: BrowserSession, task: Task) -> None:
    def work(_: Page, act: SiteActions) -> None:
        for address in (OTHER, START.replace("seed=0", "seed=1")):
            assert act.goto(address).ok
            assert "ended" not in press(act, "right")

    assert reward(played(session, task, work)) is None


def test_a_tab_that_shows_the_page_counts_as_the_first_did(session: BrowserSession, task: Task) -> None:
    def work(_: Page, act: SiteActions) -> None:
        assert act.new_tab(START).ok
        assert "ended" in press(act, "right")

    assert reward(played(session, task, work)) == 1.0


@pytest.mark.claim("miniwob-first-word")
def test_loading_the_page_again_is_no_second_try(session: BrowserSession, task: Task) -> None:
    # As a program does it that drives the browser itself.
    def work(*_: object) -> None:
        page = RewardingPage(START)
        browser = session.site
        for name, address in (("wrong", START), ("right", OTHER), ("right", START)):
            browser.channel.call("Runtime.evaluate", expression=f"document.getElementById({name!r}).click()")
            browser.open(address)
        assert page.reward(browser.tabs) == -1.0

    assert reward(played(session, task, work)) == -1.0


@pytest.mark.claim("miniwob-program")
@pytest.mark.parametrize("script", ["document.getElementById('part').click()", "core.endEpisode(0.5)"])
def test_of_a_program_counts_what_the_page_says_in_the_end_however_it_came_there(
    session: BrowserSession, task: Task, script: str
) -> None:
    begin(session, "miniwob")
    program = Driving(lambda page: page.call("Runtime.evaluate", expression=script))
    page, _ = play_site(session, program, site_assignment(task, task.pages[0], 0).work_item, Limits())
    assert (reward(page), page.unseen, page.end.outcome) == (0.5, True, "scored")


def test_scripts_of_a_page_may_break_its_words_and_the_episode_goes_on(session: BrowserSession, task: Task) -> None:
    def work(_: Page, act: SiteActions) -> None:
        spoilt = "WOB_DONE_GLOBAL = true; WOB_RAW_REWARD_GLOBAL = { valueOf() { throw 1 } }; delete window.core"
        session.site.channel.call("Runtime.evaluate", expression=spoilt)
        press(act, "nothing")

    page = played(session, task, work)
    assert (reward(page), page.end.outcome) == (None, "scored")


def test_only_what_belongs_to_the_page_is_shown(session: BrowserSession, task: Task) -> None:
    shown: list[str] = []
    played(session, task, lambda _, act: shown.append(act.get_html().text))
    assert 'id="clock"' not in shown[0]
    visible = (
        "['click-canvas', 'reward-display', 'cover'].map((id) => getComputedStyle(document.getElementById(id)).display)"
    )
    answer = session.site.channel.call("Runtime.evaluate", expression=visible, returnByValue=True)
    assert answer["result"]["value"] == ["none"] * 3


def test_a_walk_by_chance_ends_with_the_page(session: BrowserSession, task: Task) -> None:
    page = played(session, task, walk)
    assert reward(page) is not None
    assert [step.code for step in page.steps].count(ErrorCode.ALREADY_SUBMITTED) == 0


# ---- the real pages -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder; the real pages are in the cache."""
    folder = tmp_path_factory.mktemp("real")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        fetch_real()
        yield folder


def run(out: Path, solver: str, *names: str, instances: int = 3, actions: str = "webcanvas") -> list[Episode]:
    """The episodes of a run over some of the real pages."""
    chosen = ["--actions", actions, *(word for name in names for word in ("--task", name))]
    given = ["--dataset", "miniwob", "--solver", solver, "--max-instances", str(instances), "--workers", "2"]
    assert evaluate.main([*given, *chosen, "--progress", "quiet", "--out", str(out)]) == COMPLETE
    return list(RunDirectory(out).episodes())


def results(episodes: list[Episode]) -> list[tuple[str, float | None, bool | None]]:
    """Of each episode the task, the reward, and whether that is a success."""
    found = [(episode.task, episode.site) for episode in episodes]
    return [(task, site.reward, site.main.success) for task, site in found if site and site.main]


def test_the_example_gets_the_whole_reward_of_28_pages_with_three_seeds(real: Path) -> None:
    episodes = run(real / "example", "examples.miniwob_solver:MiniwobSolver", *SOLVED)
    assert results(episodes) == [(name, 1.0, True) for name in SOLVED for _ in range(3)]


def test_traces_that_need_no_seed_get_the_whole_reward(real: Path) -> None:
    names = [name for name in Catalog(tasks_folder("miniwob")).names() if _has_trace(name)]
    assert len(names) == 7
    assert results(run(real / "oracle", "oracle", *names, instances=2)) == [
        (name, 1.0, True) for name in names for _ in range(2)
    ]


def test_five_pages_of_the_paper_are_done_by_autowebglms_functions(real: Path) -> None:
    names = ("click-collapsible", "click-dialog", "click-test", "click-test-2", "focus-text")
    episodes = run(real / "functions", "oracle", *names, instances=1, actions="autowebglm")
    assert sorted(results(episodes)) == [(name, 1.0, True) for name in names]


@pytest.mark.slow
def test_doing_nothing_gets_nothing(real: Path) -> None:
    names = ("click-button", "guess-number", "tic-tac-toe")
    assert results(run(real / "nothing", "do-nothing", *names)) == [
        (name, None, False) for name in names for _ in range(3)
    ]


def _has_trace(name: str) -> bool:
    return (tasks_folder("miniwob") / name / "trace.json").is_file()
