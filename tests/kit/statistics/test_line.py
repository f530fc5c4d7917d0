from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import linregress, t

from harness.kit.statistics.estimate import NO_INTERVAL
from harness.kit.statistics.jackknife import JACKKNIFE
from harness.kit.statistics.line import fit_line


def drawn(seed, clusters=12, slope=0.0):
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(clusters), random.integers(1, 6, clusters))
    x = random.normal(size=clusters)[codes] + 0.3 * random.normal(size=len(codes))
    y = slope * x + random.normal(size=clusters)[codes] + random.normal(size=len(codes))
    return x, y, codes


def test_four_points_by_hand():
    fit = fit_line([0, 1, 2, 3], [1, 1, 3, 3], [0, 1, 2, 3])
    # Means 1.5 and 2; the sum of products is 4, that of squares 5.
    assert fit.slope.value == pytest.approx(0.8)
    assert fit.intercept == pytest.approx(0.8)
    # Without each point in turn: (1, 1), (2, 3), (3, 3) and so on.
    assert list(fit.slope_without) == pytest.approx([1.0, 5 / 7, 5 / 7, 1.0])
    error = np.sqrt(3 / 4 * (2 * 0.2**2 + 2 * (0.8 - 5 / 7) ** 2))
    assert fit.slope.high - 0.8 == pytest.approx(t.ppf(0.975, 2) * error)
    assert (fit.slope.clusters, fit.slope.items, fit.slope.method) == (4, 4, JACKKNIFE)


def test_one_item_a_cluster_is_the_common_line():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 30))
    fit = fit_line(x, y, np.arange(30))
    known = linregress(x, y)
    assert fit.slope.value == pytest.approx(known.slope)
    assert fit.intercept == pytest.approx(known.intercept)
    # What leaving one out changes is a residual over one less its leverage.
    model = sm.OLS(y, sm.add_constant(x)).fit()
    influence = model.get_influence()
    changed = np.array(fit.slope_without) - known.slope
    assert changed == pytest.approx(-influence.dfbeta[:, 1])


def test_clusters_weigh_alike_however_many_items_they_have():
    x, y, codes = drawn(2)
    weights = 1 / np.bincount(codes)[codes]
    known = sm.WLS(y, sm.add_constant(x), weights=weights).fit().params
    fit = fit_line(x, y, codes)
    assert [fit.intercept, fit.slope.value] == pytest.approx(list(known))
    for place in range(3):
        rest = codes != place
        without = sm.WLS(y[rest], sm.add_constant(x[rest]), weights=weights[rest]).fit().params
        assert [fit.intercept_without[place], fit.slope_without[place]] == pytest.approx(list(without))


def test_far_from_zero_the_digits_stay():
    x, y, codes = drawn(3)
    near, far = fit_line(x, y, codes), fit_line(x + 1e6, y, codes)
    assert far.slope.value == pytest.approx(near.slope.value, rel=1e-6)
    assert far.at([1e6]) == pytest.approx(near.at([0.0]), rel=1e-6)


def test_the_band_is_narrowest_in_the_middle_and_holds_the_line():
    x, y, codes = drawn(4)
    fit = fit_line(x, y, codes)
    places = np.array([x.mean() - 3, x.mean(), x.mean() + 3])
    low, high = fit.band(places)
    assert (low < fit.at(places)).all()
    assert (fit.at(places) < high).all()
    assert (high - low).argmin() == 1


def test_the_interval_holds_the_slope_as_often_as_it_says_also_with_few_clusters():
    for clusters in (6, 20):
        held = 0
        for seed in range(1_000):
            slope = fit_line(*drawn(seed, clusters, slope=0.7)).slope
            held += slope.low <= 0.7 <= slope.high
        # 95 % of 1,000, with a standard error of 0.7 points.
        assert held / 1_000 > 0.92, clusters


@pytest.mark.parametrize(
    ("x", "y", "clusters"),
    [
        ([0.0, 1.0, 2.0], [0.0, 1.0, 1.0], [0, 1, 2]),  # one degree of freedom
        ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0, 1, 2, 3]),  # no scatter
        ([1.0, 1.0, 1.0, 5.0], [0.0, 1.0, 0.0, 3.0], [0, 1, 2, 3]),  # without the last no x differs
    ],
)
def test_where_the_data_allow_no_limits_there_are_none(x, y, clusters):
    fit = fit_line(x, y, clusters)
    assert fit.slope.value is not None
    assert (fit.slope.low, fit.slope.high, fit.slope.method) == (None, None, NO_INTERVAL)
    assert fit.band([1.0]) is None


def test_without_a_difference_in_x_there_is_no_line():
    assert fit_line([2.0, 2.0], [0.0, 1.0], [0, 1]) is None
    assert fit_line([], [], np.array([], dtype=int)) is None


@pytest.mark.parametrize(("x", "y", "clusters"), [([1.0], [1.0, 2.0], [0]), ([np.nan], [1.0], [0])])
def test_arrays_that_do_not_fit_are_refused(x, y, clusters):
    with pytest.raises(ValueError, match=r"needed|finite"):
        fit_line(x, y, clusters)
