"""``python -m harness papers webcanvas key-nodes``: what it prints of runs on forms, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.papers.key_nodes import main
from harness.records.directory import RunDirectory
from tests.samples import episode, record, run_record


def field(sent: str, *labels: str):
    return record("mood", "radio", options=("good", "bad"), labels=labels, sent=(sent,))


@pytest.fixture
def run(tmp_path) -> Path:
    """Four fields: one right by both, one by the metric alone since two answers tie, one wrong, one left out."""
    directory = RunDirectory(tmp_path / "run")
    directory.write(run_record())
    for index, one in enumerate((field("good", "good"), field("bad", "good", "bad"), field("bad", "good"))):
        directory.add(episode(one, index=index), {})
    directory.add(episode(field("good", "good"), index=3, outcome="harness_error"), {})
    return directory.folder


def test_a_run_is_a_line_of_what_both_find_right(run, capsys):
    assert main([str(run)]) == COMPLETE
    heading, _, line = capsys.readouterr().out.splitlines()
    assert heading.split()[:3] == ["run", "fields", "both"]
    assert line.split()[-9:-3] == ["3", "1", "0", "1", "1", "0.667"]
    assert line.split()[-2:] == ["0.333", "0.667"]


def test_the_same_in_json_and_for_a_page(run, capsys):
    assert main([str(run), "--json"]) == COMPLETE
    told = json.loads(capsys.readouterr().out)
    assert (told["fields"], told["both"], told["metric_only"], told["neither"]) == (3, 1, 1, 1)
    assert told["agreement"] == pytest.approx(2 / 3)
    assert main([str(run), str(run), "--markdown"]) == COMPLETE
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_run_that_is_not_complete_is_said_by_the_exit_code(tmp_path):
    directory = RunDirectory(tmp_path / "run")
    directory.write(run_record(status="interrupted"))
    directory.add(episode(field("good", "good")), {})
    assert main([str(directory.folder)]) == INCOMPLETE


def test_what_has_no_scored_form_is_refused_in_one_line(tmp_path, capsys):
    directory = RunDirectory(tmp_path / "run")
    directory.write(run_record())
    assert main([str(directory.folder)]) == WRONG_USE
    assert main([str(tmp_path)]) == WRONG_USE
    first, second = capsys.readouterr().err.splitlines()
    assert "has no scored field of a form" in first
    assert "run" in second
