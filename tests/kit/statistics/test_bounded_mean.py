from __future__ import annotations

import pytest
from scipy.stats import binom, binomtest

from harness.kit.statistics.bounded_mean import bounded_mean

DIFFERENCES = (-1.0, 1.0)


@pytest.mark.parametrize(("right", "size"), [(27, 30), (5, 9), (0, 12), (12, 12)])
def test_of_zeros_and_ones_it_is_the_exact_test(right, size):
    found = bounded_mean([1.0] * right + [0.0] * (size - right), (0.0, 1.0))
    exact = binomtest(right, size, 0.6, alternative="greater").pvalue
    assert found.p_above(0.6) == pytest.approx(exact, abs=0.015)
    interval = binomtest(right, size).proportion_ci()
    assert found.limits(0.95) == pytest.approx((interval.low, interval.high), abs=0.015)


def test_numbers_that_are_all_alike_are_no_certainty():
    assert bounded_mean([0.0] * 30, DIFFERENCES).p_above(-0.1) == pytest.approx(0.9**30, abs=0.01)
    assert bounded_mean([0.0] * 5, DIFFERENCES).p_above(-0.1) > 0.5


@pytest.mark.parametrize("size", [15, 30, 80])
def test_rare_failures_that_did_not_happen_are_not_taken_for_none(size):
    """One of ten fails; all numbers of failures are weighed by how likely they are."""
    false = sum(
        binom.pmf(failures, size, 0.1)
        for failures in range(size // 2)
        if bounded_mean([-1.0] * failures + [0.0] * (size - failures), DIFFERENCES).p_above(-0.1) <= 0.05
    )
    assert false <= 0.055


def test_above_and_below_are_mirrors_of_each_other():
    values = [0.5, -0.2, 0.0, 0.3, -1.0, 0.1]
    found, mirrored = bounded_mean(values, DIFFERENCES), bounded_mean([-each for each in values], DIFFERENCES)
    assert found.p_above(-0.1) == pytest.approx(mirrored.p_below(0.1), abs=0.02)
    assert found.value == pytest.approx(-(mirrored.value or 0.0))


def test_without_numbers_nothing_is_known():
    found = bounded_mean([], DIFFERENCES)
    assert (found.value, found.items, found.p_above(-0.1), found.limits(0.9)) == (None, 0, 1.0, DIFFERENCES)


@pytest.mark.parametrize("values", [[2.0], [float("nan")], [-1.5, 0.0]])
def test_what_is_out_of_bounds_is_refused(values):
    with pytest.raises(ValueError, match="a value is not a number from -1"):
        bounded_mean(values, DIFFERENCES)
