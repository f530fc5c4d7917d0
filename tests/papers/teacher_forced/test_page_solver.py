"""Solvers of sites asked step by step: the page in a browser, and the first action on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.teacher_forced.page_solver import PageStepSolver, goal_with_history
from harness.papers.teacher_forced.step_page import page_without_scripts
from harness.papers.teacher_forced.step_solvers import StepSetup, make_step_solver
from tests.papers.teacher_forced.made import PAGE, demonstration, step
from tests.papers.teacher_forced.odd_solvers import SiteSolver

ODD = f"page:{SiteSolver.__module__}"


@pytest.fixture(scope="module")
def predict(tmp_path_factory):
    made: list[PageStepSolver] = []

    def said(name, html=PAGE):
        solver = make_step_solver(StepSetup(f"{ODD}:{name}", tmp_path_factory.mktemp("out")))
        assert isinstance(solver, PageStepSolver)
        if made:  # one browser for all
            made[0]._solver = solver._solver
            solver.close()
        else:
            made.append(solver)
        return made[0].predict(asked_step(demonstration(steps=[step(html=html)]), 0))

    yield said
    for each in made:
        each.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "expected"),
    [
        ("PressesButton", ("10", "CLICK", "")),
        ("HoversButton", ("10", "CLICK", "")),
        ("FollowsLink", ("4", "CLICK", "")),
        ("FillsCity", ("6", "TYPE", "New Lisbon")),
        ("LooksBeforeItChooses", ("7", "SELECT", "Cheapest first")),
        ("TypesByKeys", ("6", "CLICK", "")),
        ("PressesByPlace", ("11", "CLICK", "")),  # the span in the button is what is there
    ],
)
def test_the_first_action_on_an_element_is_the_prediction(predict, solver, expected):
    said = predict(solver)
    assert ((said.backend_node_id, said.op, said.value), said.problem) == (expected, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("LeavesThePage", "no element: goto"),
        ("LooksForEver", "limit of steps"),
        ("DoesNothing", "nothing was done"),
        ("Breaks", "ZeroDivisionError: nothing to divide"),
    ],
)
def test_a_solver_that_acts_on_no_element_predicts_none_and_the_reason_is_told(predict, solver, words):
    said = predict(solver)
    assert (said.backend_node_id, said.op) == (None, None)
    assert words in said.problem


def test_an_element_without_an_id_is_known_by_what_is_around_it(predict):
    assert predict("PressesButton", PAGE.replace(' backend_node_id="10"', "")).backend_node_id == "2"


def test_nothing_of_the_page_runs_or_asks_for_anything(predict):
    hostile = PAGE.replace(
        "<h1",
        """<meta http-equiv="refresh" content="0;url=/elsewhere"><base href="http://evil.test/">
        <img src="x" onerror="document.body.innerHTML=''"><iframe srcdoc="<p>in"></iframe>
        <svg onload="document.body.remove()"></svg><h1""",
    )
    assert predict("PressesButton", hostile).backend_node_id == "10"


def test_a_page_that_holds_nothing_gives_no_prediction(predict):
    said = predict("PressesButton", "")
    assert (said.backend_node_id, said.op) == (None, None)
    assert said.problem.startswith("no page")


def test_a_page_is_shown_without_what_runs_and_with_what_it_says():
    shown = page_without_scripts(
        '<body><script>x()</script><link href="s.css"><text backend_node_id="1">Hi <b>you</b></text>'
        '<option><text>One</text></option><svg><text>drawn</text></svg><div is_clickable="true">go</div>é</body>'
    )
    for gone in ("script", "link", "backend_node_id"):
        assert gone not in shown
    assert "Hi <b>you</b>" in shown
    assert "<option>One</option>" in shown
    assert "<svg><text>drawn</text></svg>" in shown
    assert 'style="cursor: pointer">go' in shown
    assert "é" in shown


@pytest.mark.slow
def test_the_goal_tells_what_was_done_before_and_nothing_after(predict):
    asked = asked_step(demonstration(), 1)
    assert goal_with_history(asked).splitlines() == [
        asked.task,
        "These steps towards it have been done already:",
        "1. [0] -> TYPE",
        "Do the next one.",
    ]
    SiteSolver.goals.clear()
    predict("DoesNothing")
    assert goal_with_history(replace(asked, previous=())) == asked.task
