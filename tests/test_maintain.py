"""The command that replays reference traces: what it says, writes and repairs."""

from __future__ import annotations

import base64
import builtins
import csv
import io
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.schemas import schema_text
from harness.cli.commands.tasks.maintain import main
from harness.kit.files.codec import read
from harness.kit.files.installation import BUNDLED_TASKS
from harness.run.progress import QuietProgress
from harness.sites.maintenance.maintenance import TraceChoice, maintain
from harness.sites.maintenance.maintenance_page import line_of
from harness.sites.maintenance.records import MaintenanceReport
from tests.sites.maintenance.stage import impatient

AIRPORT, COOKIES = "Travel - Home airport in Costa Rica", "Travel - Only the necessary cookies"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Two of the bundled tasks, to be repaired, one of them as the first row of its table fills it in."""
    for name in (AIRPORT, COOKIES):
        shutil.copytree(BUNDLED_TASKS / "_sites" / name, tmp_path / "tasks" / name)
    airport = tmp_path / "tasks" / AIRPORT
    row = next(csv.DictReader(io.StringIO((airport / "batch.csv").read_text(encoding="utf-8"))))
    (airport / "batch.csv").unlink()
    for file in (airport / "task.json", airport / "trace.json"):
        text = file.read_text(encoding="utf-8")
        for column, value in row.items():
            text = text.replace(f"${{{column}}}", value)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "tasks"


@pytest.fixture(scope="module", autouse=True)
def _impatient() -> Iterator[None]:
    with impatient():
        yield


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the two tasks on the other layout."""
    folder = tmp_path_factory.mktemp("moved")
    wanted = ["--task", AIRPORT, "--task", COOKIES]
    assert main([*wanted, "--variant", "moved", "--progress", "quiet", "--out", str(folder)]) == INCOMPLETE
    return folder


@pytest.mark.slow
def test_a_site_that_has_not_changed_gives_an_empty_report(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tasks), "--out", str(tmp_path / "out"), "--progress", "quiet"]) == COMPLETE
    assert capsys.readouterr().out.startswith("2 traces replayed: 2 holds\n")
    report = read(tmp_path / "out" / "report.json", MaintenanceReport)
    assert report.holds
    assert [trace.findings for trace in report.traces] == [(), ()]
    assert "Nothing has changed" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not (tmp_path / "out" / "pictures").exists()


@pytest.mark.slow
def test_the_report_for_programs_is_what_its_schema_says(moved: Path) -> None:
    written = json.loads((moved / "report.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(json.loads(schema_text("maintenance"))).validate(written)
    report = read(moved / "report.json", MaintenanceReport)
    # Three rows of one task, and the other.
    assert [trace.state for trace in report.traces] == ["broken"] * 3 + ["changed"]
    pictures = {each.picture_after for trace in report.traces for each in trace.findings if each.step} - {""}
    assert pictures
    assert pictures <= {each.name for each in (moved / "pictures").iterdir()}


@pytest.mark.slow
def test_the_report_for_people_needs_no_other_file_and_shows_before_and_now(moved: Path) -> None:
    page = BeautifulSoup((moved / "report.html").read_text(encoding="utf-8"), "html.parser")
    pictures = page.select("figure.shown img")
    assert pictures
    assert {each["alt"] for each in pictures} == {"Before", "Now"}
    assert page.select("script, link[rel=stylesheet], iframe") == []
    for each in pictures:
        kind, _, data = str(each["src"]).partition(",")
        assert kind == "data:image/webp;base64"
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            assert image.width == 900
    assert "#keep-preferences" in page.get_text()


@pytest.mark.slow
def test_accepted_repairs_are_written_and_proved_by_another_replay(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = [str(tasks), "--variant", "moved", "--accept-all", "--progress", "quiet", "--out", str(out)]
    assert main(command) == COMPLETE
    assert "2 traces replayed: 2 holds" in capsys.readouterr().out
    again = read(out / "repaired" / "report.json", MaintenanceReport)
    assert set(again.repaired) == {AIRPORT, COOKIES}
    facts, trace = (
        json.loads((tasks / AIRPORT / name).read_text(encoding="utf-8")) for name in ("task.json", "trace.json")
    )
    assert facts["variant"] == trace["variant"] == "moved"
    assert "#keep-preferences" in [step.get("element", {}).get("css") for step in trace["steps"]]
    assert "#keep-preferences" in [node["reference"] for node in facts["evaluators"]["key_nodes"]]
    text = (tasks / AIRPORT / "trace.json").read_text(encoding="utf-8")
    assert re.match(r'\{\n  "goal"', text)
    assert text.endswith("}\n")


@pytest.mark.slow
def test_one_repair_is_accepted_by_its_name(tasks: Path, tmp_path: Path, moved: Path) -> None:
    report = read(moved / "report.json", MaintenanceReport)
    wanted = next(each for each in report.traces[0].findings if each.after and each.after.css == "#keep-preferences")
    assert wanted.id in line_of(report.traces[0], wanted)
    before = (tasks / COOKIES / "trace.json").read_bytes()
    command = [str(tasks), "--variant", "moved", "--accept", wanted.id, "--progress", "quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == INCOMPLETE
    assert '"#keep-preferences"' in (tasks / AIRPORT / "trace.json").read_text(encoding="utf-8")
    assert (tasks / COOKIES / "trace.json").read_bytes() == before


@pytest.mark.slow
def test_a_person_is_asked_about_each_repair(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(builtins, "input", lambda question: asked.append(question) or "n")
    before = (tasks / COOKIES / "trace.json").read_bytes()
    command = [str(tasks), "--task", COOKIES, "--variant", "moved", "--repair", "--progress", "quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == INCOMPLETE
    assert len(asked) == 2
    assert "Only necessary" in capsys.readouterr().err
    assert (tasks / COOKIES / "trace.json").read_bytes() == before


def test_nobody_is_asked_where_nobody_can_answer(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tasks), "--repair"]) == WRONG_USE
    assert "--repair asks at a terminal" in capsys.readouterr().err


@pytest.mark.slow
def test_a_repair_that_was_not_found_changes_nothing(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(tasks), "--task", COOKIES, "--accept", "ffffffff", "--progress", "quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == WRONG_USE
    assert "there is no repair 'ffffffff'" in capsys.readouterr().err


@pytest.mark.slow
def test_tasks_that_cannot_be_replayed_are_named(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tasks / AIRPORT / "trace.json").unlink()
    assert main([str(tasks), "--out", str(tmp_path / "out"), "--progress", "quiet"]) == COMPLETE
    assert f"{AIRPORT}: left out: it has no trace.json" in capsys.readouterr().out
    assert main([str(tasks), "--task", AIRPORT, "--out", str(tmp_path / "other")]) == WRONG_USE
    assert "no trace to replay" in capsys.readouterr().err


@pytest.mark.slow
def test_an_unknown_layout_is_said(tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [str(tasks), "--task", COOKIES, "--variant", "upside-down", "--progress", "quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == INCOMPLETE
    assert "upside-down" in capsys.readouterr().out


class InterruptsAfterOne(QuietProgress):
    """Presses Ctrl-C when the first trace is done."""

    def advance(self, outcome: str | None, score: float | None, *, earned: bool = True) -> None:
        """One more is done."""
        super().advance(outcome, score, earned=earned)
        if self._count and self._count.done == 1:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.slow
def test_an_interrupt_leaves_what_was_replayed_so_far(tasks: Path) -> None:
    choice = TraceChoice(tasks, (COOKIES,), seeds=(0, 1, 2, 3, 4, 5))
    found = maintain(choice, InterruptsAfterOne())
    assert not found.report.complete
    assert not found.report.holds
    assert 1 <= len(found.report.traces) < 6
