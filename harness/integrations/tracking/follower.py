"""A run is logged while it goes on: in a process of its own, which reads what was written and talks to the tracker.

The process of the run tells it which episodes have ended and waits for nothing. So a tracker can be slow, hang or die,
its library can have threads, and episodes, which have labels, are read where no solver is forked from.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from harness.integrations.tracking.tracker import TRACKERS, Tracker
from harness.kit.files.installation import to_type
from harness.records.directory import NotARun, RunDirectory
from harness.run.forked import PROCESSES, live_with

PATIENCE = 120.0
"""Seconds for which a tracker may be silent once the run is over."""
_TICK = 0.5
_SIGN_OF_LIFE = 1.0
"""Seconds between two of the follower's, which are empty texts."""
_START, _END = "start", "end"
_Word = str | tuple[str, int]
"""``_START``, an episode by task and index, or ``_END``."""


class Follower:
    """A context around a run: one tracker that is told of it. See ``harness.run.run_result.RunWatcher``."""

    def __init__(self, name: str, folder: Path, say: Callable[[str], None], patience: float = PATIENCE) -> None:
        """Prepare.

        Args:
            name: The tracker, one of ``TRACKERS``.
            folder: The run directory.
            say: Is told what its user should know.
            patience: Seconds for which it may be silent once the run is over.
        """
        self._name = name
        self._folder = folder
        self._say = say
        self._patience = patience
        self._waiting: deque[_Word] = deque()
        self._is_planned = False
        self._is_there = True

    def __enter__(self) -> Follower:
        read, self._words = PROCESSES.Pipe(duplex=False)
        self._told, told = PROCESSES.Pipe(duplex=False)
        parent = os.getpid()

        def follow() -> None:
            self._words.close()
            self._told.close()
            live_with(parent)
            _follow(self._name, self._folder, read, told)

        self._process = PROCESSES.Process(target=follow)
        self._process.start()
        read.close()
        told.close()
        return self

    def planned(self, finished: Iterable[tuple[str, int]]) -> None:
        """See ``RunWatcher``."""
        self._waiting.extendleft([*sorted(finished, reverse=True), _START])
        self._is_planned = True
        self._pass_on(0.0)

    def ended(self, task: str, index: int) -> None:
        """See ``RunWatcher``."""
        self._waiting.append((task, index))
        self._pass_on(0.0)

    def _pass_on(self, seconds: float) -> bool:
        """Hand on what there is room for and hear what is said; whether it was so within this time."""
        if not self._is_planned or not self._is_there:
            return False
        try:
            while self._waiting and _has_room(self._words):
                self._words.send(self._waiting.popleft())
            heard = bool(wait([self._told], seconds))
            while self._told.poll():
                if text := self._told.recv():
                    self._say(text)
        except (EOFError, OSError):
            self._is_there = False
            return False
        return heard

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Where nothing was played there is no run any more.
        is_run = self._is_planned and RunDirectory(self._folder).exists()
        try:
            # What the run came to is known: who does not want to wait may still see it.
            with contextlib.suppress(KeyboardInterrupt):
                if is_run:
                    self._wait_for_it()
        finally:
            self._process.kill()
            self._process.join()
            self._words.close()
            self._told.close()
        if is_run and self._process.exitcode != 0:
            again = to_type("export log", self._folder, "--to", self._name)
            self._say(f"not all of the run is logged to {self._name}; this logs it again: {again}")

    def _wait_for_it(self) -> None:
        """Let it log what is left, as long as it shows that it does."""
        self._waiting.append(_END)
        deadline = time.monotonic() + self._patience
        while self._is_there and time.monotonic() < deadline:
            if self._pass_on(_TICK):
                deadline = time.monotonic() + self._patience
        if not self._is_there:
            self._process.join(self._patience)


def _has_room(pipe: Connection) -> bool:
    """Whether a word can be written without waiting: all are shorter than what a pipe takes in one piece."""
    poll = select.poll()
    poll.register(pipe, select.POLLOUT)
    return bool(poll.poll(0))


def _follow(name: str, folder: Path, words: Connection, told: Connection) -> NoReturn:
    """What the process does."""
    # The process of the run is to have none of this: its workers would have it, too.
    from harness.integrations.tracking.run_log import RunLog  # noqa: PLC0415

    tracker, run, shown = TRACKERS[name], RunDirectory(folder), 0.0
    if tracker.prints:
        _be_silent()

    def make() -> Tracker:
        # To import all this may take as long as what follows.
        told.send("")
        made = tracker.make()
        told.send("")
        return made

    log = RunLog(name, make, folder, told.send)
    try:
        while (word := words.recv()) != _END:
            if word == _START:
                log.start()
            else:
                log.episode(run.episode(*word))
            if time.monotonic() - shown > _SIGN_OF_LIFE:
                shown = time.monotonic()
                told.send("")
        log.end()
    except NotARun as error:
        told.send(f"{name}: {error}")
        sys.exit(1)
    except (EOFError, OSError):  # the run's process has ended
        sys.exit(1)
    sys.exit(1 if log.failures else 0)


def _be_silent() -> None:
    """Keep the run's own lines on the terminal whole."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


class Followers:
    """A context around a run, see ``harness.run.run_result.RunWatcher``: a process for each tracker, or none."""

    def __init__(self, names: Sequence[str], folder: Path, say: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            names: Trackers, of ``harness.integrations.tracking.tracker.TRACKERS``.
            folder: The run directory.
            say: Is told what the user should know.
        """
        self._all = [Follower(name, folder, say) for name in dict.fromkeys(names)]
        self._stack = ExitStack()

    def __enter__(self) -> Followers:
        with ExitStack() as stack:
            for each in self._all:
                stack.enter_context(each)
            self._stack = stack.pop_all()
        return self

    def planned(self, finished: Iterable[tuple[str, int]]) -> None:
        """See ``RunWatcher``."""
        before = list(finished)
        for each in self._all:
            each.planned(before)

    def ended(self, task: str, index: int) -> None:
        """See ``RunWatcher``."""
        for each in self._all:
            each.ended(task, index)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
