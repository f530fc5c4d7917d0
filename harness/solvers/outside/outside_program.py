"""A program from outside: started in a process group of its own, heard, and ended with all that it started."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from harness.browser.box.box import NO_BOX, Box, Needs
from harness.browser.box.hidden_places import HiddenPlaces, hidden_places
from harness.browser.box.isolation import CannotIsolate, Isolation, settled
from harness.browser.box.program_options import BoxOptions
from harness.browser.box.relay import Address
from harness.browser.piped_process import end_group
from harness.browser.reaper import BrowserReaper
from harness.episode.solver import Setup, WrongOptions
from harness.kit.files.installation import allowed
from harness.kit.options import view
from harness.kit.text import counted
from harness.models.call_options import CallOptions


def box_options(options: BoxOptions) -> BoxOptions:
    """The options about the box, looked over and filled in.

    Raises:
        WrongOptions: there can be no such box here, or they cannot be meant so.
    """
    try:
        return settled(options)
    except CannotIsolate as error:
        raise WrongOptions(str(error)) from None


def box_of(setup: Setup) -> Box:
    """The box of a run's programs.

    Raises:
        WrongOptions: it is to show what has to be hidden.
    """
    cache = view(CallOptions, setup.options).cache

    def hidden() -> HiddenPlaces:
        return hidden_places(setup.tasks_dir, setup.folder, setup.overlay, Path(cache) if cache else None)

    try:
        box = Box(Isolation.of(setup.options), hidden)
        box.check()
    except CannotIsolate as error:
        raise WrongOptions(str(error)) from None
    return box


def reach_of(*urls: str) -> tuple[Address, ...]:
    """Where addresses of this machine lead, each once."""
    found = (urlsplit(url) for url in urls)
    return tuple(dict.fromkeys(Address(url.hostname, url.port) for url in found if url.hostname and url.port))


PASSED_ON = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ",
    "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""Variables of our own environment that every program is given: where programs, files and words are found."""
KEPT_HEAD, KEPT_TAIL = 4_000, 16_000
"""Bytes that are kept of each of a program's outputs: the beginning says what it was about, the end what went wrong."""
LISTEN_SECONDS = 0.25
"""How often whoever started the program is asked to see to other things."""
NO_NEEDS = Needs()
_LOOK_SECONDS = 0.02
_PIECE = 65_536


def inherited() -> dict[str, str]:
    """The variables of ``PASSED_ON`` that are set."""
    return allowed(PASSED_ON)


def told_of(refused: Mapping[str, int]) -> str:
    """What was refused to a program in a box, in words; empty if nothing was."""
    if not refused:
        return ""
    return "the box refused: " + ", ".join(f"{where} ({counted(often, 'time')})" for where, often in refused.items())


class CannotStart(Exception):
    """The program cannot be started; the message says why."""


class Output:
    """The beginning and the end of what a program writes, however much it is."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._size = 0

    def add(self, data: bytes) -> None:
        """Take down what it wrote next."""
        self._size += len(data)
        room = KEPT_HEAD - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-KEPT_TAIL:]

    @property
    def text(self) -> str:
        """What was kept, with a line that says how much was left out between."""
        left_out = self._size - len(self._head) - len(self._tail)
        between = f"\n[... {counted(left_out, 'byte')} left out ...]\n".encode() if left_out else b""
        return (self._head + between + self._tail).decode("utf-8", "replace")


class Program:
    """One start of a program.

    Attributes:
        stdout: What it has written to its standard output so far.
        stderr: The same for its standard error.
        refused: What it wanted to reach out of its box in vain, in words; empty if nothing.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], box: Box = NO_BOX, needs: Needs = NO_NEEDS
    ) -> None:
        """Prepare it.

        Args:
            command: The program and its arguments; no shell reads them.
            environment: Its variables, beside those of ``PASSED_ON``.
            box: How it is shut in.
            needs: What it needs of this machine in the box.
        """
        self.stdout = Output()
        self.stderr = Output()
        self._command = list(command)
        self._environment = {**inherited(), **environment}
        self._box = box
        self._needs = needs
        self.refused = ""

    def run(self, told: str, seconds: float, meanwhile: Callable[[], None]) -> int | None:
        """Start it and wait until it has ended; what it started and left running is ended, too.

        It works in the current folder, in a process group of its own, with a folder for temporary files that is
        removed. If this process is killed, it is, too.

        Args:
            told: What it can read from its standard input.
            seconds: How long it may take.
            meanwhile: Called every ``LISTEN_SECONDS``; if it raises, the program is ended.

        Returns:
            Its exit status, negative for the signal that ended it; None if it was ended because its time was up.

        Raises:
            CannotStart: it cannot be started.
        """
        with (
            BrowserReaper() as reaper,
            self._box.opened(self._command, self._environment, reaper.folder, self._needs) as boxed,
        ):
            try:
                process = subprocess.Popen(
                    boxed.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=boxed.environment,
                    start_new_session=True,
                    preexec_fn=reaper.watch_me,  # noqa: PLW1509 - it calls nothing that could hold a lock
                )
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                raise CannotStart(f"{self._command[0]} cannot be started: {error}") from error
            in_time = False
            try:
                in_time = self._attend(process, told.encode(), time.monotonic() + seconds, meanwhile)
            finally:
                end_group(process.pid)
                process.wait()
                reaper.forget(process.pid)
                self._read_the_rest(process)
                self.refused = told_of(boxed.refused)
            if not boxed.has_begun:
                raise CannotStart(f"{self._command[0]} cannot be started: the box failed: {self.stderr.text.strip()}")
            return process.returncode if in_time else None

    def _attend(
        self, process: subprocess.Popen[bytes], told: bytes, deadline: float, meanwhile: Callable[[], None]
    ) -> bool:
        """Hear the program until it has ended; False if its time is up before."""
        listen_at = time.monotonic()
        with selectors.DefaultSelector() as streams:
            for stream, output in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
                assert stream  # noqa: S101 - both are pipes
                os.set_blocking(stream.fileno(), False)
                streams.register(stream, selectors.EVENT_READ, output)
            assert process.stdin  # noqa: S101 - a pipe, too
            os.set_blocking(process.stdin.fileno(), False)
            streams.register(process.stdin, selectors.EVENT_WRITE)
            while process.poll() is None:
                now = time.monotonic()
                if now >= deadline:
                    return False
                if now >= listen_at:
                    meanwhile()
                    listen_at = time.monotonic() + LISTEN_SECONDS
                if not streams.get_map():
                    # It has closed its ends and runs on: there is nothing to select on but its end.
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_LOOK_SECONDS)
                for key, _ in streams.select(_LOOK_SECONDS):
                    if key.fileobj is process.stdin:
                        told = _write(process.stdin, told)
                        if not told:
                            streams.unregister(process.stdin)
                            process.stdin.close()
                    elif not _read(key.fd, key.data):
                        streams.unregister(key.fileobj)
        return True

    def _read_the_rest(self, process: subprocess.Popen[bytes]) -> None:
        """Read what is in the pipes still, and close them; not to their end, which somebody else may keep open."""
        for stream, output in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            if stream:
                while _read(stream.fileno(), output) and _is_readable(stream):
                    pass
                stream.close()
        if process.stdin:
            process.stdin.close()


def _read(descriptor: int, output: Output) -> bool:
    """Take down what is there; False at the end."""
    try:
        data = os.read(descriptor, _PIECE)
    except BlockingIOError:
        return True
    output.add(data)
    return bool(data)


def _is_readable(stream: IO[bytes]) -> bool:
    with selectors.DefaultSelector() as one:
        one.register(stream, selectors.EVENT_READ)
        return bool(one.select(0))


def _write(stream: IO[bytes], data: bytes) -> bytes:
    """Write what the pipe takes; gives the rest. A program that does not read what it is told need not."""
    try:
        return data[os.write(stream.fileno(), data) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return b""
