from __future__ import annotations

import pytest

from harness.metrics import PROFILES
from harness.scoring import score_episode
from oracle.check import Shortfall, main, shortfalls
from tests.samples import episode, record
from tests.task_folders import csv_text, make_task


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def found(*episodes, rows=(3, 7)):
    scores = [score_episode(made, PROFILES["standard"]) for made in episodes]
    return shortfalls(scores, {(made.task, made.index): rows for made in episodes})


def test_every_field_at_its_ceiling_gives_no_line(tmp_path, capsys):
    make_task(tmp_path / "tasks", "Good")
    assert main(["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.startswith("1 of 1 scored fields at their ceiling, 1 instances of 1 tasks (0 with ")
    assert (tmp_path / "run" / "run.json").exists()


def test_a_field_below_its_ceiling_is_named_with_task_rows_wanted_and_found(tmp_path, capsys):
    template = "${t}<input name=a readonly value=fixed><input name=b>"
    table = csv_text(["t", "Answer.a", "Answer.b"], ["1", "fixed", "x"], ["2", "cat", "x"], ["2", "dog", "x"])
    make_task(tmp_path / "tasks", "Stubborn", template=template, table=table)
    make_task(tmp_path / "tasks", "Malformed", template=None)
    assert main(["--tasks-dir", str(tmp_path / "tasks")]) == 1
    problem, line, last = capsys.readouterr().out.splitlines()
    assert problem.startswith("problem: ")
    assert "Malformed" in problem
    assert line.startswith("Stubborn, instance 1 (rows 2, 3), field 'a': wanted 'cat' / 'dog'; found 'fixed'; ")
    assert "read-only" in line
    assert last.startswith("3 of 4 scored fields at their ceiling, 2 instances of 1 tasks (1 with shortfalls)")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tasks-dir", "missing"], "missing is not a folder"),
        (["--task", "Goood"], "Did you mean 'Good'"),
        (["--overlay", "missing.json"], "missing.json cannot be read"),
        (["--out", "."], "is not empty"),
    ],
)
def test_wrong_use_is_said(tmp_path, capsys, arguments, said):
    make_task(tmp_path / "tasks", "Good")
    assert main(["--tasks-dir", str(tmp_path / "tasks"), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_why_there_is_nothing_to_check_is_said(tmp_path, capsys):
    make_task(tmp_path / "tasks", "Malformed", template=None)
    assert main(["--tasks-dir", str(tmp_path / "tasks")]) == 2
    out, err = capsys.readouterr()
    assert "there is no template" in out
    assert "nothing to check" in err


@pytest.mark.parametrize("outcome", ["harness_error", "agent_error", "limit"])
def test_an_instance_that_the_oracle_could_not_finish_is_a_shortfall(outcome):
    fields = () if outcome == "harness_error" else (record(sent=("yes",)),)
    (only,) = found(episode(*fields, outcome=outcome, detail="why"))
    assert str(only) == f"T, instance 0 (rows 3, 7): {outcome}: why"


def test_an_instance_without_labels_is_none():
    assert found(episode(record(status="x"), outcome="unscored")) == []


def test_a_field_at_a_ceiling_below_one_is_no_shortfall():
    assert found(episode(record("a", "radio", options=("1",), labels=("9",)))) == []


def test_shortfalls_come_by_task_and_instance():
    wrong = record(sent=("no",))
    places = (("B", 0), ("A", 10), ("A", 9))
    lines = found(*(episode(wrong, task=task, index=index) for task, index in places))
    assert [(each.task, each.index) for each in lines] == [("A", 9), ("A", 10), ("B", 0)]


def test_long_labels_and_many_rows_are_shortened():
    line = str(Shortfall("T", 0, tuple(range(1, 30)), "a", ("x" * 100, "x" * 100), (), "why"))
    assert (
        line
        == f"T, instance 0 (rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …), field 'a': wanted '{'x' * 59}…'; found nothing; why"
    )


def test_a_single_row_is_named_as_one():
    assert str(Shortfall("T", 0, (4,), "", (), (), "why")) == "T, instance 0 (row 4): why"


def test_what_was_not_visible_at_load_is_said_to_be_so():
    (only,) = found(episode(record("a", "radio", options=("1", "2"), labels=("1",), visible=False)))
    assert only.reason == "not visible at load, and nothing that was tried brought it out"
    (only,) = found(episode(record("a", "hidden", visible=False)))
    assert only.reason == "not visible at load: the page's script writes or makes it"
