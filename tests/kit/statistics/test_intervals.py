"""Each interval against scipy or statsmodels, or a loop where neither has it."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit
from scipy.stats import binomtest, bootstrap, norm, t
from statsmodels.stats.proportion import proportion_confint

from harness.kit.statistics.intervals import (
    bca,
    is_steady,
    order_statistic,
    percentile,
    student_t,
    studentised,
    without_variance,
)

VALUES = np.random.default_rng(1).beta(3, 1, 25)
SCIPY = {
    method: bootstrap((VALUES,), np.mean, n_resamples=9_999, method=method, rng=np.random.default_rng(2))
    for method in ("percentile", "BCa")
}


def limits(result):
    return pytest.approx((result.confidence_interval.low, result.confidence_interval.high), abs=2e-4)


def test_percentiles_are_those_of_scipy():
    assert percentile(SCIPY["percentile"].bootstrap_distribution, 0.95) == limits(SCIPY["percentile"])


def test_bca_limits_are_those_of_scipy():
    left_out = (VALUES.sum() - VALUES) / (len(VALUES) - 1)
    found = bca(SCIPY["BCa"].bootstrap_distribution, VALUES.mean(), left_out, 0.95)
    assert found == limits(SCIPY["BCa"])
    assert found != limits(SCIPY["percentile"])


def test_studentised_draws_of_a_normal_mean_give_the_interval_of_student():
    """Drawn from the normal distribution itself, R* - R over its error is Student's t."""
    random = np.random.default_rng(3)
    drawn = random.standard_normal((60_000, 8))
    found = studentised(drawn.mean(axis=1), drawn.std(axis=1, ddof=1) / np.sqrt(8), 0.3, 0.05, 0.95)
    assert found == pytest.approx(t.interval(0.95, 7, loc=0.3, scale=0.05), abs=0.004)


def test_a_long_tail_of_draws_below_moves_the_upper_limit():
    shifts = np.concatenate([np.full(50, -0.2), np.full(950, 0.01)])
    low, high = studentised(shifts, np.full(1_000, 0.05), 0.5, 0.05, 0.95)
    assert (low, high) == pytest.approx((0.49, 0.7))


def test_a_draw_without_variance_that_misses_the_value_makes_a_limit_infinite():
    shifts, errors = np.full(1_000, 0.01), np.full(1_000, 0.05)
    errors[:30] = 0.0
    assert studentised(shifts, errors, 0.5, 0.05, 0.95) == (-np.inf, pytest.approx(0.49))


def test_a_draw_without_variance_that_hits_the_value_is_no_distance_away():
    assert studentised(np.zeros(1_000), np.zeros(1_000), 0.5, 0.05, 0.95) == (0.5, 0.5)


@pytest.mark.parametrize(("tiny", "steady"), [(5, True), (6, False)])
def test_draws_are_steady_as_long_as_one_in_two_hundred_has_too_small_an_error(tiny, steady):
    errors = np.full(1_000, 0.04)
    errors[:tiny] = 0.009
    assert is_steady(errors, 0.04, 0.95) is steady


def test_between_two_bounds_students_interval_is_that_of_a_logistic_regression():
    right = np.repeat([1.0, 0.0], [17, 3])
    fit = sm.GLM(right, np.ones(20), family=sm.families.Binomial()).fit()
    error = np.sqrt(0.85 * 0.15 / 20)
    assert student_t(0.85, error, 10**9, (0, 1), 0.95) == pytest.approx(expit(fit.conf_int()[0]), rel=1e-5)


def test_bounds_shift_and_stretch_the_interval():
    low, high = student_t(0.85, 0.05, 9, (0, 1), 0.95)
    assert student_t(0.7, 0.1, 9, (-1, 1), 0.95) == pytest.approx((2 * low - 1, 2 * high - 1))


def test_above_a_lower_bound_the_interval_is_symmetrical_in_the_logarithm():
    fit = sm.GLM([1.0, 2.0, 6.0], np.ones(3), family=sm.families.Gamma(sm.families.links.Log())).fit()
    low, high = student_t(3.0, 3.0 * fit.bse[0], 10**9, (0, np.inf), 0.95)
    assert (low, high) == pytest.approx(np.exp(fit.conf_int()[0]))


def test_an_enormous_error_overflows_no_limit():
    low, high = student_t(3.0, 1e6, 2, (0, np.inf), 0.95)
    assert 0 <= low < 1e-200
    assert 1e200 < high < np.inf


def test_without_bounds_the_interval_is_students():
    assert student_t(3.0, 0.5, 4, (-np.inf, np.inf), 0.9) == pytest.approx(t.interval(0.9, 4, loc=3.0, scale=0.5))


@pytest.mark.parametrize("units", [2, 16, 100])
def test_without_variance_at_a_bound_limits_are_those_of_clopper_and_pearson(units):
    exact = binomtest(units, units).proportion_ci(0.95, method="exact")
    assert without_variance(1.0, (0, 1), units, 0.95) == pytest.approx((exact.low, exact.high))
    assert without_variance(0.0, (0, 1), units, 0.95) == pytest.approx(
        proportion_confint(0, units, 0.05, method="beta")
    )


def test_without_variance_between_the_bounds_the_rest_may_lie_anywhere():
    rest = 1 - 0.025 ** (1 / 16)
    assert without_variance(0.25, (-1, 1), 16, 0.95) == pytest.approx((0.25 - rest * 1.25, 0.25 + rest * 0.75))


@pytest.mark.parametrize(("share", "wanted"), [(0.025, 25.0), (0.5, 500.0), (0.975, 975.0), (0.0, 1.0), (1.0, 999.0)])
def test_an_order_statistic_is_one_of_the_values(share, wanted):
    values = np.random.default_rng(4).permutation(np.arange(1.0, 1_000.0))
    assert order_statistic(values, share) == wanted


def test_bca_without_bias_or_skewness_is_the_percentile_interval():
    ratios = norm.ppf((np.arange(9_999) + 0.5) / 9_999)
    assert bca(ratios, 0.0, np.array([-1.0, 1.0]), 0.95) == pytest.approx(percentile(ratios, 0.95), abs=1e-3)
