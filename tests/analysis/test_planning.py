from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from harness.analysis.planning import NoVariance, basis_of_one, basis_of_two, design, required_size, tasks_needed
from harness.analysis.seeds import group
from harness.kit.statistics.sample_size import Components
from tests.analysis.made import scored

TASKS = "ABCDEFGH"


def drawn(seed, instances=5):
    """Scores with a part of the task and a part of the instance, all within 0 and 1."""
    random = np.random.default_rng(seed)
    return {
        name: [{"s": float(level + random.uniform(-0.1, 0.1))} for _ in range(instances)]
        for name, level in zip(TASKS, random.uniform(0.2, 0.8, len(TASKS)), strict=True)
    }


def values(tasks):
    return np.array([[fields["s"] for fields in instances] for instances in tasks.values()])


def by_hand(table):
    """The variances between and within equal groups, by the mean squares of a one-way analysis of variance."""
    groups, size = table.shape
    within = table.var(axis=1, ddof=1).mean()
    between = table.mean(axis=1).var(ddof=1) - within / size
    assert groups == len(TASKS)
    return max(0, between), within


@pytest.fixture
def pair(tmp_path):
    given = drawn(1), drawn(2)
    return given, group([scored(tmp_path / str(n), each, {"solver": f"s{n}"}) for n, each in enumerate(given)])


def test_two_results_give_the_variances_of_their_paired_differences(pair):
    (first, second), made = pair
    basis = basis_of_two(*made, "score")
    between, within = by_hand(values(second) - values(first))
    assert (basis.parts.between, basis.parts.within) == pytest.approx((between, within))
    assert (basis.tasks, basis.instances) == (8, 5)
    total = sum(sum(by_hand(values(each))) for each in (first, second))
    assert basis.correlation == pytest.approx(1 - (between + within) / total)


def test_one_result_gives_those_of_a_difference_from_a_solver_that_goes_with_it_so_far(pair):
    (first, _), made = pair
    between, within = by_hand(values(first))
    half, most = basis_of_one(made[0], "score"), basis_of_one(made[0], "score", 0.9)
    assert (half.parts.between, half.parts.within) == pytest.approx((between, within))
    assert (most.parts.between, most.parts.within) == pytest.approx((0.2 * between, 0.2 * within))


def test_only_the_tasks_of_a_split_count(tmp_path):
    tasks = drawn(3)
    splits = {name: "test" if name in "ABC" else "train" for name in TASKS}
    (result,) = group([scored(tmp_path, tasks, None, splits)])
    assert basis_of_one(result, "score", split="test").tasks == 3
    with pytest.raises(NoVariance, match=r"'dev'; there are: test, train"):
        basis_of_one(result, "score", split="dev")


def test_the_instances_at_hand_are_their_harmonic_mean(tmp_path):
    tasks = {
        name: instances[:size] for (name, instances), size in zip(drawn(4, 8).items(), [1, 2, 4, 8] * 2, strict=True)
    }
    (result,) = group([scored(tmp_path, tasks)])
    assert basis_of_one(result, "score").instances == round(8 / (2 * (1 + 1 / 2 + 1 / 4 + 1 / 8))) == 2


def test_instances_that_one_result_lacks_are_counted(pair, tmp_path):
    (first, _), (made, _) = pair
    (other,) = group([scored(tmp_path / "x", {**first, "A": first["A"][:3]}, {"solver": "x"})])
    with pytest.raises(NoVariance, match="s0 and x score the same everywhere"):
        basis_of_two(made, other, "score")
    (other,) = group([scored(tmp_path / "y", {**drawn(5), "A": first["A"][:3]}, {"solver": "y"})])
    assert basis_of_two(made, other, "score").dropped == {"not in y": 2}


def test_a_result_that_is_the_same_everywhere_tells_nothing(tmp_path):
    (result,) = group([scored(tmp_path, {name: [{"r": 1.0}] * 3 for name in TASKS})])
    with pytest.raises(NoVariance, match="a scores the same everywhere"):
        basis_of_one(result, "score")


def test_one_instance_a_task_tells_nothing_of_either_variance(tmp_path):
    (result,) = group([scored(tmp_path, drawn(1, instances=1))])
    with pytest.raises(NoVariance, match="two tasks, and one with two instances"):
        basis_of_one(result, "score")


def student(between, within, tasks, instances, difference):
    """The power of Student's test on the tasks' means, by statsmodels."""
    return TTestPower().power(difference / math.sqrt(between + within / instances), tasks, 0.05)


def test_the_instances_needed_are_the_fewest_with_the_power_asked_for(pair):
    basis = basis_of_two(*pair[1], "score")
    between, within = 0.001, 0.09
    basis = type(basis)(Components(between, within, 8, 5), 0.5, 8, 5, {})
    made = required_size(basis, 0.1)
    assert (
        student(between, within, 8, made.like_these, 0.1) >= 0.8 > student(between, within, 8, made.like_these - 1, 0.1)
    )
    assert student(between, within, made.tasks, 5, 0.1) >= 0.8 > student(between, within, made.tasks - 1, 5, 0.1)
    assert made.these_tasks < made.like_these


def test_where_tasks_differ_too_much_no_number_of_instances_suffices_and_more_tasks_do(pair):
    basis = basis_of_two(*pair[1], "score")
    made = required_size(basis, 0.01)
    assert made.like_these is None
    assert made.these_tasks is not None
    assert made.tasks > 1000


def test_no_test_has_fewer_than_six_tasks():
    parts = Components(1e-9, 1e-9, 4, 5)
    assert tasks_needed(parts, 0.5, 5) == 6
    few = design(parts, 5, 20)
    assert few.like_these is None
    assert few.these_tasks is not None
    assert design(parts, 20, 1).these_tasks is None


def test_more_tasks_than_there_can_be_are_none():
    assert tasks_needed(Components(1.0, 1.0, 4, 5), 1e-5, 5) is None


def test_the_smallest_difference_of_a_design_is_found_with_the_power_asked_for():
    made = design(Components(0.01, 0.09, 10, 10), 20, 20)
    deviation = math.sqrt(0.01 + 0.09 / 20)
    by_student = TTestPower().solve_power(None, nobs=20, alpha=0.05, power=0.8) * deviation
    assert made.like_these == pytest.approx(by_student, rel=1e-4)
    assert made.these_tasks < made.like_these
