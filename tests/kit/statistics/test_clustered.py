"""The estimates: values by hand, limits against Student's t and scipy, and what the data do not allow."""

import math

import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import bootstrap, t

from harness.kit.statistics.clustered import (
    AMOUNTS,
    DIFFERENCES,
    EXACT,
    PERCENTILE,
    STUDENT,
    STUDENTISED,
    mean_of_clusters,
    mean_of_clusters_many,
    mean_of_items,
    mean_of_items_many,
    mean_of_one,
    mean_of_one_many,
    ratio_of_means,
    ratio_of_means_many,
    ratio_of_one,
    ratio_of_one_many,
)
from harness.kit.statistics.estimate import NO_INTERVAL, Estimate

# Three clusters of 1, 2 and 4 items, with the means 1, 0.5 and 0.25.
VALUES = np.array([1.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.5])
CODES = np.array([7, 3, 3, 5, 5, 5, 5])
FEW = {"draws": 1_000}


def sample(clusters=16, items=20, seed=1):
    random = np.random.default_rng(seed)
    means = np.repeat(random.beta(6, 3, clusters), items)
    return random.beta(2 * means, 2 * (1 - means)), np.repeat(np.arange(clusters), items)


def test_a_mean_over_clusters_is_the_mean_of_their_means():
    found = mean_of_clusters(VALUES, CODES, **FEW)
    assert found.value == pytest.approx((1 + 0.5 + 0.25) / 3)
    assert (found.clusters, found.items) == (3, 7)


def test_a_mean_over_items_weighs_clusters_by_what_they_hold():
    assert mean_of_items(VALUES, np.ones(7), CODES, **FEW).value == pytest.approx(3 / 7)
    counts = np.array([4, 1, 1, 2, 2, 2, 2])
    assert mean_of_items(VALUES * counts, counts, CODES, **FEW).value == pytest.approx((4 + 1 + 2) / 14)


def test_a_ratio_of_means_is_one_mean_over_clusters_over_another():
    ceilings = np.array([1.0, 0.5, 1.0, 1.0, 1.0, 0.0, 1.0])
    found = ratio_of_means(VALUES, ceilings, CODES, **FEW)
    assert found.value == pytest.approx((1 + 0.5 + 0.25) / (1 + 0.75 + 0.75))


def test_one_cluster_is_the_mean_of_its_items():
    found = mean_of_one(VALUES[3:])
    assert (found.value, found.clusters, found.items, found.method) == (0.25, 1, 4, STUDENT)
    assert ratio_of_one(VALUES[3:], [1.0, 1.0, 0.5, 0.5]).value == pytest.approx(1 / 3)


def test_the_interval_of_many_even_clusters_is_that_of_students_t():
    random = np.random.default_rng(2)
    values, codes = random.normal(0, 1, (400, 3)), np.repeat(np.arange(400), 3)
    found = mean_of_clusters(values.ravel(), codes)
    means = values.mean(axis=1)
    wanted = t.interval(0.95, 399, loc=means.mean(), scale=means.std(ddof=1) / 20)
    assert found.method == STUDENTISED
    assert (found.low, found.high) == pytest.approx(wanted, abs=0.04 * (wanted[1] - wanted[0]))


def test_of_equal_items_only_clusters_are_resampled_as_scipy_does():
    """Nothing differs within clusters: a bootstrap-t of the cluster means, here from scipy's own draws."""
    means = np.random.default_rng(3).beta(4, 2, 30)
    found = mean_of_clusters(np.repeat(means, 5), np.repeat(np.arange(30), 5))
    error = means.std(ddof=1) / math.sqrt(30)

    def distance(drawn, axis):
        return (drawn.mean(axis=axis) - means.mean()) / (drawn.std(axis=axis, ddof=1) / math.sqrt(30))

    drawn = bootstrap((means,), distance, n_resamples=20_000, method="percentile", rng=np.random.default_rng(4))
    low, high = drawn.confidence_interval
    assert (found.low, found.high) == pytest.approx(
        (means.mean() - high * error, means.mean() - low * error), abs=0.05 * error * (high - low)
    )


def test_what_differs_within_clusters_is_not_counted_twice():
    """Without any difference between clusters the interval is as wide as one of independent items."""
    random = np.random.default_rng(5)
    values, codes = random.random(4_000), np.repeat(np.arange(100), 40)
    found = mean_of_clusters(values, codes)
    means = values.reshape(100, 40).mean(axis=1)
    wanted = 2 * t.ppf(0.975, 99) * means.std(ddof=1) / 10
    assert found.high - found.low == pytest.approx(wanted, rel=0.06)


def test_at_sixteen_clusters_the_interval_holds_the_true_mean_about_as_often_as_it_says():
    random = np.random.default_rng(6)
    means = random.beta(6, 3, (16, 1, 300))
    values = random.beta(2 * means, 2 * (1 - means), (16, 20, 300)).reshape(320, 300)
    estimates = mean_of_clusters_many(values, np.repeat(np.arange(16), 20), draws=1_000)
    held = sum(estimate.low <= 2 / 3 <= estimate.high for estimate in estimates)
    assert 0.92 * 300 <= held <= 0.985 * 300


def test_a_lower_level_gives_a_narrower_interval():
    values, codes = sample()
    wide, narrow = (mean_of_clusters(values, codes, level=level, **FEW) for level in (0.95, 0.8))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_equal_seeds_give_equal_limits():
    values, codes = sample()
    first, again, other = (mean_of_clusters(values, codes, seed=seed, **FEW) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_names_of_clusters_do_not_matter():
    values, codes = sample()
    assert mean_of_clusters(values, codes * 10 - 3, **FEW) == mean_of_clusters(values, codes, **FEW)


def close(first, second):
    numbers = [(each.value, each.low, each.high) for each in (first, second)]
    return numbers[0] == pytest.approx(numbers[1], abs=1e-9) and first.method == second.method


def test_many_measures_give_what_each_gives_alone():
    values, codes = sample()
    both = np.column_stack([values, 1 - values**2])
    counts = np.random.default_rng(7).integers(1, 5, len(values))
    for place in (0, 1):
        column = both[:, place]
        assert close(mean_of_clusters_many(both, codes, **FEW)[place], mean_of_clusters(column, codes, **FEW))
        assert close(
            mean_of_items_many(both * counts[:, None], counts, codes, **FEW)[place],
            mean_of_items(column * counts, counts, codes, **FEW),
        )
        assert close(
            ratio_of_means_many(both, 1 + both, codes, **FEW)[place], ratio_of_means(column, 1 + column, codes, **FEW)
        )
        assert close(mean_of_one_many(both)[place], mean_of_one(column))
        assert close(ratio_of_one_many(both, 1 + both)[place], ratio_of_one(column, 1 + column))


# Bounds


def test_limits_of_scores_stay_between_0_and_1():
    random = np.random.default_rng(8)
    values = np.where(random.random(160) < 0.9, 1.0, random.random(160))
    found = mean_of_clusters(values, np.repeat(np.arange(8), 20), level=0.9999)
    assert 0 <= found.low < found.value < found.high <= 1


def test_a_difference_that_is_never_negative_can_have_a_negative_limit():
    values = np.array([0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.1])
    assert mean_of_one(values, bounds=DIFFERENCES).low < 0 <= mean_of_one(values).low


def test_bounds_that_an_item_exceeds_are_none():
    values = np.array([0.2, 0.9, 1.4, 0.7])
    wanted = t.interval(0.95, 3, loc=0.8, scale=values.std(ddof=1) / 2)
    assert (mean_of_one(values).low, mean_of_one(values).high) == pytest.approx(wanted)


def test_amounts_have_a_positive_lower_limit_and_no_upper_bound():
    found = mean_of_one([1.0, 2.0, 40.0], bounds=AMOUNTS)
    assert 0 < found.low < found.value < found.high
    assert found.high > 100


def test_single_right_or_wrong_answers_keep_to_the_logit_scale():
    found = mean_of_one([1.0] * 19 + [0.0])
    error = math.sqrt(0.95 * 0.05 / 19)
    reach = t.ppf(0.975, 19) * error / (0.95 * 0.05)
    assert logit([found.low, found.high]) == pytest.approx([logit(0.95) - reach, logit(0.95) + reach])


# Data without an interval, or with another one


@pytest.mark.parametrize("function", [mean_of_clusters, lambda values, codes: mean_of_items(values, values, codes)])
def test_nothing_has_no_value(function):
    assert function([], np.array([], dtype=int)) == Estimate(None, None, None, 0, 0)
    assert mean_of_one([]) == Estimate(None, None, None, 0, 0)


def test_one_cluster_says_nothing_about_others():
    assert mean_of_clusters([0.0, 1.0], [4, 4]) == Estimate(0.5, None, None, 1, 2, NO_INTERVAL)


def test_one_item_says_nothing_about_others():
    assert mean_of_one([0.5]) == Estimate(0.5, None, None, 1, 1, NO_INTERVAL)


def test_denominators_of_nothing_give_no_value():
    assert ratio_of_means([0.0, 0.0], [0.0, 0.0], [0, 1]) == Estimate(None, None, None, 2, 2)
    assert mean_of_items([0.0, 0.0], [0, 0], [0, 1]).value is None


def test_perfect_scores_are_as_sure_as_their_clusters_are_many():
    found = mean_of_clusters(np.ones(320), np.repeat(np.arange(16), 20))
    assert found == Estimate(1.0, pytest.approx(0.025 ** (1 / 16)), 1.0, 16, 320, EXACT)
    assert mean_of_one(np.zeros(20)) == Estimate(0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 20)), 1, 20, EXACT)


def test_scores_that_all_reach_their_ceiling_are_perfect():
    ceilings = np.random.default_rng(9).random(40)
    found = ratio_of_means(ceilings, ceilings, np.repeat(np.arange(8), 5))
    assert (found.value, found.high, found.method) == (pytest.approx(1), pytest.approx(1), EXACT)
    assert found.low == pytest.approx(0.025 ** (1 / 8))


def test_equal_amounts_have_no_interval():
    assert mean_of_one([3.0] * 9, bounds=AMOUNTS) == Estimate(3.0, None, None, 1, 9, NO_INTERVAL)


def test_two_clusters_get_the_wide_interval_of_students_t():
    found = mean_of_clusters([0.4, 0.5, 0.6, 0.7], [0, 0, 1, 1])
    assert found.method == STUDENT
    reach = t.ppf(0.975, 1) * 0.1 / (0.55 * 0.45)
    assert logit([found.low, found.high]) == pytest.approx([logit(0.55) - reach, logit(0.55) + reach])


def test_where_nearly_all_are_perfect_the_few_others_do_not_decide_everything():
    """Plainly studentised, the lower limit would be 0: one draw in twenty misses the three, and has no variance."""
    values = np.ones(1_530)
    values[[0, 500, 1_000]] = 0.8
    found = mean_of_clusters(values, np.repeat(np.arange(153), 10))
    assert found.method == STUDENT
    assert 0.997 < found.low < found.value < found.high < 1


def test_clusters_that_agree_by_chance_are_no_certainty():
    found = mean_of_clusters([0.0, 1.0] * 6, np.repeat(np.arange(6), 2))
    assert (found.value, found.method) == (0.5, PERCENTILE)
    assert 0.1 < found.low < 0.4
    assert found.high == pytest.approx(1 - found.low, abs=0.05)


def test_a_ratio_whose_denominator_is_mostly_nothing_has_no_interval():
    found = ratio_of_means([0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [0, 1, 2])
    assert found.method == EXACT
    found = ratio_of_means([0.5, 0.2, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0, 1, 2, 3])
    assert (found.value, found.low, found.method) == (0.35, None, NO_INTERVAL)


def test_a_measure_without_a_denominator_does_not_spoil_the_others():
    values, codes = sample()
    both = np.column_stack([np.zeros(len(values)), values])
    nothing, found = ratio_of_means_many(both, np.sign(both), codes, **FEW)
    assert nothing == Estimate(None, None, None, 16, 320)
    assert close(found, ratio_of_means(values, np.sign(values), codes, **FEW))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: mean_of_clusters([0.1, float("nan")], [0, 1]), "not a finite number"),
        (lambda: mean_of_clusters([0.1, 0.2], [0]), "a cluster per item"),
        (lambda: mean_of_clusters([[0.1, 0.2]], [0]), "one number per item"),
        (lambda: mean_of_clusters([0.1, 0.2], [0.0, 1.0]), "integers"),
        (lambda: mean_of_items([0.1, 0.2], [1, -1], [0, 1]), "negative"),
        (lambda: mean_of_items([0.1, 0.2], [1], [0, 1]), "do not fit"),
        (lambda: ratio_of_means([0.1, 0.2], [1, math.inf], [0, 1]), "not a finite number"),
    ],
)
def test_what_cannot_be_averaged_is_refused(call, reason):
    with pytest.raises(ValueError, match=reason):
        call()
