from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from harness.browser.reaper import BrowserReaper
from tests.run.processes import marked, nothing_is_left, temporary

LONG = [sys.executable, "-c", "import signal; print('up', flush=True); signal.pause()"]


@contextmanager
def watched(reaper: BrowserReaper) -> Iterator[subprocess.Popen[str]]:
    """A process that waits for ever, watched from before it runs."""
    with subprocess.Popen(
        LONG,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=reaper.watch_me,  # noqa: PLW1509 - as the driver is started
    ) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == "up\n"
            yield running
        finally:
            running.kill()


def test_what_is_still_watched_at_the_end_is_killed():
    with BrowserReaper() as reaper, watched(reaper) as process:
        reaper.__exit__(None, None, None)
        assert process.wait(30) == -signal.SIGKILL


def test_what_was_forgotten_lives_on():
    reaper = BrowserReaper()
    with watched(reaper) as process, watched(reaper) as other:
        reaper.forget(process.pid)
        reaper.__exit__(None, None, None)
        assert other.wait(30) == -signal.SIGKILL
        assert process.poll() is None


def test_what_one_process_had_watched_is_killed_when_told_and_nothing_else():
    reaper = BrowserReaper()
    with watched(reaper) as mine:
        theirs_read, theirs_write = os.pipe()
        child = os.fork()
        if child == 0:
            with watched(reaper) as process:
                os.write(theirs_write, f"{process.pid}\n".encode())
                os.kill(os.getpid(), signal.SIGKILL)
        theirs = int(os.read(theirs_read, 100))
        os.waitpid(child, 0)
        reaper.end(child)
        _wait_for_end(theirs)
        assert mine.poll() is None
        reaper.__exit__(None, None, None)


def _wait_for_end(process: int) -> None:
    """A process that is nobody's child any more is read from /proc; a dead one that waits to be collected is Z."""
    status = Path(f"/proc/{process}/stat")
    with suppress(FileNotFoundError, ProcessLookupError):
        while status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z":
            os.sched_yield()


def test_what_is_watched_is_killed_and_the_folder_removed_when_the_watching_process_is_killed():
    code = (
        "import os, signal, subprocess, sys; from harness.browser.reaper import BrowserReaper;"
        " reaper = BrowserReaper();"
        f"process = subprocess.Popen({LONG!r}, start_new_session=True, preexec_fn=reaper.watch_me,"
        "stdout=sys.stderr);"
        "(reaper.folder / 'left').write_text('x'); print(process.pid, reaper.folder, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.PIPE, text=True).stdout.split()
    _wait_for_end(int(told[0]))
    while Path(told[1]).exists():
        os.sched_yield()


def test_a_browser_that_nobody_watches_ends_with_the_process_that_started_it_and_leaves_no_files(tmp_path):
    code = (
        "import os, signal; from harness.browser.browser import Browser;"
        " from harness.browser.launch import BrowserSettings;"
        " browser = Browser(BrowserSettings('http://127.0.0.1:1'));"
        " print(browser.process_group, flush=True);"
        " os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "TMPDIR": str(temporary(tmp_path))}
    told = subprocess.run([sys.executable, "-c", code], env=environment, check=False, stdout=subprocess.PIPE, text=True)
    _wait_for_end(int(told.stdout))
    while not nothing_is_left(tmp_path):
        os.sched_yield()


def test_a_browser_that_was_ended_leaves_no_process_and_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(temporary(tmp_path)))
    monkeypatch.setenv("TEST_MARK", str(tmp_path))
    with Browser(BrowserSettings("http://127.0.0.1:1")):
        assert list(temporary(tmp_path).iterdir())
        assert marked(tmp_path)
    assert nothing_is_left(tmp_path)


def test_the_folder_for_temporary_files_goes_with_the_reaper():
    with BrowserReaper() as reaper:
        (reaper.folder / "file").write_text("x", encoding="utf-8")
    assert not reaper.folder.exists()


def test_a_reaper_that_was_killed_is_done_without():
    reaper = BrowserReaper()
    reaper._process.kill()
    reaper._process.wait()
    with watched(reaper) as process:
        reaper.forget(process.pid)
        reaper.end(process.pid)
        reaper.__exit__(None, None, None)
        assert process.poll() is None
    reaper.folder.rmdir()


def test_its_folder_goes_though_what_was_killed_still_writes_there_for_a_while(tmp_path, monkeypatch):
    """As on a busy machine: to remove the folder fails a dozen times."""
    tries = tmp_path / "tries"
    (tmp_path / "sleep").write_text("#!/bin/sh\n", encoding="utf-8")
    script = f'#!/bin/sh\necho >> {tries}\n[ "$(wc -l < {tries})" -gt 12 ] && exec /bin/rm "$@"\n'
    (tmp_path / "rm").write_text(script, encoding="utf-8")
    for name in ("sleep", "rm"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with BrowserReaper() as reaper:
        (reaper.folder / "written").touch()
    assert not reaper.folder.exists()
