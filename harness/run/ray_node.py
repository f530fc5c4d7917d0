"""The actor of a Ray cluster's node: it unpacks what the node needs, and keeps the process that works there."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from multiprocessing.connection import Connection, Pipe
from typing import Any

from harness.errors.user import UserError
from harness.files.hashing import hash_of_code
from harness.files.places import IMPORT_ROOT, importing_environment
from harness.run.line import NetworkLine
from harness.run.node_pool import NodeOrder, NodeReport, on_this_node
from harness.run.page_job import PageJob
from harness.run.parcel import Parcel, unpack, unpacked
from harness.run.task_parcel import MEDIA, MIRROR, TASKS, place_of

_STOP_SECONDS = 20.0
_PROCESS = "import sys; from harness.run.node_pool import main; main(int(sys.argv[1]))"


class NodeUnfit(UserError):
    """A node cannot play episodes of a run; the message says why."""


class NodeLost(Exception):
    """The process that works on a node has ended."""


def code_here() -> str:
    """A hash of the harness as it is on this machine."""
    return hash_of_code([("", "**/*.py")])


class NodeActor:
    """What Ray makes an actor of, one a node. Its methods are called in threads, as many as episodes are under way."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._waiting: dict[tuple[str, int], Future[NodeReport]] = {}
        self._line: Connection

    def open(self, order: NodeOrder, parcels: Mapping[str, list[Any]], code: str) -> str:
        """Start the process.

        Args:
            order: What the node needs.
            parcels: Name of each parcel and where Ray has it: it is fetched by a node that has not unpacked it yet.
            code: The harness of the run, see ``code_here``.

        Returns:
            Why this node cannot be used; empty if it can.
        """
        if code != code_here():
            return "it has another version of the harness; install the one of the run there"
        try:
            NetworkLine(order.home).ask("hello")
            self._start(order, parcels)
        except (UserError, OSError, ValueError, EOFError) as error:
            return str(error) or type(error).__name__
        return ""

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
                self._line.send((group, job))
            except OSError as error:
                raise NodeLost(str(error)) from error
        return report.result()

    def close(self) -> None:
        """End the process, which closes its browsers."""
        if self._process:
            # To close the line would tell it nothing, as long as another thread waits for what comes from there.
            with self._guard, contextlib.suppress(OSError):
                self._line.send(None)
            self._process.wait(_STOP_SECONDS)

    def _start(self, order: NodeOrder, parcels: Mapping[str, list[Any]]) -> None:
        import ray  # noqa: PLC0415 - it is there where there are actors

        folders = [unpacked(name) or unpack(Parcel(name, ray.get(data[0]))) for name, data in parcels.items()]
        tasks = place_of(folders, TASKS)
        if tasks is None:
            raise NodeUnfit("none of its tasks can be read")
        mirror = place_of(folders, MIRROR)
        here = on_this_node(order.config, tasks, place_of(folders, MEDIA))
        cache = mirror.parents[len(MIRROR.split("/")) - 1] if mirror else None
        self._line, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(theirs.fileno())],
            cwd=IMPORT_ROOT,
            env=importing_environment(),
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        self._line.send(NodeOrder(here, order.prepared, order.home, cache))
        first = self._line.recv()
        if isinstance(first, NodeReport):
            raise NodeUnfit(str(first.what))
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Hand reports to whom they concern, until the process ends."""
        try:
            while True:
                report: NodeReport = self._line.recv()
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
            self._line.close()
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if last:
                future.set_result(last)
            else:
                future.set_exception(NodeLost("its process ended"))
