"""Accepted repairs in the files of tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.sites.maintenance.records import FileEdit, MaintenanceReport, Proposal, ReplayedTrace, TraceFinding
from harness.sites.maintenance.repair import NotRepaired, apply, check_known, formatted_as, repairable


def found(name: str, *edits: FileEdit) -> TraceFinding:
    return TraceFinding(id=name, kinds=("renamed",), breaks=True, words="", proposal=Proposal(edits=edits))


def report_of(*findings: TraceFinding, site: str = "") -> MaintenanceReport:
    return MaintenanceReport(traces=(ReplayedTrace(task="Buy", site=site, findings=findings),))


def folder_with(tmp_path: Path, trace: Any, **layout: Any) -> Path:
    folder = tmp_path / "Buy"
    folder.mkdir()
    (folder / "trace.json").write_text(json.dumps(trace, **layout) + "\n", encoding="utf-8")
    return folder


STEPS = {"goal": "Kaufe Äpfel", "steps": [{"do": "click"}, {"do": "finish"}]}


def test_edits_are_written_where_they_were_found_and_insertions_do_not_shift_them(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, STEPS, indent=4)
    edits = (
        FileEdit(file="trace.json", at=("steps", 0), value={"do": "goto"}, insert=True),
        FileEdit(file="trace.json", at=("steps", 0, "url"), value="http://a.test/"),
        FileEdit(file="trace.json", at=("steps", 1, "value"), value="done"),
    )
    assert apply(tmp_path, report_of(found("a1", *edits)), ["a1"], None) == {"Buy": ("a1",)}
    assert json.loads((folder / "trace.json").read_text(encoding="utf-8"))["steps"] == [
        {"do": "goto"},
        {"do": "click", "url": "http://a.test/"},
        {"do": "finish", "value": "done"},
    ]


def test_only_what_was_accepted_is_written(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, STEPS)
    first, second = (found(name, FileEdit(file="trace.json", at=("goal",), value=name)) for name in ("first", "second"))
    apply(tmp_path, report_of(first, second), ["second"], None)
    assert json.loads((folder / "trace.json").read_text(encoding="utf-8"))["goal"] == "second"


@pytest.mark.parametrize(
    "before",
    [
        '{\n  "a": {\n    "ä": 1\n  }\n}\n',
        '{\n\t"a": {\n\t\t"ä": 1\n\t}\n}',
        '{\n    "a": {\n        "ä": 1\n    }\n}\n',
        '{"a": {"ä": 1}}\n',
    ],
)
def test_a_file_keeps_its_formatting(before: str) -> None:
    assert formatted_as(before.encode(), json.loads(before)) == before.encode()


def test_a_task_repaired_for_a_layout_is_of_that_layout_from_then_on(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, STEPS)
    (folder / "task.json").write_text('{"kind": "site"}', encoding="utf-8")
    edit = FileEdit(file="trace.json", at=("goal",), value="x")
    apply(tmp_path, report_of(found("a", edit), site="shop"), ["a"], "moved")
    for name in ("task.json", "trace.json"):
        assert json.loads((folder / name).read_text(encoding="utf-8"))["variant"] == "moved"


def test_a_file_that_has_changed_since_is_left_as_it_is(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, {"steps": []})
    before = (folder / "trace.json").read_bytes()
    edit = FileEdit(file="trace.json", at=("steps", 3, "url"), value="x")
    with pytest.raises(NotRepaired, match="has changed since the replay"):
        apply(tmp_path, report_of(found("a", edit)), ["a"], None)
    assert (folder / "trace.json").read_bytes() == before


def test_a_repair_that_was_not_found_cannot_be_accepted() -> None:
    report = report_of(found("a1", FileEdit(file="trace.json", at=("goal",), value="")), found("b2"))
    check_known(report, ["a1"])
    with pytest.raises(NotRepaired, match="no repair 'b2': those that were found are a1"):
        check_known(report, ["b2"])


def test_the_same_repair_of_two_replays_is_asked_about_once() -> None:
    finding = found("a1", FileEdit(file="trace.json", at=("goal",), value=""))
    trace = ReplayedTrace(task="Buy", findings=(finding,))
    assert len(repairable(MaintenanceReport(traces=(trace, trace)))) == 1
