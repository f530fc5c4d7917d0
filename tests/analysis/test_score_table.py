from __future__ import annotations

import math

import pytest

from harness.actions.result import Step
from harness.analysis.score_table import ScoreTable
from harness.models.messages import Usage
from harness.records.turn import Turn
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode, record, submission

STANDARD = PROFILES["standard"]
YES_NO = {"kind": "radio", "options": ("yes", "no")}


def table(*episodes, people=None) -> ScoreTable:
    made = ScoreTable(people)
    for each in episodes:
        made.see(score_episode(each, STANDARD))
    return made


def test_rows_are_in_the_order_of_tasks_and_indices_whatever_came_first():
    made = table(
        episode(record("x", sent=("yes",)), task="B", index=1),
        episode(record("y"), record("z"), task="B", index=0),
        episode(record("w"), task="A", index=10),
    )
    instances, fields = made.instances(), made.fields()
    assert list(zip(instances["task"], instances["index"], strict=True)) == [("A", 10), ("B", 0), ("B", 1)]
    assert list(fields["name"]) == ["w", "y", "z", "x"]
    assert list(fields["instance"]) == [0, 1, 1, 2]
    assert list(fields["score"]) == [0.0, 0.0, 0.0, 1.0]


def test_what_was_not_measured_is_no_number():
    row = table(episode(outcome="harness_error")).instances().iloc[0]
    assert all(math.isnan(row[name]) for name in ("score", "ceiling", "crowd", "own_left_out", "accepted"))
    assert row["outcome"] == "harness_error"


def test_the_effort_of_an_episode_is_counted():
    turn = Turn(sent="", reply="", usage=Usage(100, 20), cost=0.25)
    made = episode(
        record(),
        submission=submission(accepted=False),
        steps=(Step("click(1, 1)", True, "", 1.0), Step("click(2, 2)", False, "no", 1.0)),
        turns=(turn, turn),
        timing={"open": 250.0, "act": 1250.0},
    )
    row = table(made).instances().iloc[0]
    assert [row[name] for name in ("steps", "failed", "seconds", "cost", "turns")] == [2, 1, 1.5, 0.5, 2]
    assert [row[name] for name in ("input_tokens", "output_tokens", "accepted")] == [200, 40, 0]


def test_people_and_solver_stand_on_the_same_labels():
    made = episode(
        record("a", **YES_NO, labels=("yes", "no"), sent=("yes",)), record("b", labels=("x", "x"), sent=("x",))
    )
    both = table(made, people=STANDARD)
    assert list(both.fields()["crowd"]) == [0.0, 1.0]
    assert list(both.fields()["own_left_out"]) == [0.5, 1.0]
    row = both.instances().iloc[0]
    assert (row["score"], row["own_left_out"], row["crowd"]) == (1.0, 0.75, 0.5)


def test_without_people_their_columns_hold_no_number():
    made = table(episode(record("a", **YES_NO, labels=("yes", "no"), sent=("yes",))))
    assert made.fields()["crowd"].isna().all()
    assert made.instances()["own_left_out"].isna().all()


def test_an_instance_with_one_worker_has_no_level_of_people():
    row = table(episode(record("a", labels=("x",), sent=("x",))), people=STANDARD).instances().iloc[0]
    assert math.isnan(row["crowd"])
    assert row["score"] == pytest.approx(1.0)


def test_workers_who_answer_for_themselves_are_the_crowd():
    made = episode(record("a", **YES_NO, labels=("yes", "yes", "no")), answered_by="workers")
    row = table(made, people=STANDARD).instances().iloc[0]
    assert row["score"] == row["crowd"] == row["own_left_out"] == pytest.approx(2 / 3)
