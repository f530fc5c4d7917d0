"""Scores of episodes on websites: the numbers of WebCanvas, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.site_scores import SiteNumbers, SiteScore, site_numbers, site_score
from harness.records.episode import Episode
from tests.analysis.site_episodes import played
from tests.samples import episode


def score(nodes: Sequence[float | None], **values: Any) -> SiteScore:
    found = site_score(played(nodes, **values))
    assert found
    return found


def numbers(*episodes: Episode) -> SiteNumbers:
    return site_numbers([found for each in episodes if (found := site_score(each))])


def test_step_score_is_the_sum_of_the_nodes_fractions_and_all():
    assert (score([1, 0.85, 0]).step_score, score([1, 0.85, 0]).missing) == (1.85, 1)


def test_completion_is_meant_over_nodes_and_over_episodes():
    found = numbers(played([1, 1, 1, 1]), played([1, 0]))
    assert (found.completion_micro, found.completion_macro) == (5 / 6, 0.75)


def test_node_that_is_judged_good_enough_does_not_make_success_impossible():
    assert numbers(played([1, 0.95])).success == 1


def test_success_with_one_missing_holds_for_those_that_miss_none():
    found = numbers(played([1, 1, 1]), played([1, 1, 0]), played([1, 0, 0]), played([0, 0, 0]))
    assert (found.success, found.success_with_one_missing) == (0.25, 0.5)


def test_efficiency_is_meant_over_completed_episodes_so_that_a_failure_never_improves_it():
    found = numbers(played([1, 1], steps=4), played([1, 1], steps=8), played([1, 0], steps=1), played([0, 0], steps=1))
    assert (found.completed, found.without_a_node, found.steps_per_node) == (2, 1, 3.0)


def test_efficiency_is_unknown_if_nothing_was_completed():
    assert numbers(played([1, 0])).steps_per_node is None


def test_steps_of_a_program_are_unknown_and_not_nought():
    found = numbers(played([1, 1], unseen=True, steps=0))
    assert (found.steps_per_node, found.length_ratio, found.length_score) == (None, None, None)


def test_dollars_are_those_of_all_episodes_for_each_node():
    assert numbers(played([1, 1], cost=0.5), played([1, 0], cost=1.0)).usd_per_node == 0.5


@pytest.mark.parametrize("episodes", [[played([1]), played([1], cost=None)], [played([0])]])
def test_dollars_are_unknown_if_one_cost_is_or_nothing_was_got(episodes: list[Episode]):
    assert numbers(*episodes).usd_per_node is None


@pytest.mark.parametrize("tasks", [1, 3, 104])
def test_dollars_of_equal_episodes_are_the_same_however_many_there_are(tasks: int):
    assert numbers(*(played([1, 1], cost=0.25) for _ in range(tasks))).usd_per_node == 0.125


@pytest.mark.parametrize(
    ("nodes", "outcome", "alignment"),
    [
        ([1, 1], "scored", 1.0),
        ([1, 1], "limit", 0.95),
        ([1, 0], "scored", 0.5),
        ([1, 0], "limit", 0.4),
        ([1, 0], "agent_error", 0.4),
        ([0, 0], "scored", 0.0),
    ],
)
def test_human_alignment_is_as_the_paper_defines_it(nodes: list[float], outcome: str, alignment: float):
    assert score(nodes, outcome=outcome).human_alignment == pytest.approx(alignment)


@pytest.mark.parametrize(("steps", "ratio", "points"), [(2, 0.5, 1.0), (4, 1.0, 1.0), (6, 1.5, 0.8), (12, 3.0, 0.4)])
def test_length_is_held_against_the_reference(steps: int, ratio: float, points: float):
    found = score([1], steps=steps)
    assert (found.length_ratio, found.length_score) == (ratio, pytest.approx(points))


def test_episode_with_an_unknown_node_is_counted_apart_and_no_nought():
    found = numbers(played([1, 1]), played([1, None]))
    assert (found.episodes, found.unknown, found.completion_micro, found.success) == (1, 1, 1.0, 1.0)
    assert (score([1, None]).step_score, score([1, None]).succeeded(), score([1, None]).human_alignment) == (None,) * 3


def test_limits_and_errors_of_the_agent_stay_in_the_means():
    found = numbers(played([1]), played([0], outcome="agent_error"), played([0], outcome="limit"))
    assert (found.episodes, found.success) == (3, pytest.approx(1 / 3))


def test_forms_errors_of_the_harness_and_tasks_without_nodes_have_no_such_score():
    assert site_score(episode()) is None
    assert site_score(played([1], outcome="harness_error")) is None
    assert site_score(played([])) is None


def test_no_episodes_have_no_numbers():
    found = site_numbers([])
    assert (found.episodes, found.completion_micro, found.success, found.human_alignment) == (0, None, None, None)
