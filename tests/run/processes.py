"""Runs in processes of their own, and what they leave behind."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.checkout import PROJECT
from tests.needs import PROC, needs

needs_proc = needs(PROC)


@contextmanager
def evaluating(arguments: Sequence[str], folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """``harness.evaluate`` as the leader of a process group; all that it starts carries the mark of ``folder``.

    Its temporary files are where ``temporary`` says.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "harness.evaluate", *arguments],
        cwd=PROJECT,
        env={
            **os.environ,
            "TEST_MARK": str(folder),
            "TMPDIR": str(temporary(folder)),
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def temporary(folder: Path) -> Path:
    """A folder of a short name for a run's temporary files: the path of a socket in it has to be short."""
    link = folder / "tmp"
    if not link.exists():
        made = tempfile.mkdtemp(prefix="t")
        Path(made).chmod(0o711)  # for the browser, which may run as another user
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        link.symlink_to(made)
    return link.resolve()


def marked(folder: Path) -> list[str]:
    """The command lines of the living processes that carry a mark, or keep their temporary files where those do."""
    marks = (f"TEST_MARK={folder}\0".encode(), f"TMPDIR={temporary(folder)}".encode())
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            if any(mark in environment for mark in marks) and state != "Z":
                found.append((entry / "cmdline").read_text(errors="replace").replace("\0", " "))
        except OSError:
            continue
    return found


def nothing_is_left(folder: Path) -> bool:
    """Whether no process of a run lives, and no temporary file of it is there."""
    return not marked(folder) and not any(temporary(folder).iterdir())


def until(condition, seconds: float = 60.0):
    """Wait until a condition gives something true, and give that."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.02)  # a process that works on its own gives no sign to wait for
    return value


def children(parent: int) -> list[int]:
    """The living processes that a process started itself and has not waited for."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                state, ppid = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                # The server of forks is the tests' own, and begins with whatever test needs it first.
                is_own = b"tests.forked_python" in (entry / "cmdline").read_bytes()
                if int(ppid) == parent and state != "Z" and not is_own:
                    found.append(int(entry.name))
    return found
