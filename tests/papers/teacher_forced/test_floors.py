"""The bound and the floors."""

from __future__ import annotations

import pytest

from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.teacher_forced.floors import (
    FirstCandidate,
    LexicalCandidate,
    RandomCandidate,
    StepOracle,
    usual_operation,
)
from harness.papers.teacher_forced.step_numbers import score_step
from tests.papers.teacher_forced.made import CLICK, SELECT, TYPE, candidate, demonstration, step


@pytest.mark.parametrize("done", [CLICK, TYPE, SELECT, step(done="HOVER")])
def test_the_oracle_is_right_wherever_there_is_something_right(done):
    asked = asked_step(demonstration(steps=[done]), 0)
    assert score_step(done, StepOracle().predict_with_key(asked, done)).success


def test_the_oracle_says_what_it_does_not_know():
    lost = step(())
    said = StepOracle().predict_with_key(asked_step(demonstration(steps=[lost]), 0), lost)
    assert said.backend_node_id is None
    assert "no acceptable element" in said.problem


def test_chance_takes_the_same_candidate_of_the_same_step_and_others_with_another_seed():
    asked = [asked_step(demonstration(steps=[CLICK] * 8), index) for index in range(8)]
    first, again, other = ([RandomCandidate(seed).predict(each) for each in asked] for seed in (1, 1, 2))
    assert first == again != other
    assert len({each.backend_node_id for each in first}) > 1


def test_words_of_the_task_lead_to_an_element_and_into_its_field():
    asked = asked_step(demonstration(steps=[CLICK]), 0)
    assert LexicalCandidate().predict(asked).backend_node_id == "10"
    field = asked_step(demonstration(steps=[step(("6",), "TYPE", html='<input backend_node_id="6" name="city">')]), 0)
    only = type(field)(**{**vars(field), "candidates": (candidate("6"),)})
    assert LexicalCandidate().predict(only).value == "New"


@pytest.mark.parametrize("solver", [FirstCandidate(), RandomCandidate(), LexicalCandidate()])
def test_a_page_without_candidates_gives_no_prediction(solver):
    asked = asked_step(demonstration(steps=[CLICK]), 0)
    said = solver.predict(type(asked)(**{**vars(asked), "candidates": ()}))
    assert (said.backend_node_id, said.op) == (None, None)
    assert said.problem


@pytest.mark.parametrize("html", ["", "<", "\x00", '<?xml version="1.0" encoding="utf-8"?><p>é'])
def test_a_page_that_is_none_is_no_reason_to_fail(html):
    assert LexicalCandidate().predict(asked_step(demonstration(steps=[step(html=html)]), 0)).backend_node_id


def test_a_tag_tells_what_is_usually_done():
    assert [usual_operation(candidate(each)) for each in ("4", "6", "7")] == ["CLICK", "TYPE", "SELECT"]
