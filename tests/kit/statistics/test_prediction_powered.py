import numpy as np
import pytest

from harness.kit.statistics.estimate import NO_INTERVAL
from harness.kit.statistics.prediction_powered import PREDICTION_POWERED, corrected_mean

RATE, TOO_KIND, TOO_STRICT = 0.35, 0.3, 0.05


def judged(chance, size, known, per_task=1):
    """Items of tasks: a truth that is known of the first ones only, and a judge who says success too often."""
    tasks = size // per_task
    ease = np.repeat(chance.random(tasks), per_task) if per_task > 1 else chance.random(size)
    truth = (ease < RATE).astype(float)
    slips = chance.random(size)
    said = np.where(truth == 1, slips >= TOO_STRICT, slips < TOO_KIND).astype(float)
    seen = truth.copy()
    seen[known:] = np.nan
    return seen, said, np.repeat(np.arange(tasks), per_task)


def test_the_published_formula_by_hand():
    truth = [1.0, 0.0, 0.0, 1.0, np.nan, np.nan, np.nan, np.nan]
    said = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    found = corrected_mean(truth, said, range(8))
    covariance = 1 / 3 * (0.5 * 0.25 + -0.5 * 0.25 + -0.5 * -0.75 + 0.5 * 0.25)
    spread = 8 / 7 * (0.75 * 0.25)
    weight = covariance / ((1 + 4 / 4) * spread)
    assert found.weight == pytest.approx(weight)
    assert found.estimate.value == pytest.approx(weight * 0.75 + 0.5 - weight * 0.75)
    assert found.bias == pytest.approx(0.25)


def test_the_bias_of_a_judge_does_not_move_the_mean():
    chance = np.random.default_rng(5)
    found = [corrected_mean(*judged(chance, 400, 100)) for _ in range(400)]
    raw = RATE * (1 - TOO_STRICT) + (1 - RATE) * TOO_KIND
    assert raw - RATE > 0.15
    assert np.mean([each.estimate.value for each in found]) == pytest.approx(RATE, abs=0.01)
    assert np.mean([each.bias for each in found]) == pytest.approx(raw - RATE, abs=0.01)


@pytest.mark.parametrize(("size", "known", "per_task"), [(400, 60, 1), (600, 150, 3)])
def test_as_many_intervals_hold_the_truth_as_they_say(size, known, per_task):
    chance = np.random.default_rng(7)
    found = [corrected_mean(*judged(chance, size, known, per_task)).estimate for _ in range(600)]
    assert all(each.method == PREDICTION_POWERED for each in found)
    assert 0.92 <= np.mean([each.low <= RATE <= each.high for each in found]) <= 0.98


def test_a_judge_makes_the_interval_shorter_than_the_known_truth_alone():
    chance = np.random.default_rng(9)
    seen, said, tasks = judged(chance, 1_000, 100)
    with_judge = corrected_mean(seen, said, tasks).estimate
    alone = corrected_mean(seen, np.zeros_like(said), tasks).estimate
    assert with_judge.high - with_judge.low < 0.9 * (alone.high - alone.low)


def test_a_judge_who_knows_nothing_is_not_listened_to():
    chance = np.random.default_rng(11)
    seen, _, tasks = judged(chance, 400, 100)
    found = corrected_mean(seen, np.ones(400), tasks)
    assert found.weight == 0.0
    assert found.estimate.value == pytest.approx(np.nanmean(seen))


def test_of_a_truth_that_is_known_throughout_it_is_the_mean():
    found = corrected_mean([1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0], range(4))
    assert found.estimate.value == 0.5
    assert found.bias == 0.5


def test_one_task_of_known_truth_allows_no_interval():
    found = corrected_mean([1.0, 0.0, np.nan, np.nan], [1.0, 1.0, 0.0, 1.0], [0, 0, 1, 2]).estimate
    assert found.low is None
    assert found.method == NO_INTERVAL


@pytest.mark.parametrize(("truth", "low", "high"), [(1.0, 0.753, 1.0), (0.0, 0.0, 0.247)])
def test_thirteen_alike_do_not_make_sure_of_all_others(truth, low, high):
    known = np.r_[np.full(13, truth), np.full(20, np.nan)]
    found = corrected_mean(known, np.ones(33), range(33)).estimate
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)  # Clopper and Pearson's limits of 13 of 13


@pytest.mark.parametrize(
    ("truth", "said", "clusters"),
    [([np.nan], [1.0], [0]), ([1.0, np.nan], [1.0, np.nan], [0, 1]), ([1.0], [1.0, 0.0], [0])],
)
def test_what_cannot_be_corrected_is_refused(truth, said, clusters):
    with pytest.raises(ValueError, match=r"truth|verdict"):
        corrected_mean(truth, said, clusters)
