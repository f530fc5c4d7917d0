"""A dozen mistakes in a new task: the one command finds them all, and its output says how to mend each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.cli.boundary import FINDINGS
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
    guide = (PROJECT / "docs" / "tutorials" / "your-own-task.md").read_text(encoding="utf-8")
    assert [line for line in found if f"    {line}\n" not in guide] == []
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
def test_once_it_is_mended_nothing_is_said(tmp_path, capsys):
    plant_mended(tmp_path / "tasks")
    assert check(tmp_path / "tasks", tmp_path / "check") == 0
    said = capsys.readouterr().out
    assert "mistake" not in said
    assert "17 of 17 scored fields at their ceiling" in said
