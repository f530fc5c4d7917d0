from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa as known_kappa

from harness.kit.statistics.estimate import NO_INTERVAL
from harness.kit.statistics.jackknife import JACKKNIFE, cohens_kappa


def table(both, only_first, only_second, neither):
    """Categories of two judges, who say yes or no."""
    counts = ((1, 1, both), (1, 0, only_first), (0, 1, only_second), (0, 0, neither))
    pairs = [(one, two) for one, two, count in counts for _ in range(count)]
    return np.array(pairs).T


def known(first, second):
    """By statsmodels."""
    counts = np.zeros((4, 4))
    np.add.at(counts, (first, second), 1)
    return known_kappa(counts).kappa


def test_the_example_of_textbooks_by_hand():
    first, second = table(20, 5, 10, 15)
    # p_o is 35 / 50, p_e is 0.5 * 0.6 + 0.5 * 0.4.
    found = cohens_kappa(first, second, np.arange(50) // 5)
    assert found.value == pytest.approx((0.7 - 0.5) / 0.5)
    assert (found.clusters, found.items, found.method) == (10, 50, JACKKNIFE)
    assert -1 <= found.low < found.value < found.high <= 1


def test_it_is_that_of_others_for_several_categories():
    random = np.random.default_rng(1)
    first = random.integers(0, 4, 200)
    second = np.where(random.random(200) < 0.6, first, random.integers(0, 4, 200))
    clusters = random.integers(0, 20, 200)
    found = cohens_kappa(first, second, clusters)
    assert found.value == pytest.approx(known(first, second))
    without = [known(first[clusters != each], second[clusters != each]) for each in range(20)]
    error = np.sqrt(19 / 20 * ((np.array(without) - found.value) ** 2).sum())
    # The logit of the place between -1 and 1 takes the error over by its derivative: near the middle it is the same.
    assert (found.high - found.low) / 2 == pytest.approx(2.093 * error, rel=0.02)


def test_fields_of_one_task_that_go_together_make_it_less_sure():
    first, second = table(40, 10, 10, 40)
    alone = cohens_kappa(first, second, np.arange(100))
    together = cohens_kappa(first, second, np.arange(100) // 5)
    assert alone.value == together.value
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_full_agreement_claims_no_certainty():
    first, second = table(10, 0, 0, 10)
    found = cohens_kappa(first, second, np.arange(20))
    assert (found.value, found.low, found.method) == (1.0, None, NO_INTERVAL)


def test_where_chance_would_do_the_same_there_is_no_value():
    first, second = table(10, 0, 0, 0)
    assert cohens_kappa(first, second, np.arange(10)).value is None
    assert cohens_kappa([], [], []).value is None


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="needed"):
        cohens_kappa([0, 1], [0], [0, 1])
