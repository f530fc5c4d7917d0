from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from django.urls import resolve
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from harness.analysis.comparison import LEFT_OUT, NothingShared, compare
from harness.analysis.scored_run import read_scored
from harness.analysis.seeds import group
from harness.kit.statistics.clustered import DIFFERENCES, mean_of_clusters, mean_of_items
from harness.kit.statistics.estimate import NO_INTERVAL
from tests.analysis.made import episodes, scored, write
from tests.samples import episode, record
from turkle_app import urls

TASKS = "ABCDEFGH"
SPLITS = {name: "test" if name in "ABCDEF" else "train" for name in TASKS}
DRAWS = 400


def drawn(seed, better=0.0, tasks=TASKS):
    """Tasks of one to four instances, with a slider and, for every second task, two radio buttons."""
    random = np.random.default_rng(seed)
    made = {}
    for place, task in enumerate(tasks):
        made[task] = []
        for _ in range(1 + place % 4):
            fields = {"s": float(random.uniform(0, 1 - better) + better)}
            if place % 2:
                fields |= {name: float(random.random() < 0.5 + better) for name in ("r1", "r2")}
            made[task].append(fields)
    return made


def results(folder, *given, splits=SPLITS):
    return group([scored(folder / str(n), tasks, {"solver": f"s{n}"}, splits) for n, tasks in enumerate(given)])


def task_means(tasks):
    return {name: np.mean([np.mean(list(each.values())) for each in instances]) for name, instances in tasks.items()}


def flipped(differences):
    """The exact sign-flip test, by scipy."""
    return permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue


@pytest.fixture(scope="module")
def pair():
    return drawn(1), drawn(2, better=0.15)


@pytest.fixture(scope="module")
def comparison(pair, tmp_path_factory):
    (made,) = compare(results(tmp_path_factory.mktemp("runs"), *pair), draws=DRAWS)
    return made


def test_the_difference_is_that_of_the_means_over_tasks(pair, comparison):
    first, second = (task_means(tasks) for tasks in pair)
    overall = comparison.overall
    assert overall.first == pytest.approx(np.mean(list(first.values())))
    assert overall.second == pytest.approx(np.mean(list(second.values())))
    assert overall.difference.value == pytest.approx(overall.second - overall.first)
    assert [each.difference for each in comparison.tasks] == pytest.approx([second[t] - first[t] for t in TASKS])
    assert [(each.name, each.split, each.instances) for each in comparison.tasks] == [
        (name, SPLITS[name], len(pair[0][name])) for name in TASKS
    ]


def test_the_interval_is_of_paired_differences_with_tasks_as_clusters(pair, comparison):
    differences = [
        np.mean(list(second.values())) - np.mean(list(first.values()))
        for name in TASKS
        for first, second in zip(pair[0][name], pair[1][name], strict=True)
    ]
    clusters = [place for place, name in enumerate(TASKS) for _ in pair[0][name]]
    by_hand = mean_of_clusters(differences, clusters, draws=DRAWS, bounds=DIFFERENCES)
    assert asdict(comparison.overall.difference) == pytest.approx(asdict(by_hand))


def test_the_p_value_is_that_of_flipped_signs_of_task_differences(comparison):
    differences = np.array([each.difference for each in comparison.tasks])
    assert comparison.overall.p == pytest.approx(flipped(differences))
    assert comparison.splits["test"].p == pytest.approx(flipped(differences[:6]))


def test_a_split_is_the_mean_over_its_tasks(comparison):
    for split, tasks in (("test", comparison.tasks[:6]), ("train", comparison.tasks[6:])):
        made = comparison.splits[split]
        assert made.difference.value == pytest.approx(np.mean([each.difference for each in tasks]))
        assert (made.difference.clusters, made.difference.items) == (len(tasks), sum(each.instances for each in tasks))


def test_with_fewer_than_six_tasks_there_is_an_interval_and_no_p(comparison):
    train = comparison.splits["train"]
    assert (train.p, train.corrected) == (None, None)
    assert train.difference.low < train.difference.value < train.difference.high
    assert comparison.kinds["radio"].p is None


def test_a_kind_is_the_mean_over_its_fields(pair, comparison):
    sums, counts, clusters = [], [], []
    for place, name in enumerate(TASKS):
        for first, second in zip(pair[0][name], pair[1][name], strict=True):
            radios = [field for field in first if field.startswith("r")]
            if radios:
                sums.append(sum(second[field] - first[field] for field in radios))
                counts.append(len(radios))
                clusters.append(place)
    by_hand = mean_of_items(sums, counts, clusters, draws=DRAWS, bounds=DIFFERENCES)
    radio = comparison.kinds["radio"]
    assert asdict(radio.difference) == pytest.approx(asdict(by_hand))
    assert radio.second - radio.first == pytest.approx(sum(sums) / sum(counts))


def test_the_p_value_of_a_kind_flips_all_fields_of_a_task_together(pair, comparison):
    totals = np.array(
        [sum(b["s"] - a["s"] for a, b in zip(pair[0][name], pair[1][name], strict=True)) for name in TASKS]
    )
    assert comparison.kinds["range"].p == pytest.approx(flipped(totals))


def test_wins_ties_and_losses_are_counted_by_task(tmp_path):
    first = {"A": [{"s": 0.1}, {"s": 0.3}], "B": [{"s": 0.5}], "C": [{"s": 0.7}], "D": [{"s": 0.2}]}
    second = {"A": [{"s": 0.3}, {"s": 0.1}], "B": [{"s": 0.4}], "C": [{"s": 0.8}], "D": [{"s": 0.9}]}
    (made,) = compare(results(tmp_path, first, second), draws=DRAWS)
    assert (made.wins, made.ties, made.losses) == (2, 1, 1), "A is equal but for rounding"


def test_the_other_way_round_every_sign_is_the_other(pair, comparison, tmp_path):
    (made,) = compare(results(tmp_path, *pair[::-1]), draws=DRAWS)
    assert made.overall.difference.value == pytest.approx(-comparison.overall.difference.value)
    assert made.overall.p == comparison.overall.p
    assert (made.wins, made.losses) == (comparison.losses, comparison.wins)
    assert made.right.only_first == comparison.right.only_second


def test_equal_results_differ_by_nothing(tmp_path):
    run = scored(tmp_path / "0", drawn(1))
    (made,) = compare(group([run, run]), draws=DRAWS)
    assert (made.overall.difference.value, made.overall.p, made.ties, made.farthest) == (0, 1, len(TASKS), ())
    assert made.right.p == made.right.p_by_task == 1


def test_right_fields_are_counted_by_mcnemar(pair, comparison):
    fields = [
        (first[field] > 1 - 1e-9, second[field] > 1 - 1e-9)
        for name in TASKS
        for first, second in zip(pair[0][name], pair[1][name], strict=True)
        for field in first
    ]
    right = comparison.right
    table = [[fields.count((a, b)) for b in (True, False)] for a in (True, False)]
    assert [[right.both, right.only_first], [right.only_second, right.neither]] == table
    assert right.only_first
    assert right.only_second
    assert right.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    net = [
        sum((b[field] == 1) - (a[field] == 1) for a, b in zip(pair[0][name], pair[1][name], strict=True) for field in a)
        for name in TASKS
    ]
    assert right.p_by_task == pytest.approx(flipped(np.array(net, dtype=float)))


def test_a_field_is_right_at_its_ceiling_and_left_out_where_that_is_zero(tmp_path):
    spread = {"labels": ("20", "40", "60"), "sent": ("40",)}
    hopeless = {"options": ("yes", "no"), "labels": ("maybe",), "sent": ("yes",)}
    played = [
        episode(record("s", "range", **spread), record("r", "radio", **hopeless), task=name, id=name)
        for name in "ABCDEF"
    ]
    runs = [read_scored(write(tmp_path / each, played, {"solver": each})) for each in "xy"]
    assert runs[0].fields["ceiling"].between(0.1, 0.9).sum() == 6
    (made,) = compare(group(runs), draws=DRAWS)
    assert (made.right.both, made.right.out_of_reach, made.right.neither) == (6, 6, 0)


def test_several_seeds_are_compared_by_their_mean_and_have_no_right_fields(tmp_path):
    given = [drawn(seed) for seed in (1, 2, 3)]
    runs = [scored(tmp_path / str(n), tasks, {"solver_seed": n}) for n, tasks in enumerate(given)]
    other = drawn(4)
    (made,) = compare(group([*runs, scored(tmp_path / "b", other, {"solver": "b"})]), draws=DRAWS)
    mean = np.mean([list(task_means(tasks).values()) for tasks in given])
    assert made.overall.first == pytest.approx(mean)
    assert made.overall.difference.value == pytest.approx(np.mean(list(task_means(other).values())) - mean)
    assert made.right is None


@pytest.mark.slow
def test_every_further_result_is_compared_with_the_first_and_corrected_for_all(tmp_path):
    made = compare(results(tmp_path, drawn(1), drawn(2, 0.1), drawn(3, 0.2), drawn(4, 0.3)), draws=DRAWS)
    assert [(each.first, each.second) for each in made] == [("s0", "s1"), ("s0", "s2"), ("s0", "s3")]
    families = [[each.overall for each in made]]
    families += [
        [row for each in made for row in rows(each).values()] for rows in (lambda c: c.splits, lambda c: c.kinds)
    ]
    for family in families:
        tested = [row for row in family if row.p is not None]
        by_hand = multipletests([row.p for row in tested], method="holm")[1]
        assert [row.corrected for row in tested] == pytest.approx(list(by_hand))
        assert all(row.corrected is None for row in family if row.p is None)
    assert any(row.corrected != row.p for row in families[0])


def test_what_is_left_out_is_counted_by_reason(tmp_path):
    tasks = drawn(1)
    played = episodes(tasks, SPLITS)
    played[0] = replace(played[0], outcome="harness_error", fields=(), submission=None)
    runs = [scored(tmp_path / "0", tasks), read_scored(write(tmp_path / "1", played[:-1], {"solver": "b"}))]
    (made,) = compare(group(runs), draws=DRAWS)
    assert made.dropped == {"harness error in b": 1, "not in b": 1}
    assert made.overall.difference.items == len(played) - 2
    assert len(made.tasks) == len(TASKS) - 1, "the first task has one instance"


def test_results_without_a_common_instance_are_not_compared(tmp_path):
    with pytest.raises(NothingShared, match=r"s0 and s1 have no scored instance in common: 1 not in s1, 1 not in s0"):
        compare(results(tmp_path, {"A": [{"s": 1.0}]}, {"B": [{"s": 1.0}]}))


def test_one_task_has_no_interval(tmp_path):
    (made,) = compare(results(tmp_path, {"A": [{"s": 0.1}, {"s": 0.4}]}, {"A": [{"s": 0.3}, {"s": 0.2}]}))
    assert (made.overall.difference.method, made.overall.difference.low) == (NO_INTERVAL, None)


def test_the_farthest_instances_come_first_with_their_files_and_pages(tmp_path):
    first = {"A": [{"s": 0.0}, {"s": 0.5}], "B? ä": [{"s": 0.0}, {"s": 1.0}, {"s": 0.3}]}
    second = {"A": [{"s": 0.9}, {"s": 0.5}], "B? ä": [{"s": 1.0}, {"s": 0.0}, {"s": 0.4}]}
    (made,) = compare(results(tmp_path, first, second), draws=DRAWS, farthest=3)
    assert [(each.task, each.index) for each in made.farthest] == [("B? ä", 0), ("B? ä", 1), ("A", 0)]
    for each in made.farthest:
        page = resolve(unquote(each.page), urls.__name__)
        assert (page.url_name, page.kwargs) == ("instance", {"name": each.task, "index": each.index})
        for side, (file,) in zip("01", each.episodes, strict=True):
            assert Path(file).is_file()
            assert Path(file).is_relative_to(tmp_path / side)
    assert [each.second - each.first for each in made.farthest] == pytest.approx([1.0, -1.0, 0.9])


def test_of_equally_far_instances_one_of_each_task_comes_first(tmp_path):
    first = {name: [{"r": 0.0}] * 3 for name in "AB"}
    second = {name: [{"r": 1.0}] * 3 for name in "AB"}
    (made,) = compare(results(tmp_path, first, second), draws=DRAWS, farthest=4)
    assert [(each.task, each.index) for each in made.farthest] == [("A", 0), ("B", 0), ("A", 1), ("B", 1)]


def test_beside_workers_both_are_scored_with_each_left_out(tmp_path):
    # Of workers who say yes, yes, no the first two are right among the others, where a tie is right; yes always is.
    vote = {"kind": "radio", "options": ("yes", "no"), "labels": ("yes", "yes", "no")}
    model = [episode(record("r", sent=("yes",), **vote), task=name, id=name) for name in "ABCDEF"]
    alone = {"kind": "radio", "options": ("yes", "no"), "labels": ("yes",)}
    model.append(episode(record("r", sent=("yes",), **alone), task="G", id="G"))
    crowd = [replace(each, answered_by="workers") for each in model]
    runs = [
        read_scored(write(tmp_path / name, played, {"solver": name}), people=True)
        for name, played in (("crowd", crowd), ("model", model))
    ]
    (made,) = compare(group(runs), measure=LEFT_OUT, draws=DRAWS)
    assert (made.overall.first, made.overall.second) == pytest.approx((2 / 3, 1.0))
    assert (made.dropped, made.right) == ({"nothing to score": 1}, None)
    assert made.kinds["radio"].difference.value == pytest.approx(1 / 3)
