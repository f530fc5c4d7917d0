"""What the prediction of a step is worth."""

from __future__ import annotations

import pytest

from harness.papers.mind2web.demonstrations.asking import PredictedStep
from harness.papers.teacher_forced.step_numbers import score_step, token_f1
from tests.papers.teacher_forced.made import CLICK, SELECT, TYPE, step


def said(id_, op, value=""):
    return PredictedStep(backend_node_id=id_, op=op, value=value)


@pytest.mark.parametrize("id_", ["10", "11"])
def test_any_acceptable_element_is_right(id_):
    score = score_step(CLICK, said(id_, "CLICK"))
    assert (score.element, score.operation_f1, score.success) == (True, 1.0, True)


def test_another_element_is_wrong_whatever_is_done_to_it():
    score = score_step(CLICK, said("4", "CLICK"))
    assert (score.element, score.operation_f1, score.success) == (False, 1.0, False)


@pytest.mark.parametrize(
    ("value", "f1"),
    [("New Lisbon", 1.0), ("Lisbon New", 1.0), ("Lisbon", 0.8), ("new lisbon", 1 / 3), ("", 0.5), ("Porto", 0.4)],
)
def test_a_value_counts_word_by_word(value, f1):
    score = score_step(TYPE, said("6", "TYPE", value))
    assert score.operation_f1 == pytest.approx(f1)
    assert score.success == (f1 == 1.0)


def test_another_operation_with_the_same_value_is_not_right():
    assert score_step(SELECT, said("7", "TYPE", "Cheapest first")).operation_f1 == pytest.approx(2 / 3)


def test_a_click_has_no_value():
    assert score_step(CLICK, said("10", "CLICK", "Buy lamp")).success


@pytest.mark.parametrize("original", ["HOVER", "ENTER"])
def test_to_hover_and_to_press_enter_are_clicks(original):
    assert score_step(step(done=original), said("10", "CLICK")).success


@pytest.mark.parametrize("predicted", [said(None, None), said(None, "CLICK"), said("10", None)])
def test_a_prediction_without_element_or_operation_is_worth_nothing(predicted):
    score = score_step(CLICK, predicted)
    assert (score.element, score.operation_f1, score.scorable) == (False, 0.0, True)


def test_a_step_without_an_acceptable_element_is_failed_and_told_apart():
    score = score_step(step(()), said("10", "CLICK"))
    assert (score.element, score.operation_f1, score.scorable) == (False, 0.0, False)


def test_words_count_once():
    assert token_f1("TYPE a a b", "TYPE b a") == 1.0
    assert token_f1("", "") == 1.0
    assert token_f1("", "TYPE") == 0.0
