"""The actor of a Ray cluster's node: it writes what the node needs, keeps the process that works there, and relays."""

from __future__ import annotations

import contextlib
import itertools
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files.installation import IMPORT_ROOT, hash_of_code, importing_environment
from harness.run.bundle import CACHE, MEDIA, TASKS, Bundle, write, written
from harness.run.forked import ChildAnswer
from harness.run.node_pool import NodeOrder, NodeReport, on_this_node
from harness.run.page_job import PageJob
from harness.run.rpc import Question, accepted

_STOP_SECONDS = 20.0
_PROCESS = f"import sys; from {__package__}.node_pool import main; main(*map(int, sys.argv[1:]))"


class NodeUnfit(UserError):
    """A node cannot play episodes of a run; the message says why."""


class NodeLost(Exception):
    """The process that works on a node has ended."""


@dataclass(frozen=True)
class OpenedNode:
    """What an actor says first.

    Attributes:
        node: The id of its node.
        name: Of its node, for people.
        refusal: Why that cannot be used; empty if it can.
    """

    node: str
    name: str
    refusal: str


@dataclass(frozen=True)
class WorkerQuestion:
    """What a worker of a node asks the run.

    Attributes:
        worker: The number of its pipe; a worker may have several.
        question: What it asks; None if the pipe has ended.
    """

    worker: int
    question: Question | None


@dataclass(frozen=True)
class WorkerAnswer:
    """What the run answers a worker of a node.

    Attributes:
        worker: The number of its pipe.
        answer: The answer.
    """

    worker: int
    answer: ChildAnswer


def code_here() -> str:
    """A hash of the harness as it is on this machine."""
    return hash_of_code([("", "**/*.py")])


class NodeActor:
    """What Ray makes an actor of, one a node. Its methods are called in threads, and by the run alone.

    Workers ask nobody but this actor, which asks nobody: the run takes their questions, and brings the answers.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._waiting: dict[tuple[str, int], Future[NodeReport]] = {}
        self._pipe: Connection
        self._workers: dict[int, Connection] = {}
        self._questions: queue.SimpleQueue[WorkerQuestion] = queue.SimpleQueue()

    def open(self, order: NodeOrder, bundles: Mapping[str, tuple[str, list[Any]]], code: str) -> OpenedNode:
        """Start the process.

        Args:
            order: What the node needs.
            bundles: For each, see ``bundles_for``, its name and where Ray has it: it is fetched by a node that has not
                written it yet.
            code: The harness of the run, see ``code_here``.
        """
        import ray  # noqa: PLC0415 - it is there where there are actors

        refusal = ""
        try:
            if code != code_here():
                raise NodeUnfit("it has another version of turkbench; install the one of the run there")
            self._start(
                order,
                {
                    kind: written(name) or write(Bundle(name, ray.get(files[0])))
                    for kind, (name, files) in bundles.items()
                },
            )
        except (UserError, OSError, ValueError, EOFError) as error:
            refusal = str(error) or type(error).__name__
        return OpenedNode(ray.get_runtime_context().get_node_id(), ray.util.get_node_ip_address(), refusal)

    def play(self, group: str, job: PageJob) -> NodeReport:
        """Have one episode played.

        Args:
            group: Of the job, see ``harness.run.pool.Pool.put``.
            job: The episode.

        Raises:
            NodeLost: the process has ended.
        """
        report: Future[NodeReport] = Future()
        with self._guard:
            self._waiting[job.task, job.index] = report
            try:
                self._pipe.send((group, job))
            except OSError as error:
                raise NodeLost(str(error)) from error
        return report.result()

    def questions(self) -> list[WorkerQuestion]:
        """Wait until workers ask something; gives what they ask."""
        found = [self._questions.get()]
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._questions.get_nowait())
        return found

    def answer(self, answers: Sequence[WorkerAnswer]) -> None:
        """Bring answers to questions; nothing happens where nobody waits for one any more."""
        for each in answers:
            with self._guard, contextlib.suppress(OSError):
                if each.worker in self._workers:
                    self._workers[each.worker].send(each.answer)

    def close(self) -> None:
        """End the process, which closes its browsers."""
        if self._process:
            # To close the pipe would tell it nothing, as long as another thread waits for what comes from there.
            with self._guard, contextlib.suppress(OSError):
                self._pipe.send(None)
            self._process.wait(_STOP_SECONDS)

    def _start(self, order: NodeOrder, folders: Mapping[str, Path]) -> None:
        if not any(folders[TASKS].iterdir()):
            raise NodeUnfit("none of its tasks can be read")
        here = on_this_node(order.config, folders[TASKS], folders.get(MEDIA))
        self._pipe, theirs = Pipe()
        ours, workers = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with theirs, workers:
            ends = theirs.fileno(), workers.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROCESS, *map(str, ends)],
                cwd=IMPORT_ROOT,
                env=importing_environment(),
                stdin=subprocess.DEVNULL,
                pass_fds=ends,
                start_new_session=True,
            )
        self._pipe.send(NodeOrder(here, order.prepared, folders.get(CACHE)))
        threading.Thread(target=self._relay, args=(ours,), daemon=True).start()
        first = self._pipe.recv()
        if isinstance(first, NodeReport):
            raise NodeUnfit(str(first.what))
        threading.Thread(target=self._listen, daemon=True).start()

    def _relay(self, there: socket.socket) -> None:
        """Take what workers ask, until they hang up."""
        workers: dict[Any, int] = {}
        numbers = itertools.count()
        while True:
            for ready in wait([there, *workers]):
                if ready is there:
                    joined = dict(zip(accepted(there), numbers, strict=False))
                    workers |= joined
                    with self._guard:
                        self._workers |= {number: pipe for pipe, number in joined.items()}
                elif question := _asked(ready):
                    self._questions.put(WorkerQuestion(workers[ready], question))
                else:
                    number = workers.pop(ready)
                    with self._guard:
                        self._workers.pop(number).close()
                    self._questions.put(WorkerQuestion(number, None))

    def _listen(self) -> None:
        """Hand reports to whom they concern, until the process ends."""
        try:
            while True:
                report: NodeReport = self._pipe.recv()
                if report.kind == "fatal":
                    self._end(report)
                    return
                with self._guard:
                    future = self._waiting.pop((report.task, report.index))
                future.set_result(report)
        except (EOFError, OSError):
            self._end(None)

    def _end(self, last: NodeReport | None) -> None:
        """Nothing comes any more, but for the last report, if there is one; it concerns all."""
        with self._guard:
            self._pipe.close()
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if last:
                future.set_result(last)
            else:
                future.set_exception(NodeLost("its process ended"))


def _asked(worker: Any) -> Question | None:
    """What a worker asks; None if it is gone, or says what is no question."""
    try:
        asked = worker.recv()
    except Exception:  # noqa: BLE001 - whatever it sends, the others are served
        return None
    return asked if isinstance(asked, Question) else None
