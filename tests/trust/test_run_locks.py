"""One process writes a run directory at a time."""

from __future__ import annotations

import datetime
import errno
import fcntl
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.cli.boundary import WRONG_USE
from harness.cli.commands.evaluate import main
from harness.cli.commands.papers import agreement
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.folder_lock import LOCK, FolderInUse, FolderLock
from harness.run.new_folder import default_folder, made_folder, new_folder
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from oracle.check.__main__ import main as check
from tests.checkout import PROJECT
from tests.run.processes import evaluating, until
from tests.run_solvers import Waits
from tests.samples import run_record
from tests.task_folders import make_task

HOLD = """
import pathlib, subprocess, sys
from harness.records.folder_lock import FolderLock
lock = FolderLock(pathlib.Path(sys.argv[1]))
if len(sys.argv) > 2:
    program = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
    pathlib.Path(sys.argv[2]).write_text(str(program.pid))
print("held", flush=True)
sys.stdin.read()
"""


def holder(folder: Path, *program: str) -> subprocess.Popen[str]:
    """A process that holds the lock of a folder until its input ends.

    It starts a program, too, if a file is named that takes the number of its process.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), *program],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.claim("runs-folders")
def test_runs_that_begin_in_the_same_moment_get_a_folder_each(tmp_path):
    now = datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.UTC)
    config = RunConfig("random", tmp_path)
    with ThreadPoolExecutor(16) as many:
        folders = list(many.map(lambda _: default_folder(config, now, tmp_path / "runs"), range(48)))
    assert len(set(folders)) == 48
    assert all(folder.is_dir() for folder in folders)


def test_a_folder_that_was_made_for_a_run_that_came_to_nothing_is_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with new_folder(RunConfig("random", tmp_path), None) as folder:
        assert folder.is_dir()
    assert list((tmp_path / "runs").iterdir()) == []


def test_a_folder_cannot_be_written_by_two_and_the_second_is_told_who_the_first_is(tmp_path):
    with holder(tmp_path / "run") as process:
        with pytest.raises(FolderInUse, match=rf"process {process.pid} writes it since \d{{4}}-.*wait until it ends"):
            FolderLock(tmp_path / "run")
        process.communicate("")
    FolderLock(tmp_path / "run").release()


@pytest.mark.claim("runs-lock-end")
def test_the_lock_of_a_killed_process_is_gone_even_if_a_program_that_it_started_lives_on(tmp_path):
    with holder(tmp_path / "run", str(tmp_path / "pid")) as process:
        os.killpg(process.pid, signal.SIGKILL)
    program = int((tmp_path / "pid").read_text(encoding="utf-8"))
    try:
        assert (tmp_path / "run" / LOCK).exists()
        with FolderLock(tmp_path / "run"):
            os.kill(program, 0)  # it lives
    finally:
        os.kill(program, signal.SIGKILL)
    assert not (tmp_path / "run").exists()  # nothing was written into it


def test_a_lock_leaves_no_file_behind_and_no_empty_folder(tmp_path):
    with FolderLock(tmp_path / "run") as lock:
        (tmp_path / "run" / "x").touch()
        assert lock.folder == tmp_path / "run"
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["x"]


def test_what_a_stranger_wrote_into_the_lock_is_not_believed(tmp_path):
    (tmp_path / LOCK).write_text('{"pid": "\\u001b[2J", "host": [], "since": {}}', encoding="utf-8")
    with (tmp_path / LOCK).open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(FolderInUse, match="another process writes it"):
            FolderLock(tmp_path)


def test_a_lock_that_is_a_link_is_not_written_through(tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / LOCK).symlink_to(tmp_path / "mine")
    with pytest.raises(Exception, match="cannot be written"):
        FolderLock(tmp_path / "run")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"


def test_a_file_system_without_locks_is_told_of_in_one_line(tmp_path, monkeypatch, capsys):
    def refuses(_file: int, how: int) -> None:
        if how != fcntl.LOCK_UN:
            raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuses)
    with FolderLock(tmp_path / "run"):
        assert "cannot be locked (No locks available)" in capsys.readouterr().err


def commands(tasks: Path, out: Path) -> dict[str, list[str]]:
    own = ["--tasks-dir", str(tasks), "--progress", "quiet"]
    return {
        "another solver": ["--solver", "do-nothing", "--out", str(out), *own],
        "resume": ["--resume", str(out), "--yes", "--progress", "quiet"],
    }


@pytest.mark.slow
@pytest.mark.claim("runs-lock")
def test_a_run_that_is_under_way_is_neither_written_into_nor_gone_on_with(tmp_path, capsys):
    make_task(tmp_path / "tasks", "T")
    out = tmp_path / "run"
    arguments = ["--solver", f"{Waits.__module__}:Waits", "--tasks-dir", str(tmp_path / "tasks"), "--out", str(out)]
    with evaluating(arguments, tmp_path, WAITS_SIGN=str(tmp_path / "sign")) as process:
        until(lambda: process.poll() is not None or (tmp_path / "sign").exists())
        before = sorted(out.rglob("*"))
        for name, command in commands(tmp_path / "tasks", out).items():
            assert main(command) == WRONG_USE, name
            (line,) = capsys.readouterr().err.splitlines()
            assert str(out) in line
        assert f"process {process.pid} writes it since" in line
        (tmp_path / "predictions.jsonl").touch()
        assert agreement.main([str(out), "--predictions", str(tmp_path / "predictions.jsonl")]) == WRONG_USE
        assert "is in use" in capsys.readouterr().err
        assert sorted(out.rglob("*")) == before
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_a_folder_that_another_run_has_taken_meanwhile_is_not_written_into(tmp_path):
    """Both runs saw an empty folder; the first has ended when the second begins."""
    make_task(tmp_path / "tasks", "T")
    run = Run(RunConfig("do-nothing", tmp_path / "tasks"), tmp_path / "run", QuietProgress())
    RunDirectory(tmp_path / "run").write(run_record())
    before = (tmp_path / "run" / "run.json").read_bytes()
    with pytest.raises(FolderInUse, match="already holds a run"):
        run.execute()
    assert (tmp_path / "run" / "run.json").read_bytes() == before
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["run.json"]


@pytest.mark.claim("runs-lock")
def test_a_check_keeps_others_out_of_its_folder(tmp_path, capsys):
    make_task(tmp_path / "tasks", "T")
    with holder(tmp_path / "check") as process:
        assert check(["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "check")]) == WRONG_USE
        (line,) = capsys.readouterr().err.splitlines()
        assert f"process {process.pid} writes it" in line
        process.communicate("")


def test_folders_of_the_same_name_get_numbers(tmp_path):
    assert [made_folder(tmp_path, "a").name for _ in range(3)] == ["a", "a-2", "a-3"]
