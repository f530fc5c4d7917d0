"""Runs that are logged as they go and afterwards, to a tracker that notes what it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.cli.commands.export import log
from harness.integrations.tracking import tracker
from harness.integrations.tracking.follower import Follower
from harness.integrations.tracking.tracker import TRACKERS, TrackerEntry
from harness.kit.files.installation import installing, to_type
from tests.integrations.tracking.logged import PLACES, SECRETS, TASK, TASK_ID, make_run
from tests.integrations.tracking.noting_tracker import notes
from tests.solvers.runs import evaluate
from tests.task_folders import csv_text, make_task

NOTING = TrackerEntry("tests.integrations.tracking.noting_tracker:NotingTracker", "json", prints=False)


@pytest.fixture(autouse=True)
def _noting(tmp_path, monkeypatch):
    monkeypatch.setenv("SCRIPTED_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    monkeypatch.setitem(TRACKERS, "notes", NOTING)


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path)


def test_a_run_is_told_of_by_its_parameters_its_episodes_and_what_it_came_to(run, capsys):
    assert log.main([str(run), "--to", "notes"]) == COMPLETE
    assert capsys.readouterr().err == "notes: in the notes\n"
    start, *episodes, end = notes(run.parent / "notes")
    assert (start["name"], start["solver"], start["parameters"]["model"]) == ("run", "gpt4-text", "gpt-4")
    assert tuple(tuple(each["place"]) for each in episodes) == PLACES
    last = episodes[-1]["metrics"]
    assert (last["progress/episodes"], last["progress/mean_score"], last["progress/cost"]) == (4, 0.25, 0.052)
    assert (end["status"], end["parameters"]["comparability_id"]) == ("complete", "0123456789")
    metrics = end["metrics"]
    assert metrics["score.low"] <= metrics["score"] == 0.5 <= metrics["score.high"]
    assert (metrics["task/Other/score"], metrics[f"task/{TASK_ID}/score"], metrics["kind/text/score"]) == (1, 0, 0.25)
    assert (metrics["outcome/scored"], metrics["effort/input_tokens"]) == (4, 4000)


def test_no_tracker_is_told_a_label_a_text_of_a_page_or_a_key(run):
    log.main([str(run), "--to", "notes"])
    written = (run.parent / "notes").read_text(encoding="utf-8")
    assert [secret for secret in SECRETS if secret in written] == []


def test_a_run_that_goes_on_is_told_of_as_one_that_is_over(run):
    log.main([str(run), "--to", "notes"])
    after = notes(run.parent / "notes")
    (run.parent / "notes").unlink()
    assert followed(run) == ["notes: in the notes"]
    assert notes(run.parent / "notes") == after


def followed(run: Path, patience: float = 60.0) -> list[str]:
    """What is said to the user while a run that has been played is told of as if it went on."""
    said: list[str] = []
    with Follower("notes", run, said.append, patience) as follower:
        follower.planned([])
        for task, index in PLACES:
            follower.ended(task, index)
    return said


@pytest.mark.slow
def test_a_run_of_which_nothing_is_taken_is_as_without_and_can_be_gone_on_with_and_logged(
    tmp_path, monkeypatch, capsys
):
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], ["x", "filled"], ["y", "other"]))
    monkeypatch.setenv("NOTES_FAIL", "episode")
    out = tmp_path / "scripted"
    assert evaluate(tmp_path / "tasks", out, "--max-cost", "0.02", "--log-to", "notes")[0] == INCOMPLETE
    assert [line for line in capsys.readouterr().err.splitlines() if "notes" in line] == [
        "notes: in the notes",
        "notes has failed: ConnectionError: nobody answers at all",
        "notes has failed 2 times in all",
        f"not all of the run is logged to notes; this logs it again: {to_type('export log', out, '--to', 'notes')}",
    ]
    monkeypatch.delenv("NOTES_FAIL")
    (tmp_path / "notes").unlink()
    again = ["--resume", str(out), "--max-cost", "9", "--yes", "--log-to", "notes", "--progress", "quiet"]
    assert main(again) == COMPLETE
    start, *episodes, end = notes(tmp_path / "notes")
    assert (start["what"], end["status"], end["metrics"]["score"]) == ("start", "complete", 0.5)
    assert [each["place"] for each in episodes] == [["A", 0], ["A", 1]]


@pytest.mark.parametrize("fails", ["start", "end"])
def test_a_tracker_that_fails_at_either_end_is_said_once(run, monkeypatch, capsys, fails):
    monkeypatch.setenv("NOTES_FAIL", fails)
    said = followed(run)
    assert said.count("notes has failed: ConnectionError: nobody answers at all") == 1
    assert said[-1].startswith("not all of the run is logged to notes; ")
    assert log.main([str(run), "--to", "notes"]) == INCOMPLETE
    assert capsys.readouterr().err.endswith("notes has failed: ConnectionError: nobody answers at all\n")


@pytest.mark.parametrize("dies", ["start", "episode", "end"])
def test_a_tracker_that_takes_its_process_along_does_not_end_the_run(run, monkeypatch, dies):
    monkeypatch.setenv("NOTES_KILL", dies)
    assert followed(run)[-1].startswith("not all of the run is logged to notes; this logs it again: ")


def test_a_tracker_that_hangs_is_given_up_once_it_is_silent(run, monkeypatch):
    monkeypatch.setenv("NOTES_HANG", "episode")
    assert followed(run, patience=0.1)[-1].startswith("not all of the run is logged to notes; ")


def test_what_was_played_before_a_run_was_gone_on_with_is_told_of_first(run, tmp_path):
    said: list[str] = []
    with Follower("notes", run, said.append) as follower:
        follower.ended(TASK, 0)
        follower.planned({(TASK, 2), ("Other", 0)})
        follower.ended(TASK, 1)
    assert said == ["notes: in the notes"]
    assert [each["place"] for each in notes(tmp_path / "notes")[1:-1]] == [
        [TASK, 2],
        ["Other", 0],
        [TASK, 0],
        [TASK, 1],
    ]


def test_a_folder_without_a_run_is_said_in_one_line(tmp_path, capsys):
    assert log.main([str(tmp_path), "--to", "notes"]) == WRONG_USE
    assert capsys.readouterr().err == f"error: {tmp_path} is no run directory: it has no run.json\n"


@pytest.mark.parametrize("name", ["mlflow", "wandb", "trackio", "opentelemetry"])
def test_a_tracker_that_is_not_installed_is_one_clear_line(run, tmp_path, monkeypatch, capsys, name):
    monkeypatch.setattr(tracker, "find_spec", lambda _: None)
    library = TRACKERS[name].library
    line = f"error: {name}: {library} is not installed; install it with: {installing(name)}\n"
    assert evaluate(tmp_path, tmp_path / "new", "--log-to", name)[0] == WRONG_USE
    assert capsys.readouterr().err == line
    assert not (tmp_path / "new").exists()
    assert log.main([str(run), "--to", name]) == WRONG_USE
    assert capsys.readouterr().err == line
