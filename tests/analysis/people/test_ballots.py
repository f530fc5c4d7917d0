from __future__ import annotations

import numpy as np
import pytest

from harness.analysis.people.ballots import NOT_TICKED, TICKED, Ballots, FieldVotes, ballots_of, names_several
from harness.scoring.leave_one_out import answered_rows
from tests.samples import record

ALL = range(9)


def votes(kind, options, *labels):
    return ballots_of(record(kind=kind, options=options, labels=labels), range(len(labels)))


def test_a_row_counts_if_its_worker_answered_any_field_of_the_page():
    fields = [record("a", labels=("", "x", "{}")), record("b", "radio", labels=("1", "", "nan"))]
    assert answered_rows(fields) == [0, 1]
    assert answered_rows([]) == []


@pytest.mark.parametrize(
    ("kind", "options", "labels", "expected"),
    [
        ("radio", ("1", "2"), ("1.0", "", "2", "Other"), {0: "1", 2: "2", 3: "other"}),
        ("select", ("Yes", "No"), ("yes", "NO ", "{}"), {0: "Yes", 1: "No"}),
        ("checkbox", ("on",), ("on", "", "True", "off"), {0: TICKED, 1: NOT_TICKED, 2: TICKED, 3: NOT_TICKED}),
        ("range", (), ("5", "many", "5.0", ""), {0: "5", 2: "5"}),
        ("text", (), (" a b ", "a b", "2.50", ""), {0: "a b", 1: "a b", 2: "2.5"}),
    ],
)
def test_labels_become_answers_that_can_be_compared(kind, options, labels, expected):
    assert votes(kind, options, *labels) == {"": expected}


def test_each_of_several_boxes_is_a_question():
    assert votes("checkbox", ("a", "b", "c"), "a|b", "") == {
        "a": {0: TICKED, 1: NOT_TICKED},
        "b": {0: TICKED, 1: NOT_TICKED},
        "c": {0: NOT_TICKED, 1: NOT_TICKED},
    }


def test_boxes_whose_options_are_not_known_have_those_that_were_ticked():
    assert votes("checkbox", (), "a|b", "b") == {"a": {0: TICKED, 1: NOT_TICKED}, "b": {0: TICKED, 1: TICKED}}


def test_a_list_of_which_somebody_chose_several_options_is_like_boxes():
    several = record(kind="select", options=("a", "b"), labels=("a|b", "a", ""))
    assert names_several(several)
    assert ballots_of(several, range(3))["b"] == {0: TICKED, 1: NOT_TICKED}
    assert not names_several(record(kind="select", options=("a|b", "c"), labels=("a|b", "c")))
    assert not names_several(record(kind="radio", options=("a", "b"), labels=("a|b",)))


def test_votes_are_counted_where_two_workers_or_more_answered():
    column = FieldVotes("radio")
    for index, labels in {4: ("x", "y", "x"), 7: ("y", ""), 9: ("y", "y"), 5: ()}.items():
        column.add(index, record(kind="radio", options=("x", "y"), labels=labels), range(len(labels)))
    tallies = column.tallies()
    assert tallies.instances.tolist() == [4, 9]
    assert tallies.sizes.tolist() == [3, 2]
    counted = {
        (int(u), tallies.values[v]): int(n) for u, v, n in zip(tallies.unit, tallies.value, tallies.votes, strict=True)
    }
    assert counted == {(0, "x"): 2, (0, "y"): 1, (1, "y"): 2}


def test_a_column_without_votes_has_no_tallies():
    tallies = FieldVotes("text").tallies()
    assert len(tallies.sizes) == len(tallies.unit) == 0


@pytest.mark.parametrize(
    ("options", "ordered"),
    [
        ([("1", "2", "3")], True),
        ([("1", "2")], False),
        ([("1", "2", "x")], False),
        ([("1", "2", "3"), ("1", "2")], False),
    ],
)
def test_choices_are_ordered_if_in_every_instance_there_are_three_numbers(options, ordered):
    column = FieldVotes("radio")
    for index, each in enumerate(options):
        column.add(index, record(kind="radio", options=each, labels=("1",)), [0])
    assert column.ordered is ordered
    assert column.options == (options[0] if len(options) == 1 else None)


def test_ballots_are_kept_by_task_and_field_in_order():
    ballots = Ballots()
    for task, name in (("B", "x"), ("A", "y"), ("A", "x")):
        ballots.add(task, 0, [record(name, labels=("1", "2"))], [0, 1])
    assert [(question.task, question.name) for question, _ in ballots] == [("A", "x"), ("A", "y"), ("B", "x")]
    assert [len(columns) for columns in ballots.of_task().values()] == [2, 1]
    column = next(iter(ballots))[1]
    assert {name: each.tolist() for name, each in column.votes().items()} == {
        "instance": [0, 0],
        "question": [0, 0],
        "row": [0, 1],
        "answer": [0, 1],
    }
    assert all(each.dtype == np.int64 for each in column.votes().values())
