from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from harness.analysis.rescoring import score_run
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.score import main
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.cli.imported import imported
from tests.task_folders import csv_text, make_task

PAGE = """<p>${text}</p><input name="a"><input type="range" name="s" min="0" max="100">
<label><input type="radio" name="r" value="1">1</label><label><input type="radio" name="r" value="2">2</label>"""
ROWS = [["one", "cat", "1", "10"], ["one", "dog", "2", "30"], ["two", "cat", "1", "70"], ["three", "a bird", "2", "50"]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    table = csv_text(["text", "Answer.a", "Answer.r", "Answer.s"], *ROWS)
    for name in ("A", "B"):
        make_task(folder / "tasks", name, template=PAGE.replace("<p>", f"<p>{name}"), table=table)
    for profile in ("standard", "turkingbench-2024"):
        arguments = ["--solver", "random", "--tasks-dir", str(folder / "tasks"), "--metrics", profile, "--workers", "1"]
        assert evaluate([*arguments, "--out", str(folder / profile)]) == COMPLETE
    return {profile: RunDirectory(folder / profile) for profile in ("standard", "turkingbench-2024")}


def test_scoring_again_gives_the_same_record(runs):
    for run in runs.values():
        assert score_run(run).record == run.read()


@pytest.mark.parametrize(("own", "other"), [("standard", "turkingbench-2024"), ("turkingbench-2024", "standard")])
def test_scoring_by_another_profile_gives_what_a_run_with_it_gives(runs, own, other):
    again, real = score_run(runs[own], other).record, runs[other].read()
    assert again.results == real.results
    assert again.comparability_id == real.comparability_id != runs[own].read().comparability_id
    assert again.config.metrics == other


def test_scoring_again_changes_nothing_on_disk(runs):
    folder = runs["standard"].folder
    before = {file: file.read_bytes() for file in folder.rglob("*.json")}
    main([str(folder), "--metrics", "turkingbench-2024"])
    assert before == {file: file.read_bytes() for file in folder.rglob("*.json")}


def test_no_browser_and_no_task_is_needed(runs, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(Catalog, "__init__", None)
    assert main([str(runs["standard"].folder)]) == COMPLETE
    assert "overall (mean over tasks)" in capsys.readouterr().out


def test_the_record_can_be_had_as_json(runs, capsys):
    assert main([str(runs["standard"].folder), "--json"]) == COMPLETE
    assert json.loads(capsys.readouterr().out) == json.loads((runs["standard"].folder / "run.json").read_text())


@pytest.fixture
def copy(runs, tmp_path):
    """The standard run, to be damaged."""
    made = RunDirectory(tmp_path / "run")
    made.write(runs["standard"].read())
    for episode in runs["standard"].episodes():
        made.add(episode, {})
    return made


def test_a_damaged_episode_is_named(copy, capsys):
    copy.episode_file("B", 1).write_text("{", encoding="utf-8")
    assert main([str(copy.folder)]) == WRONG_USE
    assert "episodes/B/1.json cannot be read" in capsys.readouterr().err


def test_what_is_no_run_is_wrong_use(tmp_path, capsys):
    assert main([str(tmp_path)]) == WRONG_USE
    assert "is no run directory" in capsys.readouterr().err


@pytest.mark.parametrize("status", ["running", "interrupted", "incomplete"])
def test_a_run_that_did_not_end_is_scored_and_said_to_be_incomplete(copy, status, capsys):
    copy.write(replace(copy.read(), status=status, results=None))
    copy.episode_file("B", 1).unlink()
    assert main([str(copy.folder), "--json"]) == INCOMPLETE
    assert json.loads(capsys.readouterr().out)["results"]["outcomes"]["scored"] == 5


def test_a_run_without_episodes_can_be_read(copy, capsys):
    for file in copy.folder.glob("episodes/*/*.json"):
        file.unlink()
    copy.write(replace(copy.read(), status="interrupted"))
    assert main([str(copy.folder)]) == INCOMPLETE
    assert "No episode was finished." in capsys.readouterr().out


@pytest.mark.slow
def test_a_reader_that_closes_its_end_early_is_no_error(runs):
    command = [sys.executable, "-m", "harness", "score", str(runs["standard"].folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == COMPLETE


@pytest.mark.slow
def test_no_library_of_a_browser_or_a_server_is_imported(runs):
    assert imported("harness.cli.commands.score", str(runs["standard"].folder)).isdisjoint({"selenium", "django"})
