"""What evaluators say of episodes on websites, side by side."""

from __future__ import annotations

import pytest

from tests.analysis.site_episodes import Said, on_site, results, tally
from tests.samples import episode


def test_each_evaluator_has_its_mean_and_its_share_of_successes():
    found = results(on_site({"key_nodes": 1.0, "final_state": 0.0}), on_site({"key_nodes": 0.5, "final_state": 1.0}))
    said = [(each.evaluator, each.episodes, each.score, each.success) for each in found.overall.evaluators]
    assert said == [("key_nodes", 2, 0.75, 0.5), ("final_state", 2, 0.5, 0.5)]
    assert found.overall.key_nodes.completion_micro == 0.75


def test_what_an_evaluator_could_not_tell_is_counted_and_in_no_mean():
    (answer,) = results(on_site({"answer": None}), on_site({"answer": 1.0})).overall.evaluators
    assert (answer.episodes, answer.unknown, answer.score, answer.success) == (2, 1, 1.0, 1.0)


def test_evaluator_that_could_never_tell_has_no_score():
    (answer,) = results(on_site({"answer": None})).overall.evaluators
    assert (answer.unknown, answer.score, answer.success) == (1, None, None)


def test_levels_come_from_easy_to_hard_and_tasks_by_name():
    levels = ["hard", "", "easy", "medium"]
    found = results(*(on_site({"answer": 1.0}, level=level, task=f"T{level}") for level in levels))
    assert [each.name for each in found.levels] == ["easy", "medium", "hard", "not said"]
    assert [each.name for each in found.tasks] == ["T", "Teasy", "Thard", "Tmedium"]


@pytest.mark.parametrize(
    ("said", "split"),
    [
        ({"key_nodes": 1.0, "final_state": 0.0}, 1),
        ({"key_nodes": 1.0, "final_state": 1.0}, 0),
        ({"key_nodes": 0.0, "final_state": 0.0}, 0),
        ({"key_nodes": 1.0, "answer": None}, 0),
    ],
)
def test_split_opinions_are_those_of_evaluators_that_both_know(said: Said, split: int):
    assert results(on_site(said)).split_opinions == split


def test_forms_and_errors_of_the_harness_are_passed_over():
    assert tally(episode(), on_site({"answer": 1.0}, outcome="harness_error")).found() is None


def test_seeds_are_taken_together():
    one, other = tally(on_site({"answer": 1.0})), tally(on_site({"answer": 0.0}))
    one.merge(other)
    found = one.found()
    assert found
    assert (found.overall.episodes, found.overall.evaluators[0].score) == (2, 0.5)
