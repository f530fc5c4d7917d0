"""A dozen mistakes in a new task: the one command finds them all, and its output says how to mend each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.cli.boundary import FINDINGS
from harness.cli.commands.tasks import new
from oracle.check.__main__ import main
from oracle.check.validity_report import ValidityReport
from tests.checkout import PROJECT
from tests.oracle.check.planted import plant, plant_mended

pytestmark = pytest.mark.usefixtures("module_cache")

LINE = re.compile(r"mistake: (?P<task>Film \w+), (?P<where>[^:]+): (?P<what>.+)\. (?P<remedy>[A-Z].+)\.")


def check(tasks: Path, folder: Path) -> int:
    return main(["--tasks-dir", str(tasks), "--workers", "1", "--progress", "quiet", "--out", str(folder)])


@pytest.mark.slow
def test_every_planted_mistake_is_found_and_its_line_says_what_to_do(tmp_path, capsys):
    plant(tmp_path / "tasks")
    assert check(tmp_path / "tasks", tmp_path / "check") == FINDINGS
    said = capsys.readouterr().out
    found = [line for line in said.splitlines() if line.startswith("mistake: ")]
    assert len(found) == 13
    assert [line for line in found if not LINE.fullmatch(line)] == []
    guide = (PROJECT / "docs" / "reference" / "task-folder.md").read_text(encoding="utf-8")
    shown = [line for line in guide.splitlines() if line.startswith(("mistake: ", "note: "))]
    assert len(shown) == 3
    assert [line for line in shown if line not in said.splitlines()] == []
    assert {each.kind for each in ValidityReport.read(tmp_path / "check").mistakes} >= {
        "no option",
        "shown text",
        "joined otherwise",
        "beyond the range",
        "no value",
        "almost a field",
        "no field",
        "no name",
        "no fields at all",
        "open quote",
        "outside",
    }


@pytest.mark.slow
def test_the_example_task_is_checked_as_the_lesson_shows_before_and_after_its_mistake(tmp_path, capsys):
    lesson = (PROJECT / "docs" / "tutorials" / "your-own-task.md").read_text(encoding="utf-8")
    assert new.main([str(tmp_path / "tasks" / "Film reviews")]) == 0
    assert check(tmp_path / "tasks", tmp_path / "whole") == 0
    (counts,) = re.findall(r"^\d+ of \d+ scored fields .+$", lesson, re.MULTILINE)
    assert counts in capsys.readouterr().out.splitlines()
    table = tmp_path / "tasks" / "Film reviews" / "batch.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("comedy", "western", 1), encoding="utf-8")
    assert check(tmp_path / "tasks", tmp_path / "broken") == FINDINGS
    (mistake,) = re.findall(r"^> (mistake: .+)$", lesson, re.MULTILINE)
    assert mistake in capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_once_it_is_mended_nothing_is_said(tmp_path, capsys):
    plant_mended(tmp_path / "tasks")
    assert check(tmp_path / "tasks", tmp_path / "check") == 0
    said = capsys.readouterr().out
    assert "mistake" not in said
    assert "17 of 17 scored fields at their ceiling" in said
