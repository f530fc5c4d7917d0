from __future__ import annotations

import statistics
from dataclasses import replace

import pytest

from harness.analysis.aggregation import headline
from harness.analysis.scored_run import read_scored
from harness.analysis.seeds import group
from tests.analysis.made import episodes, scored, write

TASKS = {"A": [{"s": 0.2, "r": 1.0}, {"s": 0.4}], "B": [{"s": 0.9}]}
OTHER = {"A": [{"s": 0.6, "r": 0.0}, {"s": 0.8}], "B": [{"s": 0.3}]}
THIRD = {"A": [{"s": 0.1, "r": 1.0}, {"s": 0.0}], "B": [{"s": 0.6}]}


def seed(number):
    return {"solver_seed": number}


def test_a_single_run_is_a_result_of_itself(tmp_path):
    run = scored(tmp_path, TASKS, {"seed": 7})
    (result,) = group([run])
    assert (result.name, result.runs, result.seeds, result.dropped) == ("a", (run,), (7,), {})
    assert result.instances is run.instances
    assert result.fields is run.fields
    assert result.headlines == pytest.approx((((0.6 + 0.4) / 2 + 0.9) / 2,))
    assert result.between_seeds is None


def test_seeds_of_a_solver_are_one_result_with_means_over_seeds(tmp_path):
    given = [TASKS, OTHER, THIRD]
    runs = [scored(tmp_path / str(each), tasks, seed(each)) for each, tasks in enumerate(given)]
    (result,) = group(runs)
    assert (result.name, result.seeds) == ("a", (0, 1, 2))
    assert list(result.instances["score"]) == pytest.approx([(0.6 + 0.3 + 0.55) / 3, (0.4 + 0.8 + 0.0) / 3, 0.6])
    names = list(zip(result.fields["instance"], result.fields["name"], strict=True))
    assert names == [(0, "s"), (0, "r"), (1, "s"), (2, "s")], "in the order of the page"
    assert list(result.fields["score"]) == pytest.approx([0.3, 2 / 3, 0.4, 0.6])


def test_the_deviation_between_seeds_is_that_of_their_headlines(tmp_path):
    given = [TASKS, OTHER, THIRD]
    runs = [scored(tmp_path / str(each), tasks, seed(each)) for each, tasks in enumerate(given)]
    (result,) = group(runs)
    by_hand = [(0.5 + 0.9) / 2, ((0.3 + 0.8) / 2 + 0.3) / 2, (0.55 / 2 + 0.6) / 2]
    assert result.headlines == pytest.approx(by_hand)
    assert result.between_seeds == pytest.approx(statistics.stdev(by_hand))
    assert headline(result.instances) == pytest.approx(statistics.mean(by_hand))


def test_what_one_seed_lacks_is_left_out_for_all_and_counted(tmp_path):
    first = scored(tmp_path / "0", {**TASKS, "C": [{"s": 1.0}]}, seed(0))
    played = episodes(OTHER)
    played[1] = replace(played[1], outcome="harness_error", fields=(), submission=None)
    second = read_scored(write(tmp_path / "1", played, seed(1)))
    (result,) = group([first, second])
    assert dict(result.dropped) == {"not in seed 1": 1, "harness error in seed 1": 1}
    assert list(result.instances["score"]) == pytest.approx([(0.6 + 0.3) / 2, 0.6])
    assert result.headlines == pytest.approx(((0.6 + 0.9) / 2, 0.3)), "both on what both have"


def test_the_outcome_is_the_worst_of_any_seed(tmp_path):
    played = episodes(OTHER)
    played[0] = replace(played[0], outcome="limit")
    runs = [scored(tmp_path / "0", TASKS, seed(0)), read_scored(write(tmp_path / "1", played, seed(1)))]
    (result,) = group(runs)
    assert list(result.instances["outcome"]) == ["limit", "scored", "scored"]


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ({"options": {"encoding": "full"}}, {"options": {"encoding": "relevant"}}, {}),
        ({"limits": {"max_steps": 10}}, {"limits": {"max_steps": 20}}, {}),
        ({"input": "devtools"}, {"input": "desktop"}, {}),
        ({"solver": "a"}, {"solver": "b"}, {}),
        ({}, {}, {"solver": {"prompts": "other"}}),
        ({}, {}, {"sample": "other"}),
    ],
)
def test_runs_that_differ_in_more_than_the_seed_are_several_results(tmp_path, first, second, values):
    runs = [
        scored(tmp_path / "0", TASKS, {**first, **seed(0)}),
        scored(tmp_path / "1", TASKS, {**second, **seed(1)}, **values),
    ]
    assert len({result.name for result in group(runs)}) == 2


def test_how_a_model_is_called_does_not_tell_results_apart(tmp_path):
    options = [{"model": "m", "concurrency": each, "cache": f"/{each}"} for each in (1, 2)]
    runs = [scored(tmp_path / str(each), TASKS, {"options": options[each], **seed(each)}) for each in (0, 1)]
    assert [result.seeds for result in group(runs)] == [(0, 1)]


def test_a_seed_that_is_there_already_is_a_result_of_its_own(tmp_path):
    runs = [scored(tmp_path / each, TASKS) for each in ("one", "two")]
    assert [result.name for result in group(runs)] == ["a [one]", "a [two]"]
    assert [result.name for result in group([runs[0], runs[0]])] == ["a [one] #1", "a [one] #2"]


def test_names_tell_what_differs(tmp_path):
    runs = [
        scored(tmp_path / "0", TASKS, {"options": {"encoding": "full", "model": "m"}}),
        scored(tmp_path / "1", TASKS, {"options": {"encoding": "relevant", "model": "m"}}),
        scored(tmp_path / "2", TASKS, {"solver": "b"}),
    ]
    assert [result.name for result in group(runs)] == ["m (a, encoding full)", "m (a, encoding relevant)", "b"]


def test_a_run_without_a_score_has_no_headline(tmp_path):
    (result,) = group([scored(tmp_path, {"A": [{}]})])
    assert result.headlines == (None,)
