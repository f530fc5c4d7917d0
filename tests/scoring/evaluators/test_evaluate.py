"""All evaluators of a task over one episode, the answer and the page's reward among them."""

from __future__ import annotations

from typing import Any

import pytest

from harness.catalog.site_facts import AnswerRule, Condition
from harness.kit.files.codec import plain, typed
from harness.records.site_record import Evaluation
from tests.scoring.evaluators.made import SHOP, Recording, ScriptedJudge, site, url


@pytest.mark.parametrize(
    ("match", "reference", "given", "score"),
    [
        ("exact", "Blue Whale", "blue whale ", 1.0),
        ("exact", " STRASSE", "straße", 1.0),
        ("exact", "Blue Whale", "a blue whale", 0.0),
        ("exact", "42", None, 0.0),
        ("exact", "42", "", 0.0),
        ("include", "42 euros", "It costs 42 Euros.", 1.0),
        ("include", "42 euros", "It costs 43 Euros.", 0.0),
        ("include", "42 euros", None, 0.0),
        ("semantic", "Decide whether it is a whale", "a Whale", 0.9),
        ("semantic", "Decide whether it is a whale", "a cat", 0.0),
        ("semantic", "Decide whether it is a whale", None, 0.0),
    ],
)
def test_answer_is_compared(match: Any, reference: str, given: str | None, score: float):
    facts = site(answer=AnswerRule(match=match, reference=reference))
    (found,) = Recording().evaluated(facts, ScriptedJudge({"a Whale": 0.9}), answer=given)
    assert (found.score, found.success, found.floor) == (score, score >= 0.8, 0.0)


def test_answer_by_meaning_is_unknown_without_a_judge():
    facts = site(answer=AnswerRule(match="semantic", reference="Decide"))
    (found,) = Recording().evaluated(facts, answer="a whale")
    assert (found.score, found.success) == (None, None)


@pytest.mark.parametrize(
    ("reward", "score", "success"),
    [(1.0, 1.0, True), (0.4, 0.4, False), (0.0, 0.0, False), (-1.0, 0.0, False), (None, 0.0, False)],
)
def test_reward_of_the_page_counts_from_nought(reward: float | None, score: float, success: bool):
    (found,) = Recording().evaluated(site(page_reward=True), reward=reward)
    assert (found.score, found.success) == (score, success)


ALL = {
    "key_nodes": (url("include", "/cart"),),
    "final_state": (Condition(at="/cart", how="count", value=1),),
    "answer": AnswerRule(match="exact", reference="yes"),
    "page_reward": True,
}


@pytest.mark.parametrize(
    ("main", "names"),
    [
        (None, ["key_nodes", "final_state", "page_reward", "answer"]),
        ("final_state", ["final_state", "key_nodes", "page_reward", "answer"]),
        ("answer", ["answer", "key_nodes", "final_state", "page_reward"]),
    ],
)
def test_main_evaluator_comes_first(main: Any, names: list[str]):
    found = Recording().evaluated(site(**ALL, main=main))
    assert [each.evaluator for each in found] == names


def test_evaluators_may_disagree_and_each_is_kept():
    recording = Recording().shows(SHOP).shows("http://shop.test/cart")
    found = recording.evaluated(site(**ALL), state={"cart": []}, answer="yes")
    assert [each.score for each in found] == [1.0, 0.0, 0.0, 1.0]


def test_task_that_is_judged_by_nothing_has_no_evaluation():
    assert Recording().evaluated(site()) == ()


def test_evaluations_survive_being_written_down():
    for each in Recording().shows(SHOP).evaluated(site(**ALL)):
        assert typed(plain(each), Evaluation) == each
