"""Runs that are cut short and gone on with."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.records.directory import RunDirectory
from harness.records.under_way import UNDER_WAY, episodes_under_way
from tests.reports.watch.made_runs import answered, write_run
from tests.run.processes import evaluating, marked, needs_proc, nothing_is_left, until
from tests.task_folders import csv_text, make_task

TEXT_PAGE = "<p>${text}</p><input name=a>"
CHOICE_PAGE = "<p>${text}</p><select name=a><option value=1>1</option><option value=2>2</option></select>"


pytestmark = pytest.mark.usefixtures("module_cache")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with tasks and one undisturbed run of them."""
    folder = tmp_path_factory.mktemp("resume")
    for name, template in (("Text", TEXT_PAGE), ("Choice", CHOICE_PAGE)):
        rows = [[f"{name} {number}", str(number % 2 + 1)] for number in range(12)]
        make_task(folder / "tasks", name, template=template, table=csv_text(["text", "Answer.a"], *rows))
    assert main(["--solver", "oracle", *arguments(folder, folder / "whole"), "--workers", "1"]) == COMPLETE
    return folder


def arguments(home: Path, out: Path) -> list[str]:
    return ["--tasks-dir", str(home / "tasks"), "--out", str(out), "--progress", "quiet"]


def whole(home: Path) -> dict:
    return RunDirectory(home / "whole").canonical()


def cut_short(home: Path, out: Path, *more: str, keep: int = 5) -> RunDirectory:
    """A run of which all but some episodes are taken away again, as if it had been killed."""
    if more:
        assert main(["--solver", "oracle", *arguments(home, out), "--workers", "1", *more]) == COMPLETE
    else:
        shutil.copytree(home / "whole", out)
    run = RunDirectory(out)
    for file in sorted(run.folder.glob("episodes/*/*.json"))[keep:]:
        file.unlink()
    run.write(replace(run.read(), status="running"))
    return run


def times(out: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in out.glob("episodes/*/*.json")}


@pytest.mark.slow
def test_two_workers_leave_the_same_run_directory_as_one(home, tmp_path):
    assert main(["--solver", "oracle", *arguments(home, tmp_path / "run"), "--workers", "2"]) == COMPLETE
    assert RunDirectory(tmp_path / "run").canonical() == whole(home)


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_without_an_inventory_the_run_directory_is_the_same(home, tmp_path):
    assert main(["--solver", "oracle", *arguments(home, tmp_path / "run"), "--workers", "2"]) == COMPLETE
    assert RunDirectory(tmp_path / "run").canonical() == whole(home)


@pytest.mark.slow
@needs_proc
def test_a_run_that_is_killed_again_and_again_ends_as_one_that_was_not(home, tmp_path):
    """The moments are drawn by a seed; where in its work a run is then depends on the machine."""
    moments = random.Random(7)  # noqa: S311 - it draws moments, not keys
    out = tmp_path / "run"
    finished: dict[Path, int] = {}
    for kill in [True] * 3 + [False]:
        resume = (out / "run.json").exists()
        command = ["--resume", str(out)] if resume else ["--solver", "oracle", *arguments(home, out)]
        with evaluating([*command, "--workers", "2"], tmp_path) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(moments.uniform(0.2, 3.0) if kill else None)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            said = process.communicate()
        until(lambda: nothing_is_left(tmp_path))
        # None was repeated, none lost, none half-written.
        assert finished.items() <= times(out).items(), said
        finished = times(out)
        if (out / "run.json").exists():
            assert len(list(RunDirectory(out).episodes())) == len(finished)
    assert RunDirectory(out).read().status == "complete", said
    assert RunDirectory(out).canonical() == whole(home)
    assert not list(out.rglob(".*.part"))


@pytest.mark.slow
@needs_proc
def test_when_the_parent_alone_is_killed_nothing_is_left_behind(home, tmp_path):
    with evaluating(
        ["--solver", "tests.run_solvers:Waits", *arguments(home, tmp_path / "run"), "--workers", "2"],
        tmp_path,
        WAITS_SIGN=str(tmp_path / "sign"),
    ) as process:
        until(lambda: process.poll() is not None or (tmp_path / "sign").exists())
        assert len(marked(tmp_path)) > 5  # parent, workers, server, reaper, drivers and browsers
        assert {each.task for each in episodes_under_way(tmp_path / "run")} <= {"Choice", "Text"}
        assert (tmp_path / "run" / UNDER_WAY).exists()
        process.kill()
        process.communicate()
        until(lambda: nothing_is_left(tmp_path))
    assert not (tmp_path / "run" / UNDER_WAY).exists()


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_cut_short(home, tmp_path):
    run = cut_short(home, tmp_path / "run")
    before = times(run.folder)
    (run.folder / "episodes" / "Text" / ".0123456789abcdef.part").write_text("{", encoding="utf-8")
    assert main(["--resume", str(run.folder), "--workers", "2", "--progress", "quiet"]) == COMPLETE
    assert before.items() <= times(run.folder).items()
    assert run.canonical() == whole(home)
    assert run.read().resumed
    time, earlier = run.read().time, RunDirectory(home / "whole").read().time
    assert time.pages == earlier.pages == 24
    assert time.wall_seconds > earlier.wall_seconds > 0
    assert not list(run.folder.rglob(".*.part"))


@pytest.mark.slow
def test_an_episode_that_cannot_be_read_is_done_again(home, tmp_path):
    run = cut_short(home, tmp_path / "run", keep=24)
    run.episode_file("Text", 3).write_text("", encoding="utf-8")
    assert main(["--resume", str(run.folder), "--progress", "quiet"]) == COMPLETE
    assert run.canonical() == whole(home)


@pytest.mark.slow
def test_a_complete_run_stays_as_it_is(home, tmp_path, capsys):
    run = cut_short(home, tmp_path / "run", keep=24)
    before = times(run.folder)
    assert main(["--resume", str(run.folder), "--progress", "quiet"]) == COMPLETE
    assert times(run.folder) == before
    assert "overall" in capsys.readouterr().out


@pytest.mark.slow
def test_instances_without_a_score_are_tried_again(home, tmp_path):
    run = cut_short(home, tmp_path / "run", keep=24)
    for index in (2, 4):
        file = run.episode_file("Choice", index)
        file.write_text(file.read_text(encoding="utf-8").replace('"scored",', '"harness_error",', 1), encoding="utf-8")
    assert sum(made.outcome == "harness_error" for made in run.episodes()) == 2
    assert main(["--resume", str(run.folder), "--progress", "quiet"]) == COMPLETE
    assert run.canonical() == whole(home)


def refused(run: RunDirectory, capsys, *more: str) -> str:
    before = (run.folder / "run.json").read_bytes(), times(run.folder)
    assert main(["--resume", str(run.folder), *more]) == WRONG_USE
    assert ((run.folder / "run.json").read_bytes(), times(run.folder)) == before
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    return line


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--solver", "do-nothing"], "--solver"),
        (["--max-instances", "3"], "--max-instances"),
        (["--seed", "1"], "--seed"),
        (["--out", "elsewhere"], "--out"),
        (["--network", "none"], "--network"),
    ],
)
def test_what_a_run_has_decided_cannot_be_said_again(tmp_path, capsys, more, said):
    run = write_run(tmp_path / "run", answered(0), status="running")
    assert f"{said}: a run that is resumed goes on as it began" in refused(run, capsys, *more)


@pytest.mark.slow
@pytest.mark.claim("runs-tasks")
def test_a_run_whose_tasks_changed_cannot_be_resumed(tmp_path, capsys):
    make_task(
        tmp_path / "tasks", "Text", template=TEXT_PAGE, table=csv_text(["text", "Answer.a"], ["x", "1"], ["y", "2"])
    )
    run = cut_short(tmp_path, tmp_path / "run", "--max-instances", "1", keep=1)
    (tmp_path / "tasks" / "Text" / "template.html").write_text(TEXT_PAGE + " ", encoding="utf-8")
    assert "since it began, the task set changed" in refused(run, capsys)


@pytest.mark.slow
@pytest.mark.claim("runs-tasks")
def test_a_run_whose_overlay_changed_cannot_be_resumed(home, tmp_path, capsys):
    overlay = tmp_path / "overlay.json"
    overlay.write_text('{"tasks": {}}', encoding="utf-8")
    run = cut_short(home, tmp_path / "run", "--overlay", str(overlay), "--max-instances", "2", keep=1)
    overlay.write_text('{"tasks": {"Text": {"not_answers": {"x": "no answer"}}}}', encoding="utf-8")
    assert "the overlay and the task set changed" in refused(run, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("harness.run.resuming.code_hash", "the code that looks at pages"),
        ("harness.catalog.mirror.outside.Mirror.fingerprint", "the mirror"),
    ],
)
def test_a_run_made_by_other_code_or_with_another_mirror_cannot_be_resumed(  # noqa: PLR0917 - fixtures
    home, tmp_path, capsys, monkeypatch, place, said
):
    run = cut_short(home, tmp_path / "run", "--max-instances", "1", keep=1)
    monkeypatch.setattr(place, lambda *_: "other")
    assert f"since it began, {said} changed" in refused(run, capsys)


def test_what_is_no_run_cannot_be_resumed(tmp_path, capsys):
    assert main(["--resume", str(tmp_path)]) == WRONG_USE
    assert "it has no run.json" in capsys.readouterr().err


def test_a_new_run_needs_a_solver(capsys):
    assert main(["--workers", "1"]) == WRONG_USE
    said = capsys.readouterr().err
    assert all(each in said for each in ("give --solver: `oracle`", "`gpt-6-luna`", "`FILE.py:CLASS`", "--resume RUN"))
