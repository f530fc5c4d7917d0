"""The command that plans a large run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.plan import run as plan
from harness.records.directory import RunDirectory
from tests.samples import episode, record, run_record


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run directory with one episode of a second, in which no model was asked."""
    directory = RunDirectory(tmp_path / "run")
    directory.add(episode(record(), timing={"open": 600.0, "act": 400.0}), {})
    directory.write(run_record())
    return directory.folder


def test_a_plan_is_printed_and_its_numbers_are_there_for_programs(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(run), "--instances", "3600", "--times", "2", "--cores", "2", "--workers", "4"]
    assert plan.main(given) == COMPLETE
    text = capsys.readouterr().out
    assert "7,200 episodes, from the times of 1 episode" in text
    assert "processors" in text
    assert plan.main([*given, "--json"]) == COMPLETE
    told = json.loads(capsys.readouterr().out)
    assert (told["hours"], told["limit"], told["cost"]) == (1.0, "processors", 0.0)
    assert told["simulated_hours"] == pytest.approx(1.0, rel=0.05)


def test_machines_follow_from_hours(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(run), "--instances", "7200", "--cores", "1", "--workers", "1", "--hours", "0.5", "--json"]
    assert plan.main(given) == COMPLETE
    assert json.loads(capsys.readouterr().out)["means"]["machines"] == 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--instances", "1"], "name run directories"),
        (["RUN", "--instances", "1", "--solver", "another"], "no episode tells how long it takes"),
        (["RUN", "--instances", "1", "--machines", "1", "--hours", "1"], "give one"),
    ],
)
def test_what_cannot_be_planned_is_said_in_a_line(
    run: Path, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan.main([str(run) if each == "RUN" else each for each in given]) == WRONG_USE
    assert said in capsys.readouterr().err
