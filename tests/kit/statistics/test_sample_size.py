"""Variance components against scipy's analysis of variance, power against statsmodels."""

import numpy as np
import pytest
from scipy.stats import f_oneway
from statsmodels.stats.power import TTestPower

from harness.kit.statistics.sample_size import (
    Components,
    components,
    instances_needed,
    power,
    smallest_difference,
    standard_error,
)

PARTS = Components(between=0.01, within=0.1, clusters=20, per_cluster=20)


def test_components_are_those_of_an_analysis_of_variance():
    random = np.random.default_rng(1)
    groups = random.normal(0, 1, (12, 1)) + random.normal(0, 2, (12, 9))
    found = components(groups.ravel(), np.repeat(np.arange(12), 9))
    assert found.within == pytest.approx(groups.var(axis=1, ddof=1).mean())
    assert found.between == pytest.approx(groups.mean(axis=1).var(ddof=1) - found.within / 9)
    assert (found.clusters, found.per_cluster) == (12, pytest.approx(9))


def test_clusters_of_unequal_size_are_weighted():
    random = np.random.default_rng(2)
    groups = [random.normal(place, 1, size) for place, size in enumerate([2, 5, 9])]
    found = components(np.concatenate(groups), np.repeat([7, 1, 4], [2, 5, 9]))
    size = (16 - (4 + 25 + 81) / 16) / 2
    assert found.per_cluster == pytest.approx(size)
    assert 1 + size * found.between / found.within == pytest.approx(f_oneway(*groups).statistic)


def test_variance_between_clusters_is_never_negative():
    found = components([0.0, 1.0, 0.0, 1.0], [0, 0, 1, 1])
    assert (found.between, found.within) == (0.0, 0.5)


def test_known_components_are_found_again():
    random = np.random.default_rng(3)
    values = random.normal(0, 0.3, (2_000, 1)) + random.normal(0, 0.5, (2_000, 5))
    found = components(values.ravel(), np.repeat(np.arange(2_000), 5))
    assert (found.between, found.within) == pytest.approx((0.09, 0.25), rel=0.06)


@pytest.mark.parametrize(("values", "clusters"), [([1.0, 2.0], [0, 1]), ([1.0, 2.0], [0, 0]), ([1.0, np.nan], [0, 0])])
def test_too_little_data_is_refused(values, clusters):
    with pytest.raises(ValueError, match=r"two tasks|finite"):
        components(values, clusters)


def test_a_difference_of_uncorrelated_solvers_has_twice_the_variance_of_one():
    assert PARTS.of_difference(0.0) == Components(0.02, 0.2, 20, 20)
    assert PARTS.of_difference(0.75) == pytest.approx(Components(0.005, 0.05, 20, 20))
    with pytest.raises(ValueError, match="correlation"):
        PARTS.of_difference(1.5)


def test_the_standard_error_is_that_of_simulated_means():
    random = np.random.default_rng(4)
    tasks = random.normal(0, 0.1, (20_000, 6, 1))
    means = (tasks + random.normal(0, np.sqrt(0.1), (20_000, 6, 4))).mean(axis=(1, 2))
    assert means.std() == pytest.approx(standard_error(PARTS, 6, 4), rel=0.02)
    assert (means - tasks.mean(axis=(1, 2))).std() == pytest.approx(standard_error(PARTS, 6, 4, "fixed"), rel=0.02)


@pytest.mark.parametrize(
    ("tasks", "instances", "difference"), [(20, 20, 0.06), (6, 5, 0.2), (2, 10, 0.5), (50, 1, -0.1)]
)
def test_power_over_random_tasks_is_that_of_a_t_test_of_task_means(tasks, instances, difference):
    spread = np.sqrt(PARTS.between + PARTS.within / instances)
    wanted = TTestPower().power(difference / spread, tasks, 0.05)
    assert power(PARTS, difference, tasks, instances) == pytest.approx(wanted)


def test_power_over_fixed_tasks_leaves_out_how_they_differ():
    wanted = TTestPower().power(0.05 / np.sqrt(0.1), nobs=200, alpha=0.05, df=180)
    assert power(PARTS, 0.05, 20, 10, kind="fixed") == pytest.approx(wanted)


def test_power_is_the_share_of_simulated_comparisons_that_find_the_difference():
    random = np.random.default_rng(5)
    tasks = 0.08 + random.normal(0, 0.1, (10_000, 12, 1))
    means = (tasks + random.normal(0, np.sqrt(0.1), (10_000, 12, 8))).mean(axis=2)
    ratio = means.mean(axis=1) / (means.std(axis=1, ddof=1) / np.sqrt(12))
    assert (np.abs(ratio) > 2.201).mean() == pytest.approx(power(PARTS, 0.08, 12, 8), abs=0.015)


@pytest.mark.parametrize("kind", ["random", "fixed"])
def test_one_instance_less_than_needed_is_too_few(kind):
    needed = instances_needed(PARTS, 0.1, 20, kind=kind)
    assert power(PARTS, 0.1, 20, needed, kind=kind) >= 0.8 > power(PARTS, 0.1, 20, needed - 1, kind=kind)


def test_more_instances_do_not_help_where_too_few_tasks_differ():
    assert instances_needed(PARTS, 0.05, 20) is None
    assert instances_needed(PARTS, 0.05, 20, kind="fixed") == 16


def test_a_difference_of_nothing_cannot_be_shown():
    with pytest.raises(ValueError, match="difference of 0"):
        instances_needed(PARTS, 0.0, 20)


@pytest.mark.parametrize("tasks", [2, 20, 100])
def test_the_smallest_difference_is_the_one_with_the_wanted_power(tasks):
    wanted = TTestPower().solve_power(nobs=tasks, alpha=0.05, power=0.8) * np.sqrt(0.01 + 0.1 / 20)
    assert smallest_difference(PARTS, tasks, 20) == pytest.approx(wanted, rel=1e-4)


def test_without_any_variance_every_difference_shows():
    assert power(Components(0.0, 0.0, 2, 2), 0.01, 5, 5) == 1.0
    assert smallest_difference(Components(0.0, 0.0, 2, 2), 5, 5) == 0.0


@pytest.mark.parametrize(("tasks", "instances", "kind"), [(1, 20, "random"), (20, 1, "fixed")])
def test_a_design_that_cannot_estimate_its_error_is_refused(tasks, instances, kind):
    with pytest.raises(ValueError, match="leave nothing to estimate"):
        power(PARTS, 0.1, tasks, instances, kind=kind)
