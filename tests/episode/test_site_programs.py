"""Programs and assistants on a website: what they are told, what they may do, and what is kept of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from harness.episode.action_sets import ACTION_SETS, actions_of
from harness.episode.assignment import Page
from harness.episode.film import FilmedTrajectory
from harness.episode.library import Actions
from harness.episode.play import PlayedPage
from harness.episode.play_site import play_site
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteWorkItem
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.solvers.outside.agent_reports import read_answer
from harness.solvers.outside.command import CommandSolver
from harness.solvers.outside.page_tools import OBSERVE, PageTools, RecordedTools
from tests.driving import Connection, Driving
from tests.site import Site
from tests.websites import ORIGIN, Website, website

PAGE = Page(f"{ORIGIN}/start", (), (), 0, "Find wool socks.", (ORIGIN,))
FORM = "<form action=/found><input id=q name=q style='position: fixed; left: 0; top: 0; width: 200px' autofocus></form>"


@pytest.fixture(scope="module")
def shop(site: Site) -> Iterator[Website]:
    with website(site) as made:
        made.put("/start", FORM + "<a id=link target=_blank href=/two>Two</a>", "Start")
        made.put("/found", "<p>found</p>", "Found")
        made.put("/two", "<p>two</p>", "Two")
        yield made


def played(shop: Website, solver: Any, **options: Any) -> tuple[PlayedPage, Trajectory]:
    shop.browser.clear()
    return play_site(shop.session, solver, SiteWorkItem(PAGE), Limits(), **options)


# ---- programs ---------------------------------------------------------------------------------------------------


def search(page: Connection) -> None:
    page.call("Page.bringToFront")
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=50, y=10, button="left", clickCount=1)
    page.call("Input.insertText", text="socks")
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.wait_for("location.pathname === '/found' && document.readyState === 'complete'")


def test_what_a_program_does_makes_moments_of_no_step(shop: Website) -> None:
    made, trajectory = played(shop, Driving(search))
    assert made.body is not None
    assert (made.end.outcome, made.end.detail, made.unseen) == ("scored", "", True)
    told = [(each.step, each.kind, each.event) for each in made.body.moments]
    assert (None, "acted", "input") in told
    assert {step for step, _, _ in told} == {None}
    assert made.body.moments[-1].url == f"{ORIGIN}/found?q=socks"
    (typed,) = [each for each in made.body.moments if each.event == "input"]
    assert typed.element is not None
    assert (typed.element.css, typed.element.value) == ("#q", "socks")
    assert typed.dom in trajectory.texts


def test_a_program_is_filmed(shop: Website) -> None:
    _, trajectory = played(shop, Driving(search), film="webp")
    assert isinstance(trajectory, FilmedTrajectory)
    frames = trajectory.film().film.frames
    assert frames[0].url == PAGE.url
    assert frames[-1].url == f"{ORIGIN}/found?q=socks"


def told_to(program: str) -> CommandSolver:
    return CommandSolver([sys.executable, "-c", program], {}, tell_fields=True)


KILLED = f"""
import json, os, sys
from websockets.sync.client import connect
told = json.load(sys.stdin)
with connect(told["devtools"]["page"], proxy=None) as page:
    page.send(json.dumps({{"id": 1, "method": "Page.navigate", "params": {{"url": "{ORIGIN}/two"}}}}))
    while json.loads(page.recv(20)).get("id") != 1:
        pass
    os.kill(os.getpid(), 9)
"""


def test_what_a_program_reached_before_it_was_killed_is_kept(shop: Website) -> None:
    made, _ = played(shop, told_to(KILLED))
    assert made.body is not None
    assert made.end.outcome == "agent_error"
    assert [each.url for each in made.body.moments if each.kind == "moved"] == [PAGE.url, f"{ORIGIN}/two"]


def test_a_program_is_told_the_goal_and_where_it_may_go(shop: Website) -> None:
    program = (
        "import os, sys; print(sys.stdin.read()); print(os.environ['TURKBENCH_GOAL'], os.environ['TURKBENCH_ORIGINS'])"
    )
    made, _ = played(shop, told_to(program))
    told, variables = made.turns[0].reply.splitlines()
    assert {name: json.loads(told)[name] for name in ("url", "goal", "origins", "names", "fields")} == {
        "url": PAGE.url,
        "goal": PAGE.goal,
        "origins": [ORIGIN],
        "names": [],
        "fields": [],
    }
    assert variables == f"{PAGE.goal} {ORIGIN}"


def test_a_program_answers_with_a_line_of_its_output(shop: Website) -> None:
    made, _ = played(shop, told_to("print('working'); print('{\"answer\": \"17.50\"}'); print('done')"))
    assert made.body is not None
    assert made.body.answer == "17.50"


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ('{"answer": "a"}\n{"answer": "b"}', "b"),
        ('{"answer": 17.5}', "17.5"),
        ('{"answer": null}', None),
        ('{"answer": "a", "more": 1}', None),
        ("answer: a", None),
        ('{"answer": ', None),
    ],
)
def test_which_line_is_the_answer(output: str, answer: str | None) -> None:
    assert read_answer(output) == answer


# ---- tools ------------------------------------------------------------------------------------------------------


class Calls:
    """Calls tools, one after another."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = calls
        self.told: list[str] = []
        self.tools: PageTools | None = None

    def solve(self, page: Page, act: Actions) -> None:
        self.tools = PageTools(page, act, tell_fields=True)
        recorded = RecordedTools(self.tools, act.trajectory)
        for name, arguments in self.calls:
            self.told.append(recorded.call(name, arguments).text)
        recorded.settle()


def test_an_assistant_is_told_the_goal_and_offered_the_set_of_the_task(shop: Website) -> None:
    solver = Calls()
    played(shop, solver)
    assert solver.tools is not None
    assert "Goal: Find wool socks." in solver.tools.instructions
    assert "form" not in solver.tools.instructions
    assert [tool["name"] for tool in solver.tools.tools()] == [OBSERVE.name, *ACTION_SETS["webcanvas"]]
    assert json.loads(solver.tools.resources()["page://goal"])["goal"] == PAGE.goal


def test_an_assistant_walks_through_the_website_and_finishes_with_an_answer(shop: Website) -> None:
    solver = Calls(
        ("observe", {}),
        ("fill_search", {"ref": 1, "text": "socks"}),
        ("modify_text", {"name": "q", "value": "x"}),
        ("finish", {"answer": "two"}),
        ("go_back", {}),
    )
    made, _ = played(shop, solver)
    assert made.body is not None
    assert made.body.answer == "two"
    assert "there is no tool 'modify_text'" in solver.told[2]
    assert "is over" in solver.told[4]
    assert [step.action for step in made.steps] == ["fill_search(1, 'socks')", "finish('two')"]
    assert [turn.calls for turn in made.turns][-1] == ("finish('two')",)


def test_every_tool_of_a_website_says_what_it_may_do(shop: Website) -> None:
    solver = Calls()
    played(shop, solver, actions="all")
    assert solver.tools is not None
    told = {tool["name"]: tool["effects"] for tool in solver.tools.tools()}
    assert set(told) == {OBSERVE.name, *actions_of("all")}
    assert told["fill"].destructive
    assert not told["go_back"].read_only


def test_the_actions_of_a_page_say_what_a_solver_is_offered(shop: Website) -> None:
    shown = shop.show(FORM)
    assert isinstance(shown.act, SiteActions)
    assert list(shown.act.specs) == list(ACTION_SETS["webcanvas"])
