"""Metrics after each episode."""

from __future__ import annotations

from dataclasses import replace

from harness.integrations.tracking.run_metrics import ProgressMetrics
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode
from tests.integrations.tracking.logged import episode


def scored(made: Episode) -> InstanceScore:
    return score_episode(made, PROFILES["standard"])


def test_the_mean_is_over_what_has_a_score():
    progress = ProgressMetrics()
    first = progress.add(scored(episode(right=True)))
    progress.add(scored(episode(right=False)))
    last = progress.add(scored(replace(episode(right=True), outcome="harness_error")))
    assert (first["episode/score"], first["episode/seconds"], first["progress/mean_score"]) == (1.0, 0.19, 1.0)
    assert (last["progress/episodes"], last["progress/scored"], last["progress/mean_score"]) == (3, 2, 0.5)
    assert (last["progress/outcome/scored"], last["progress/outcome/harness_error"]) == (2, 1)
    assert "episode/score" not in last


def test_a_sum_of_which_a_part_is_not_known_is_not_told_any_more():
    progress = ProgressMetrics()
    made = episode(right=True)
    assert progress.add(scored(made))["progress/cost"] == 0.013
    progress.add(scored(replace(made, turns=(replace(made.turns[0], cost=None, usage=None),))))
    last = progress.add(scored(made))
    assert {"progress/cost", "progress/input_tokens", "progress/output_tokens"}.isdisjoint(last)
