from __future__ import annotations

import json

import pytest

from harness.kit.files.installation import to_type
from oracle.check.__main__ import main
from tests.task_folders import csv_text, make_task

pytestmark = pytest.mark.usefixtures("module_cache")

STUBBORN = "${t}<input name=a readonly value=fixed><input name=b>"
TABLE = csv_text(["t", "Answer.a", "Answer.b"], ["1", "fixed", "x"], ["2", "cat", "x"], ["2", "dog", "x"])


@pytest.fixture
def check(tmp_path, capsys):
    """Runs a check of ``tmp_path / tasks``; gives its exit code, its output and its report."""

    def run(*arguments, out="check"):
        folder = tmp_path / out
        code = main(
            ["--tasks-dir", str(tmp_path / "tasks"), "--workers", "1", "--progress", "quiet", "--out", str(folder)]
            + [str(each) for each in arguments]
        )
        file = folder / "report.json"
        return code, capsys.readouterr(), json.loads(file.read_text()) if file.exists() else None

    return run


def test_every_field_at_its_ceiling_is_exit_status_0(tmp_path, check):
    make_task(tmp_path / "tasks", "Good")
    code, said, report = check()
    assert code == 0
    assert "1 of 1 scored field at its ceiling, 1 instance of 1 task" in said.out
    assert report["counts"]["at_ceiling"] == report["counts"]["fields"] == 1
    assert "1 of 1 scored field at its ceiling" in (tmp_path / "check" / "report.html").read_text()


@pytest.mark.slow
def test_a_field_below_its_ceiling_is_named_with_task_rows_wanted_and_found(tmp_path, check):
    make_task(tmp_path / "tasks", "Stubborn", template=STUBBORN, table=TABLE)
    make_task(tmp_path / "tasks", "Malformed", template=None)
    code, said, report = check()
    assert code == 1
    assert "problem: " in said.out
    assert "Stubborn, instance 1 (rows 3, 4): field 'a': wanted 'cat' / 'dog'; found 'fixed'; " in said.out
    assert "3 of 4 scored fields at their ceiling; 1 × field never reachable, 2 instances" in said.out
    (finding,) = report["tasks"]["Stubborn"]["instances"]["1"]["findings"]
    assert "read-only" in finding["reason"]


def test_a_task_that_cannot_be_used_is_exit_status_3_beside_good_ones(tmp_path, check):
    make_task(tmp_path / "tasks", "Good")
    make_task(tmp_path / "tasks", "Malformed", table="text;Answer.a\none;yes\n")
    code, said, report = check()
    assert code == 3
    (problem,) = report["about"]["problems"]
    assert f"problem: {problem}\n" in said.out
    assert "the cells are separated by semicolons, not by commas" in problem


def test_a_task_set_without_labels_is_refused_with_the_command_that_plays_it(tmp_path, check):
    make_task(tmp_path / "tasks", "Saved", table=None)
    code, said, _ = check()
    assert code == 2
    assert "no chosen task has labelled instances" in said.err
    assert (
        f"played without a score: {to_type('evaluate', '--tasks-dir', tmp_path / 'tasks')} --solver do-nothing"
        in said.err
    )
    assert said.err.rstrip().endswith("--unlabelled")
    make_task(tmp_path / "other", "Malformed", table="text;Answer.a\none;yes\n")
    _, said, _ = check("--tasks-dir", tmp_path / "other", out="other check")
    assert "--unlabelled" not in said.err


@pytest.mark.slow
def test_a_task_without_a_table_is_told_and_no_mistake(tmp_path, check):
    make_task(tmp_path / "tasks", "Good")
    make_task(tmp_path / "tasks", "For looking at", table=None)
    code, said, _ = check()
    assert code == 0
    assert "For looking at/batch.csv: there is no batch.csv" in said.out


def test_a_shortfall_that_the_facts_explain_is_exit_status_0_and_still_counted(tmp_path, check):
    facts = {"unreachable": {"a": "The page locks it."}}
    make_task(tmp_path / "tasks", "Stubborn", template=STUBBORN, table=TABLE, facts=facts)
    code, said, report = check()
    assert code == 0
    assert "1 of them explained" in said.out
    assert (report["counts"]["at_ceiling"], report["counts"]["fields"], report["counts"]["explained"]) == (3, 4, 1)


@pytest.mark.slow
def test_only_what_has_changed_since_a_check_is_checked_again(tmp_path, check):
    make_task(tmp_path / "tasks", "Good")
    make_task(tmp_path / "tasks", "Stubborn", template=STUBBORN, table=TABLE)
    _, _, before = check()
    (tmp_path / "tasks" / "Stubborn" / "template.html").write_text(STUBBORN.replace("readonly value=fixed", ""))
    code, _, after = check("--changed", tmp_path / "check", out="again")
    assert code == 0
    assert after["about"]["taken_over"] == 1
    assert after["tasks"]["Good"] == before["tasks"]["Good"]
    assert (after["counts"]["at_ceiling"], after["counts"]["fields"]) == (5, 5)
    episodes = [file.parent.name for file in (tmp_path / "again" / "run").glob("episodes/*/*.json")]
    assert set(episodes) == {"Stubborn"}


@pytest.mark.slow
def test_where_nothing_has_changed_the_report_is_the_same_and_no_page_is_opened(tmp_path, check):
    make_task(tmp_path / "tasks", "Good", table="text,Answer.a,Answer.b\none,yes,no\n")
    _, _, before = check()
    code, _, after = check("--changed", tmp_path / "check", out="again")
    assert code == 3
    assert (after["tasks"], after["counts"]) == (before["tasks"], before["counts"])
    (mistake,) = after["mistakes"]
    assert (mistake["kind"], mistake["field"], after["mistakes"]) == ("no field", "b", before["mistakes"])
    assert not (tmp_path / "again" / "run").exists()


@pytest.mark.slow
def test_a_check_that_was_cut_short_goes_on_where_it_was(tmp_path, check, capsys):
    make_task(tmp_path / "tasks", "Stubborn", template=STUBBORN, table=TABLE)
    _, _, whole = check()
    folder = tmp_path / "check"
    (folder / "report.json").unlink()
    (folder / "run" / "episodes" / "Stubborn" / "1.json").unlink()
    kept = folder / "run" / "episodes" / "Stubborn" / "0.json"
    before = kept.stat().st_mtime_ns
    assert main(["--resume", str(folder), "--progress", "quiet"]) == 1
    after = json.loads((folder / "report.json").read_text())
    assert (after["tasks"], after["counts"]) == (whole["tasks"], whole["counts"])
    assert kept.stat().st_mtime_ns == before
    assert "3 of 4 scored fields" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tasks-dir", "missing"], "missing is not a folder"),
        (["--task", "Goood"], "Did you mean 'Good'"),
        (["--out", "."], "is not empty"),
        (["--changed", "missing"], "holds no report.json"),
        (["--resume", "missing"], "holds no check"),
    ],
)
def test_wrong_use_is_said(tmp_path, check, arguments, said):
    make_task(tmp_path / "tasks", "Good")
    code, printed, _ = check(*arguments)
    assert code == 2
    assert said in printed.err


def test_why_there_is_nothing_to_check_is_said(tmp_path, check):
    make_task(tmp_path / "tasks", "Malformed", template=None)
    code, printed, _ = check()
    assert code == 2
    assert "there is no template" in printed.err
    assert "labelled instances because of these problems\nproblem: " in printed.err
