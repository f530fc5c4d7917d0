from __future__ import annotations

import numpy as np
import pytest

from harness.analysis.aggregation import headline
from harness.analysis.comparison import NothingShared
from harness.analysis.hybrid import NoHybrid, make_hybrid
from harness.analysis.seeds import group
from harness.kit.statistics.significance import sign_flip
from tests.analysis.made import scored

FEW = {"draws": 200}
RADIO, SLIDER = [{"r": 1.0, "s": 0.0}], [{"r": 0.0, "s": 1.0}]


def results(folder, *given, **config):
    return group([scored(folder / str(n), tasks, {"solver": f"s{n}", **config}) for n, tasks in enumerate(given)])


def noise(seed, tasks=12, kinds=("r", "s")):
    random = np.random.default_rng(seed)
    return {
        f"T{place:02}": [{kind: float(random.random() < 0.5) for kind in kinds} for _ in range(1 + place % 3)]
        for place in range(tasks)
    }


def test_results_that_are_each_best_at_a_kind_make_a_hybrid_that_is_best_at_both(tmp_path):
    made = make_hybrid(results(tmp_path, dict.fromkeys("ABCDEF", RADIO), dict.fromkeys("ABCDEF", SLIDER)), **FEW)
    assert [made.hybrid.value, made.single.value, made.difference.value] == [1.0, 0.5, 0.5]
    assert [each.value for each in made.scores] == [0.5, 0.5]
    assert [(each.kind, each.chosen, each.times) for each in made.kinds] == [
        ("radio", "s0", {"s0": 6}),
        ("range", "s1", {"s1": 6}),
    ]
    assert [each.means for each in made.kinds] == [(1.0, 0.0), (0.0, 1.0)]
    # All six tasks alike: 2 of 2^6 patterns of signs.
    assert made.p == pytest.approx(2 / 64)


def test_a_task_is_not_scored_by_what_is_best_on_itself(tmp_path):
    lucky_in_a = {"A": [{"r": 1.0}], "B": [{"r": 0.0}], "C": [{"r": 0.0}]}
    lucky_in_b = {"A": [{"r": 0.0}], "B": [{"r": 1.0}], "C": [{"r": 0.0}]}
    made = make_hybrid(results(tmp_path, lucky_in_a, lucky_in_b), **FEW)
    # Without A the second is ahead, without B the first, and both have nothing there. Without C they are equal.
    assert made.hybrid.value == 0.0
    assert made.single.value == 0.0
    assert made.kinds[0].times == {"s0": 2, "s1": 1}
    # Of equal ones the first, which has one task of three.
    assert made.hybrid_optimistic.value == pytest.approx(1 / 3)
    assert (made.best, made.single_optimistic.value) == ("s0", pytest.approx(1 / 3))
    assert made.difference_from_best.value == pytest.approx(-1 / 3)
    assert made.p is None


def test_a_kind_that_no_other_task_has_is_answered_by_the_single_best_of_the_others(tmp_path):
    first = {"A": [{"r": 1.0}], "B": [{"r": 1.0}], "C": [{"s": 0.0}]}
    second = {"A": [{"r": 0.0}], "B": [{"r": 0.0}], "C": [{"s": 1.0}]}
    made = make_hybrid(results(tmp_path, first, second), **FEW)
    assert made.hybrid.value == pytest.approx(2 / 3)
    assert made.hybrid_optimistic.value == 1.0
    (slider,) = [each for each in made.kinds if each.kind == "range"]
    assert (slider.chosen, slider.times, slider.tasks) == ("s1", {"s0": 1}, 1)


def test_the_choice_weighs_fields_as_the_headline_does(tmp_path):
    """A task with many instances and a page with many fields have no more say than others."""
    many = [{f"r{place}": 1.0 for place in range(4)}] * 5
    none = [{f"r{place}": 0.0 for place in range(4)}] * 5
    right, wrong = [{"r": 1.0}], [{"r": 0.0}]
    first = {"A": many, "B": wrong, "C": wrong, "D": right}
    second = {"A": none, "B": right, "C": right, "D": right}
    made = make_hybrid(results(tmp_path, first, second), **FEW)
    assert made.kinds[0].means == (pytest.approx(21 / 23), pytest.approx(3 / 23))
    assert made.kinds[0].chosen == made.best == "s1"


@pytest.mark.parametrize("seed", range(5))
def test_chosen_on_the_same_tasks_the_hybrid_is_never_below_a_single_result(tmp_path, seed):
    given = results(tmp_path, *(noise(10 * seed + place) for place in range(4)))
    made = make_hybrid(given, **FEW)
    headlines = [headline(result.instances) for result in given]
    assert [each.value for each in made.scores] == pytest.approx(headlines)
    assert made.single_optimistic.value == pytest.approx(max(headlines))
    assert made.hybrid_optimistic.value >= max(headlines) - 1e-12


@pytest.mark.slow
def test_among_equals_choosing_seems_to_gain_and_cross_fitted_it_does_not(tmp_path):
    made = [
        make_hybrid(results(tmp_path / str(seed), *(noise(100 * seed + place) for place in range(4))), draws=2)
        for seed in range(40)
    ]
    true = 0.5
    gains = np.array([[each.hybrid_optimistic.value - true, each.hybrid.value - true] for each in made])
    means, errors = gains.mean(axis=0), gains.std(axis=0, ddof=1) / np.sqrt(len(made))
    assert means[0] > 5 * errors[0]
    assert abs(means[1]) < 3 * errors[1]


def test_the_interval_and_p_are_of_the_differences_of_tasks(tmp_path):
    given = results(tmp_path, noise(1), noise(2))
    made = make_hybrid(given, **FEW)
    assert made.difference.clusters == 12
    assert made.difference.low <= made.difference.value <= made.difference.high
    assert made.difference.value == pytest.approx(made.hybrid.value - made.single.value)
    alone = make_hybrid(results(tmp_path / "same", noise(1), noise(1)), **FEW)
    assert (alone.difference.value, alone.p) == (0.0, sign_flip([0.0] * 12))


def test_only_instances_that_all_have_count_and_the_others_are_counted(tmp_path):
    short = {task: instances[:1] for task, instances in noise(1).items()}
    made = make_hybrid(results(tmp_path, noise(1), noise(2), short), **FEW)
    assert made.hybrid.items == 12
    assert dict(made.dropped) == {"not in s2": 12}


def test_under_the_rules_of_the_original_sliders_count_as_they_do_there(tmp_path):
    tasks = {name: [{"r": float(place % 2), "s": 0.0}] for place, name in enumerate("ABCD")}
    made = make_hybrid(results(tmp_path, tasks, noise(3, kinds=("r",)) | tasks, metrics="turkingbench-2024"), **FEW)
    # Half of each instance is the slider, which counts as 1 whatever it is; half of the radio buttons are right.
    assert made.scores[0].value == pytest.approx(0.75)
    assert made.hybrid.value == pytest.approx(0.75)
    assert made.kinds[1].means == (0.0, 0.0)


@pytest.mark.parametrize(
    ("second", "config", "error", "said"),
    [
        ({"Z": RADIO}, {}, NothingShared, "no scored instance in common: 2 not in s1, 1 not in s0"),
        ({"A": RADIO}, {}, NoHybrid, "one task is all"),
        ({"A": RADIO, "B": RADIO}, {"metrics": "turkingbench-2024"}, NoHybrid, "different profiles"),
    ],
)
def test_what_cannot_be_put_together_is_refused(tmp_path, second, config, error, said):
    runs = [
        scored(tmp_path / "0", {"A": RADIO, "B": RADIO}, {"solver": "s0"}),
        scored(tmp_path / "1", second, {"solver": "s1", **config}),
    ]
    with pytest.raises(error, match=said):
        make_hybrid(group(runs), **FEW)
