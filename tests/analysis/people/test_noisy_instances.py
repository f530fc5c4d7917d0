from __future__ import annotations

import numpy as np
import pytest

from harness.analysis.people.ballots import Ballots
from harness.analysis.people.noisy_instances import MIN_INSTANCES, noisy_instances
from harness.scoring.leave_one_out import answered_rows
from tests.samples import episode, record

AGREE, SPLIT = ("a", "a", "a"), ("a", "b", "c")


def ballots(*instances, task="T"):
    """Ballots of a task; each instance is field -> labels."""
    made = Ballots()
    for index, fields in enumerate(instances):
        records = [record(n, "radio", options=("a", "b", "c"), labels=labels) for n, labels in fields.items()]
        made.add(task, index, records, answered_rows(records))
    return made


def test_the_noisiest_is_where_workers_disagree_more_than_is_usual_for_its_fields():
    # On y everybody always disagrees, so that disagreeing there says nothing.
    usual = [{"x": AGREE, "y": SPLIT}] * 5
    found = noisy_instances(ballots(*usual, {"x": SPLIT, "y": SPLIT}), 3)
    assert [(each.task, each.index) for each in found] == [("T", 5)]
    worst = found[0]
    assert worst.disagreement == 1.0
    assert worst.usual == pytest.approx((1 / 6 + 1) / 2)
    excess = np.array([(0 - 1 / 6) / 2] * 5 + [(1 - 1 / 6) / 2])
    assert worst.deviations == pytest.approx(excess[-1] / excess.std())
    assert [(each.name, each.disagreement) for each in worst.fields] == [("x", 1.0), ("y", 1.0)]


def test_only_so_many_are_listed_worst_first_and_equals_in_order():
    instances = [{"x": AGREE}] * 6 + [{"x": ("a", "a", "b")}] * 2 + [{"x": SPLIT}]
    assert [each.index for each in noisy_instances(ballots(*instances), 2)] == [8, 6]
    assert [each.index for each in noisy_instances(ballots(*instances), 9)] == [8, 6, 7]
    assert noisy_instances(ballots(*instances), 0) == []


def test_instances_of_several_tasks_stand_in_one_list():
    both = ballots(*[{"x": AGREE}] * 9, {"x": SPLIT}, task="A")
    for index, labels in enumerate([AGREE] * 4 + [SPLIT]):
        both.add("B", index, [record("x", "radio", options=("a", "b", "c"), labels=labels)], [0, 1, 2])
    # One of ten is further from what is usual than one of five.
    assert [(each.task, each.index) for each in noisy_instances(both, 5)] == [("A", 9), ("B", 4)]


@pytest.mark.parametrize(
    "instances",
    [
        [{"x": AGREE}] * (MIN_INSTANCES - 2) + [{"x": SPLIT}],
        [{"x": SPLIT}] * MIN_INSTANCES,
        [{"x": ("a",)}] * MIN_INSTANCES,
        [],
    ],
    ids=["few instances", "all alike", "one worker", "nothing"],
)
def test_where_nothing_is_usual_or_unusual_nothing_is_noisy(instances):
    assert noisy_instances(ballots(*instances), 5) == []


def test_boxes_of_a_field_count_as_one_field():
    made = Ballots()
    for index in range(6):
        last = index == 5
        boxes = record("b", "checkbox", options=("p", "q"), labels=("p", "p|q") if last else ("p", "p"))
        made.add("T", index, [boxes], [0, 1])
    found = noisy_instances(made, 5)
    assert [(each.index, each.disagreement) for each in found] == [(5, 0.5)]
    assert len(found[0].fields) == 1


def test_an_instance_is_shown_with_the_labels_of_those_who_answered():
    found = noisy_instances(ballots(*[{"x": AGREE, "y": SPLIT}] * 5, {"x": SPLIT, "y": SPLIT}), 1)[0]
    fields = [
        record("x", "radio", labels=("a", "", "b", "c")),
        record("y", "radio", labels=("a", "", "b", "")),
    ]
    shown = found.labelled(episode(*fields, index=5, id="abc"))
    assert (shown.id, shown.workers) == ("abc", 3)
    assert [each.labels for each in shown.fields] == [("a", "b", "c"), ("a", "b", "")]
