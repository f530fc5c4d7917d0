from __future__ import annotations

import pytest

from harness.analysis.seeds import group
from harness.analysis.variation import variations
from harness.kit.statistics.clustered import mean_of_clusters
from tests.analysis.made import ASKED, scored

FEW = {"draws": 200}


def tasks(score):
    return {name: [{"s": score}, {"s": min(1.0, score + 0.1 * place)}] for place, name in enumerate("ABC")}


def results(folder, *asked, scores=(), **values):
    """A result for each, asked so."""
    return group(
        [
            scored(
                folder / str(number),
                tasks(scores[number] if scores else 0.1 * number),
                {"solver": each.pop("solver", "preset"), "options": {**ASKED, **each} if each else {}},
                **values,
            )
            for number, each in enumerate(asked)
        ]
    )


def lines(variation):
    return [[(each.place, each.value) for each in line.variants] for line in variation.lines]


def test_results_that_differ_in_the_demonstrations_alone_are_a_line_in_their_order(tmp_path):
    (variation,) = variations(results(tmp_path, {"demos": 3}, {"demos": 0}, {"demos": 7}), **FEW)
    assert variation.dimension == "demos"
    assert lines(variation) == [[(1, 0), (0, 3), (2, 7)]]
    assert variation.values == (0, 3, 7)
    assert (variation.alone, variation.without) == ((), ())


def test_the_encodings_stand_in_the_order_of_the_documentation(tmp_path):
    found = results(tmp_path, {"encoding": "text"}, {"encoding": "relevant"}, {"encoding": "full"})
    (variation,) = variations(found, **FEW)
    assert lines(variation) == [[(2, "full"), (1, "relevant"), (0, "text")]]


def test_modalities_are_told_by_what_was_shown_and_not_by_a_flag(tmp_path):
    shown = {"screenshot": "viewport", "vision": True}
    found = results(tmp_path, shown, {"vision": True}, {"encoding": "none", **shown})
    (modality,) = variations(found, **FEW)
    assert modality.dimension == "modality"
    assert lines(modality) == [[(1, "text"), (0, "text and picture (viewport)")]]
    assert [(each.variant.value, each.differs) for each in modality.alone] == [("picture (viewport)", ("encoding",))]


def test_presets_budgets_and_how_a_model_is_called_make_no_difference(tmp_path):
    found = results(
        tmp_path, {"demos": 0, "solver": "one", "max_cost": 5}, {"demos": 3, "solver": "two", "concurrency": 9}
    )
    assert lines(variations(found, **FEW)[0]) == [[(0, 0), (1, 3)]]


def test_what_differs_in_more_is_not_joined_and_says_in_what(tmp_path):
    found = results(
        tmp_path,
        {"demos": 0},
        {"demos": 3},
        {"demos": 7, "model": "other", "temperature": 1.0},
        {"demos": 1, "retries": 5},
    )
    variation = variations(found, **FEW)[0]
    assert lines(variation) == [[(0, 0), (1, 3)]]
    assert [(each.variant.place, each.near, set(each.differs)) for each in variation.alone] == [
        (2, 0, {"model", "temperature"}),
        (3, 0, {"retries"}),
    ]


def test_results_of_other_instances_are_not_joined(tmp_path):
    here = results(tmp_path / "here", {"demos": 0})
    there = results(tmp_path / "there", {"demos": 3}, sample="other")
    (variation,) = variations([*here, *there], **FEW)
    assert variation.lines == ()
    assert [each.differs for each in variation.alone] == [("comparability id",), ("comparability id",)]
    assert variation.values == (0, 3)


def test_a_repetition_does_not_stand_twice_in_a_line(tmp_path):
    found = results(tmp_path, {"demos": 0}, {"demos": 3}, {"demos": 3})
    (variation,) = variations(found, **FEW)
    assert lines(variation) == [[(0, 0), (1, 3)]]
    assert [(each.variant.place, each.near, each.differs) for each in variation.alone] == [(2, 0, ())]


def test_two_lines_have_names_that_tell_them_apart(tmp_path):
    asked = [{"demos": demos, "model": model, "retries": 1} for model in ("big", "small") for demos in (0, 3)]
    asked += [{"demos": demos, "model": "big", "retries": 2} for demos in (0, 3)]
    variation = variations(results(tmp_path, *asked), **FEW)[0]
    assert [line.name for line in variation.lines] == [
        "big (preset, retries 1)",
        "small (preset)",
        "big (preset, retries 2)",
    ]


def test_solvers_that_ask_nobody_have_nothing_of_it(tmp_path):
    variation = variations(results(tmp_path, {"demos": 0}, {"demos": 3}, {}), **FEW)[0]
    assert variation.without == (2,)


def test_where_nothing_differs_there_is_no_variation(tmp_path):
    assert variations(results(tmp_path, {"demos": 3}, {"demos": 3, "model": "other"}), **FEW) == []
    assert variations(results(tmp_path / "other", {}, {}), **FEW) == []


def test_differences_are_paired_and_from_the_first_of_the_line(tmp_path):
    (variation,) = variations(results(tmp_path, {"demos": 0}, {"demos": 3}, scores=(0.2, 0.5)), **FEW)
    first, second = variation.lines[0].variants
    assert first.from_first is None
    # Each instance is better by the same, wherever it is: paired, nothing is left to chance.
    assert second.from_first.value == pytest.approx(0.3)
    assert second.from_first.low == pytest.approx(mean_of_clusters([0.3] * 6, [0, 0, 1, 1, 2, 2], bounds=(-1, 1)).low)
    assert {task: each.value for task, each in variation.lines[0].by_task.items()} == pytest.approx(
        {"A": 0.3, "B": 0.3, "C": 0.3}
    )


def test_tasks_come_from_the_largest_gain_to_the_largest_loss(tmp_path):
    runs = [
        scored(
            tmp_path / name, {task: [{"s": score}] for task, score in scores.items()}, {"options": {**ASKED, **more}}
        )
        for name, scores, more in (
            ("text", {"A": 0.5, "B": 0.5, "C": 0.5}, {}),
            ("seen", {"A": 0.4, "B": 0.9, "C": 0.6}, {"screenshot": "full"}),
        )
    ]
    (variation,) = variations(group(runs), **FEW)
    assert list(variation.lines[0].by_task) == ["B", "C", "A"]
