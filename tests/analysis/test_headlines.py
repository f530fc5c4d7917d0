"""The intervals that ``harness.score`` shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.analysis.headlines import OVERALL, Headlines
from harness.analysis.numbers import numbers
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import group
from harness.score import main
from tests.analysis.made import episodes, write

TASKS = {f"{letter} {task}": [{"s": (task + n) / 9} for n in range(4)] for task in range(5) for letter in "aB"}
SPLITS = {name: "test" if name.startswith("a") else "train" for name in TASKS}


def read(folder: Path, splits: Mapping[str, str]) -> tuple[ScoredRun, Headlines]:
    found = Headlines()
    return read_scored(write(folder, episodes(TASKS, splits)), visitors=[found]), found


def test_they_are_those_of_a_report(tmp_path: Path) -> None:
    run, found = read(tmp_path, SPLITS)
    report = numbers(group([run])[0])
    expected = {OVERALL: report["overall"], **{f"split {name}": each for name, each in report["splits"].items()}}
    assert {name: each.to_json() for name, each in found.estimates().items()} == {
        name: pytest.approx(each["score"]) for name, each in expected.items()
    }


def test_a_single_split_is_not_repeated(tmp_path: Path) -> None:
    _, found = read(tmp_path, dict.fromkeys(TASKS, "test"))
    assert list(found.estimates()) == [OVERALL]


def test_the_command_shows_them_under_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, found = read(tmp_path, SPLITS)
    main([str(run.folder)])
    told = capsys.readouterr().out
    each = found.estimates()[OVERALL]
    assert each.low is not None
    assert each.high is not None
    (line,) = [line for line in told.splitlines() if line.startswith(OVERALL) and " to " in line]
    assert line.split()[-5:] == [f"{100 * each.low:.1f}", "to", f"{100 * each.high:.1f}", "10", "40"]
    assert "95 % interval" in told


def test_one_task_has_a_score_and_no_interval(tmp_path: Path) -> None:
    found = Headlines()
    read_scored(write(tmp_path, episodes({"a": [{"s": 0.25}, {"s": 0.5}, {}]})), visitors=[found])
    assert found.table().splitlines()[-1].removeprefix(OVERALL).split() == ["37.5", "–", "1", "2"]


def test_nothing_has_neither() -> None:
    assert Headlines().table().splitlines()[-1].removeprefix(OVERALL).split() == ["–", "–", "0", "0"]
