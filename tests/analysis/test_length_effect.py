from __future__ import annotations

import numpy as np
import pytest

from harness.analysis.length_effect import NO_SCORE, PageLengths, length_effect
from harness.analysis.seeds import group
from harness.kit.statistics.line import fit_line
from tests.analysis.made import instance_id, scored


def effect(folder, scores, tokens, unknown=None):
    """Scores and tokens: task -> one for each instance."""
    tasks = {task: [{"s": score} if score is not None else {} for score in each] for task, each in scores.items()}
    (result,) = group([scored(folder, tasks)])
    known = {(task, instance_id(task, place)): each for task, many in tokens.items() for place, each in enumerate(many)}
    missing = {(task, instance_id(task, place)): why for (task, place), why in (unknown or {}).items()}
    return length_effect(result, PageLengths(known, missing, "a vocabulary"))


def test_the_slope_is_what_a_doubling_of_the_length_goes_with(tmp_path):
    scores = {"A": [0.9], "B": [0.8], "C": [0.7], "D": [0.6], "E": [0.5]}
    tokens = {task: [100 * 2**place] for place, task in enumerate(scores)}
    found = effect(tmp_path, scores, tokens)
    assert found.between.slope.value == pytest.approx(-0.1)
    assert [(each.task, each.tokens, each.score) for each in found.tasks] == [
        (task, pytest.approx(100 * 2**place), pytest.approx(score[0]))
        for place, (task, score) in enumerate(scores.items())
    ]
    assert found.counted_by == "a vocabulary"


def test_a_task_is_a_point_however_many_instances_it_has(tmp_path):
    random = np.random.default_rng(1)
    scores = {f"T{place}": random.random(1 + place).tolist() for place in range(8)}
    tokens = {task: [100.0 * (2 + place)] * len(each) for place, (task, each) in enumerate(scores.items())}
    found = effect(tmp_path, scores, tokens)
    x = [np.log2(each[0]) for each in tokens.values()]
    alone = fit_line(x, [np.mean(each) for each in scores.values()], np.arange(8))
    assert found.between.slope.value == pytest.approx(alone.slope.value)
    assert found.between.slope.low == pytest.approx(alone.slope.low)
    assert found.between.slope.clusters == 8


def test_within_tasks_the_difference_between_tasks_is_taken_out(tmp_path):
    # Longer tasks are easier here; of one task the longer page is the harder.
    scores = {"A": [0.3, 0.1], "B": [0.6, 0.4], "C": [0.9, 0.7]}
    tokens = {"A": [100, 200], "B": [400, 800], "C": [1600, 3200]}
    found = effect(tmp_path, scores, tokens)
    assert found.between.slope.value == pytest.approx(0.15)
    assert found.within.slope.value == pytest.approx(-0.2)
    assert found.within_tasks == 3


def test_pages_of_a_task_that_are_alike_in_length_tell_nothing_of_doubling_them(tmp_path):
    scores = {"A": [0.3, 0.1], "B": [0.6, 0.4]}
    found = effect(tmp_path, scores, {"A": [100, 105], "B": [400, 410]})
    assert found.within is None


def test_what_has_no_length_or_no_score_is_left_out_and_counted(tmp_path):
    scores = {"A": [0.3, 0.1, None], "B": [0.6, 0.4]}
    found = effect(tmp_path, scores, {"A": [100], "B": [400, 400]}, {("A", 1): "why not", ("A", 2): "of no matter"})
    assert dict(found.left_out) == {"why not": 1, NO_SCORE: 1}
    assert [(each.task, each.instances) for each in found.tasks] == [("A", 1), ("B", 2)]


def test_tasks_of_one_length_have_no_line(tmp_path):
    found = effect(tmp_path, {"A": [0.3], "B": [0.6]}, {"A": [100], "B": [100]})
    assert (found.between, found.within) == (None, None)
