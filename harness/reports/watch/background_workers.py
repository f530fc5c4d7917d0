"""Processes beside the server: started when there is something to do, let go when there was nothing for a while."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.installation import importing_environment

MOST = 2
IDLE = 30.0
"""Seconds without a job after which a background worker is let go."""
_COMMAND = (sys.executable, "-c", f"from {__package__}.background_worker import work; work()")


def start_worker(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start the process of a background worker.

    Args:
        command: Its program and arguments.
        environment: All that it is given of it.
    """
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


class BackgroundWorkerFailed(UserError):
    """A background worker could not do what it was asked for; the message says why."""


@dataclass(frozen=True)
class _Job:
    """What a background worker is to do.

    Attributes:
        words: As ``harness.reports.watch.background_worker`` takes it.
        told: Is told how much is done.
        answer: Will hold the result.
    """

    words: Mapping[str, Any]
    told: Callable[[int], None]
    answer: Future[Any]


class BackgroundWorkers:
    """Does jobs in at most ``MOST`` processes, those of little weight first."""

    def __init__(self) -> None:
        self._jobs: queue.PriorityQueue[tuple[int, int, _Job]] = queue.PriorityQueue()
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._at_work = 0

    def ask(
        self, job: Mapping[str, Any], weight: int = 0, told: Callable[[int], None] = lambda _done: None
    ) -> Future[Any]:
        """Have a job done.

        Args:
            job: As ``harness.reports.watch.background_worker`` takes it: ``do``, and its arguments.
            weight: How much it belongs to: what is soon done need not wait for what is not.
            told: Is told, in another thread, how much of a long one is done.

        Returns:
            What will hold the result, or ``BackgroundWorkerFailed``.
        """
        answer: Future[Any] = Future()
        with self._lock:
            self._jobs.put((weight, next(self._order), _Job(job, told, answer)))
            if self._at_work < min(MOST, os.cpu_count() or 1, self._jobs.qsize()):
                self._at_work += 1
                threading.Thread(target=self._employ, name="worker", daemon=True).start()
        return answer

    def _employ(self) -> None:
        """Hand jobs to one worker until there have been none for a while."""
        with _BackgroundWorker() as worker:
            while True:
                try:
                    _, _, job = self._jobs.get(timeout=IDLE)
                except queue.Empty:
                    with self._lock:
                        if self._jobs.empty():
                            self._at_work -= 1
                            return
                    continue
                worker.do(job)


class _BackgroundWorker:
    """One process, started again if it has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> _BackgroundWorker:
        return self

    def __exit__(self, *_error: object) -> None:
        self._end()

    def _end(self) -> None:
        """Let the process end, which it does when its input does."""
        if self._process:
            for stream in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            self._process.wait()
            self._process = None

    def do(self, job: _Job) -> None:
        """Have a job done, and put its result, or why there is none, into its answer."""
        try:
            said = self._asked(json.dumps(codec.plain(job.words)).encode() + b"\n")
            while "result" not in said:
                job.told(said["done"])
                said = self._said()
        except (OSError, codec.Malformed) as error:
            self._end()
            job.answer.set_exception(BackgroundWorkerFailed(f"the process that reads runs has ended: {error}"))
            return
        if said["error"]:
            job.answer.set_exception(BackgroundWorkerFailed(said["error"]))
        else:
            job.answer.set_result(said["result"])

    def _asked(self, line: bytes) -> dict[str, Any]:
        """What the worker says first of a job."""
        if self._process is None:
            self._process = start_worker(_COMMAND, importing_environment())
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - it is a pipe
        stdin.write(line)
        stdin.flush()
        return self._said()

    def _said(self) -> dict[str, Any]:
        """What it says next."""
        assert self._process is not None  # noqa: S101 - it was asked
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        return codec.decode(self._process.stdout.readline(), dict[str, Any])
