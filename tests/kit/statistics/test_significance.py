"""Tests of differences against scipy and statsmodels."""

import itertools

import numpy as np
import pytest
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests

from harness.kit.statistics.significance import FLIPS, holm, mcnemar, sign_flip, sign_flip_many


@pytest.mark.parametrize("size", [6, 9, 12])
def test_a_sign_flip_test_is_the_permutation_test_of_scipy(size):
    values = np.random.default_rng(size).normal(0.3, 1, size)
    wanted = permutation_test((values,), np.mean, permutation_type="samples", n_resamples=2**size)
    assert sign_flip(values) == pytest.approx(wanted.pvalue)


@pytest.mark.parametrize("size", [16, 17])
def test_exact_and_drawn_patterns_agree(size):
    values = np.random.default_rng(3).normal(0.4, 1, size)
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    exact = (np.abs(sums) >= abs(values.sum()) - 1e-9).mean()
    assert sign_flip(values) == pytest.approx(exact, abs=1e-12 if size == 16 else 0.004)


def test_sums_that_tie_count_as_ties_however_they_are_rounded():
    tenths = [0.1, 0.2, -0.3, 0.7, 0.6, 0.3, -0.1]
    assert sign_flip(tenths) == sign_flip([round(10 * each) for each in tenths])


def test_p_has_the_least_value_that_the_patterns_allow():
    assert sign_flip([1.0] * 6) == 2 / 2**6
    assert sign_flip([1.0] * 30) == 1 / (FLIPS + 1)


def test_no_difference_at_all_is_no_evidence():
    assert sign_flip([0.0] * 8) == 1.0
    assert sign_flip([0.0] * 20) == 1.0


def test_neither_the_unit_nor_the_order_nor_the_side_matters():
    values = np.random.default_rng(4).normal(0.2, 1, 10)
    assert sign_flip(-100 * values[::-1]) == sign_flip(values)


def test_fewer_than_six_differences_give_no_p():
    assert sign_flip([1.0] * 5) is None
    assert sign_flip([]) is None


def test_equal_seeds_give_equal_patterns():
    values = np.random.default_rng(5).normal(0.1, 1, 40)
    assert sign_flip(values, seed=1) == sign_flip(values, seed=1) != sign_flip(values, seed=2)


def test_many_comparisons_give_what_each_gives_alone():
    values = np.random.default_rng(6).normal(0.1, 1, (20, 3))
    assert sign_flip_many(values) == [sign_flip(column) for column in values.T]


def test_a_difference_that_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="leave out the tasks"):
        sign_flip([0.1, float("nan"), 0.2, 0.1, 0.3, 0.4])


@pytest.mark.parametrize("tasks", [6, 16])
def test_without_a_difference_at_most_six_in_a_hundred_tests_find_one(tasks):
    random = np.random.default_rng(tasks)
    unequal = random.lognormal(0, 1, (tasks, 1_000)) * random.standard_normal((tasks, 1_000))
    found = sum(p <= 0.05 for p in sign_flip_many(unequal))
    assert 10 <= found <= 60


@pytest.mark.parametrize(("a", "b"), [(0, 0), (0, 1), (3, 12), (12, 3), (7, 7), (250, 301)])
def test_mcnemar_is_that_of_statsmodels(a, b):
    wanted = mcnemar_of_statsmodels([[40, a], [b, 9]], exact=True).pvalue
    assert mcnemar(a, b) == pytest.approx(wanted)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


@pytest.mark.slow
def test_holm_is_that_of_statsmodels():
    random = np.random.default_rng(7)
    for size in range(1, 8):
        ps = list(random.random(size) ** 3)
        assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1])


def test_tests_that_were_not_made_do_not_count():
    corrected = holm([None, 0.01, None, 0.04])
    assert corrected == [None, pytest.approx(0.02), None, pytest.approx(0.04)]
    assert holm([None]) == [None]
    assert holm([]) == []


def test_a_corrected_p_is_never_below_a_smaller_ones():
    for ps in itertools.permutations([0.02, 0.021, 0.9]):
        by_p = dict(zip(ps, holm(ps), strict=True))
        assert by_p == pytest.approx({0.02: 0.06, 0.021: 0.06, 0.9: 0.9})
