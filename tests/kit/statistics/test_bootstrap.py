"""The standard error against statsmodels, the draws against a bootstrap that is written out as loops."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import ks_2samp, sem

from harness.kit.statistics.bootstrap import Sample, linearised_error, resample, resample_alike


def clustered(sizes=(3, 8, 5, 12, 1, 6), seed=1):
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    values = random.beta(2, 1, len(sizes))[codes] * random.random(len(codes))
    return values, codes


def errors(sample):
    return linearised_error(*sample.totals())


def column(values):
    return np.asarray(values, dtype=float)[:, None]


def test_the_error_of_a_mean_over_clusters_is_that_of_the_mean_of_their_means():
    values, codes = clustered()
    means = [values[codes == code].mean() for code in range(6)]
    sample = Sample.means(column(values), np.ones((len(values), 1)), codes)
    assert errors(sample)[0] == pytest.approx(sem(means))


def test_the_error_of_a_mean_over_items_is_the_cluster_robust_one_of_a_regression():
    values, codes = clustered()
    sample = Sample.sums(column(values), np.ones((len(values), 1)), codes)
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": codes})
    assert sample.ratio() == pytest.approx(fit.params[0])
    assert errors(sample)[0] == pytest.approx(fit.bse[0])


def test_the_error_of_a_ratio_is_that_of_a_weighted_regression():
    random = np.random.default_rng(2)
    y, x = random.random(30), 0.5 + random.random(30)
    sample = Sample.means(column(y), column(x), np.arange(30))
    fit = sm.WLS(y / x, np.ones(30), weights=x).fit(cov_type="HC1")
    assert sample.ratio() == pytest.approx(fit.params[0])
    assert errors(sample)[0] == pytest.approx(fit.bse[0])


def looped(values, codes, draws, random):
    """Shift and standard error of the mean over clusters, draw by draw."""
    groups = [values[codes == code] for code in np.unique(codes)]
    value = np.mean([group.mean() for group in groups])
    found = []
    for _ in range(draws):
        drawn = [groups[place] for place in random.integers(0, len(groups), len(groups))]
        means = [group[random.integers(0, len(group), len(group))].mean() for group in drawn]
        found.append((np.mean(means) - value, sem(means)))
    return np.array(found)


def test_draws_are_spread_like_those_of_a_loop():
    values, codes = clustered()
    draws = resample(Sample.means(column(values), np.ones((len(values), 1)), codes), 3_000, seed=3)
    wanted = looped(values, codes, 3_000, np.random.default_rng(4))
    for found, expected in zip((draws.shifts[:, 0], draws.errors[:, 0]), wanted.T, strict=True):
        assert ks_2samp(found, expected).statistic < 0.04
    assert np.corrcoef(draws.shifts[:, 0], draws.errors[:, 0])[0, 1] == pytest.approx(
        np.corrcoef(*wanted.T)[0, 1], abs=0.04
    )


def test_the_variance_of_draws_is_that_between_clusters_and_that_within_over_the_items():
    values, codes = clustered(sizes=(10,) * 20)
    groups = values.reshape(20, 10)
    exact = (groups.mean(axis=1).var() + groups.var(axis=1).mean() / 10) / 20
    draws = resample(Sample.means(column(values), np.ones((200, 1)), codes), 20_000, seed=5)
    assert draws.shifts.var() == pytest.approx(exact, rel=0.04)


def test_clusters_of_one_item_are_resampled_like_any_other():
    """Five equal items are as good as one, and take the other way through the code."""
    values = np.random.default_rng(6).random(12)
    alone = resample(Sample.means(column(values), np.ones((12, 1)), np.arange(12)), 20_000, seed=7)
    fives = Sample.means(column(np.repeat(values, 5)), np.ones((60, 1)), np.repeat(np.arange(12), 5))
    together = resample(fives, 20_000, seed=7)
    assert together.shifts == pytest.approx(alone.shifts, abs=1e-12)
    assert together.errors == pytest.approx(alone.errors, abs=1e-7)


def test_measures_share_their_draws():
    values, codes = clustered()
    both = np.column_stack([values, 3 * values + 1])
    draws = resample(Sample.means(both, np.ones((len(values), 1)), codes), 500, seed=8)
    assert draws.shifts[:, 1] == pytest.approx(3 * draws.shifts[:, 0])
    assert draws.errors[:, 1] == pytest.approx(3 * draws.errors[:, 0])


def test_samples_of_clusters_of_the_same_sizes_share_their_draws_and_give_what_each_gives_alone():
    values, codes = clustered()
    ones = np.ones((len(values), 1))
    samples = [
        Sample.means(column(values), ones, codes),
        Sample.sums(np.column_stack([values, 1 - values]), ones, codes),
    ]
    for together, sample in zip(resample_alike(samples, 500, seed=9), samples, strict=True):
        alone = resample(sample, 500, seed=9)
        assert together.shifts == pytest.approx(alone.shifts, abs=1e-12)
        assert together.errors == pytest.approx(alone.errors, abs=1e-12)


def test_samples_of_other_sizes_are_not_resampled_together():
    samples = [
        Sample.means(column(values), np.ones((len(values), 1)), codes)
        for values, codes in (clustered(), clustered(sizes=(3, 8, 5)))
    ]
    with pytest.raises(ValueError, match="same sizes"):
        resample_alike(samples, 10, seed=0)


def test_the_order_of_items_decides_nothing_about_their_clusters():
    values, codes = clustered()
    order = np.random.default_rng(9).permutation(len(values))
    sample = Sample.sums(column(values[order]), np.ones((len(values), 1)), codes[order])
    totals = np.bincount(codes, weights=values)
    assert sample.totals()[0][:, 0] == pytest.approx(totals)
    assert sample.totals()[1][:, 0] == pytest.approx(np.bincount(codes))


def test_draws_without_a_denominator_are_marked():
    y, x = column([1.0, 0.0, 0.0]), column([2.0, 0.0, 0.0])
    draws = resample(Sample.sums(y, x, np.arange(3)), 4_000, seed=10)
    assert np.isnan(draws.shifts).mean() == pytest.approx((2 / 3) ** 3, abs=0.03)
