"""The nodes of a Ray cluster: an actor on each has its browsers and their task server, an episode is a task of Ray."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from harness.browser.navigation_policy import FORM
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog.problems import Problem
from harness.run.engine import EngineOrder, NoEngine, Played, weight_of
from harness.run.interrupts import SIGNALS
from harness.run.job_queues import JobQueues
from harness.run.line import LineCut
from harness.run.node_pool import NodeOrder, NodeReport
from harness.run.page_job import PageJob
from harness.run.parcel import Parcel
from harness.run.plan import PlannedTask
from harness.run.pool import TICK_SECONDS
from harness.run.ray_node import NodeActor, code_here
from harness.run.reception import Reception
from harness.run.task_parcel import pack_outside, pack_tasks
from harness.run.worker import ATTEMPTS
from harness.runlog.directory import RUN_FILE
from harness.runlog.fatal import FatalError
from harness.runlog.planned import SAMPLE_FILE

LOOK_SECONDS = 2.0
"""How often the cluster is asked which nodes it has."""
NODE_SECONDS = 60.0
"""How long a run without any node waits for one."""
_CLOSE_SECONDS = 10.0
_MODE = "RAY_AUTH_MODE"


class NoNodes(FatalError):
    """No node of the cluster can play episodes (any more)."""


@dataclass
class _Seat:
    """A node that plays episodes.

    Attributes:
        name: Of the node, for people.
        actor: Its actor.
        opening: The task that opens it; None once it is open.
        jobs: The task of each episode under way, with the episode's number.
        group: Of its last episode.
        is_try: Of the one episode that a pause lets through.
    """

    name: str
    actor: Any
    opening: Any
    jobs: dict[Any, tuple[int, PageJob]] = field(default_factory=dict)
    group: str = ""
    is_try: bool = False


class RayEngine:
    """See ``harness.run.engine.Engine``.

    Every node of the cluster that has a processor is used, also one that joins late; each plays as many episodes at
    once as the run has workers. The episodes of a node that is lost are played again elsewhere.
    """

    def __init__(self, order: EngineOrder, address: str | None) -> None:
        """Prepare; nothing is started yet.

        Args:
            order: What to do.
            address: Of the cluster, which this machine belongs to; None for the one it belongs to, or a new one.
        """
        self._order = order
        self._address = address
        self._listener, self._pause = order.listener, order.pause
        self._stack = ExitStack()
        self._queues: JobQueues[PageJob] = JobQueues()
        self._seats: dict[str, _Seat] = {}
        self._unfit: dict[str, str] = {}
        self._losses: Counter[int] = Counter()
        self._broken: Counter[str] = Counter()
        self._shown: set[str] = set()
        self._stopping = False
        self._looked = -LOOK_SECONDS
        self._seen = time.monotonic()
        self._node_order: NodeOrder
        self._parcels: dict[str, list[Any]] = {}
        self._code = code_here()

    def __enter__(self) -> RayEngine:
        # Packed before Ray has threads here: it is done in a process that is forked.
        config = self._order.config
        parcels = [pack_tasks(config, self._order.tasks.names), *pack_outside(config)]
        with ExitStack() as stack:
            stack.enter_context(_connected(self._address))
            reception = stack.enter_context(Reception(ray.util.get_node_ip_address(), self._admit))
            stack.callback(self._close)
            self._node_order = NodeOrder(config, self._prepared(), reception.address)
            self._parcels = {each.name: [_put(each)] for each in parcels}
            self._order.interrupts.patient = True
            self._stack = stack.pop_all()
        return self

    def absent(self) -> dict[str, Problem]:
        """See ``Engine``: only forms are played, which need no website."""
        return {}

    def open(self) -> None:
        """See ``Engine``."""
        self._look_for_nodes()

    def put(self, task: PlannedTask, jobs: Sequence[PageJob]) -> None:
        """See ``Engine``."""
        self._queues.add(task.name, jobs, weight_of(task), FORM)
        self._step(0)

    def finish(self) -> None:
        """See ``Engine``."""
        while self._under_way or (self._queues and not self._stopping):
            self._step(TICK_SECONDS)
        if self._stopping:
            raise KeyboardInterrupt

    # ---- nodes ----------------------------------------------------------------------------------------------

    @property
    def _under_way(self) -> int:
        return sum(len(seat.jobs) for seat in self._seats.values())

    def _prepared(self) -> dict[str, bytes]:
        """What the solver has prepared, such as its demonstrations."""
        files = sorted(self._order.folder.glob("*.json"))
        return {file.name: file.read_bytes() for file in files if file.name not in (RUN_FILE, SAMPLE_FILE)}

    def _admit(self, line: Connection) -> None:
        admit: Callable[[Connection], None] = self._order.keeper.admit  # type: ignore[union-attr]
        admit(line)

    def _look_for_nodes(self) -> None:
        """Use nodes that have joined; complain where none is left."""
        now = time.monotonic()
        if self._stopping or now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        alive = {node["NodeID"]: node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")}
        for name, node in alive.items():
            if name not in self._seats and name not in self._unfit:
                self._seats[name] = self._join(name, str(node["NodeManagerAddress"]))
        self._seen = now if self._seats else self._seen
        if not self._seats and (now - self._seen > NODE_SECONDS or (alive and alive.keys() <= self._unfit.keys())):
            reasons = "; ".join(dict.fromkeys(self._unfit.values())) or "there is none"
            raise NoNodes(f"no node of the Ray cluster can play episodes: {reasons}")

    def _join(self, node: str, name: str) -> _Seat:
        workers = self._order.config.workers
        here = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
        kind: Any = ray.remote(num_cpus=0, max_concurrency=workers + 2, scheduling_strategy=here)(NodeActor)
        actor = kind.remote()
        return _Seat(name, actor, actor.open.remote(self._node_order, self._parcels, self._code))

    def _lose(self, node: str, why: str) -> None:
        """A node is gone, or what works there: its episodes are played again."""
        seat = self._seats.pop(node)
        with contextlib.suppress(RayError):
            ray.kill(seat.actor)
        jobs = sorted(seat.jobs.values(), key=lambda each: each[0])
        self._say(f"{seat.name} is lost ({why}); of {len(jobs)} episodes that were under way there, each begins anew")
        again = []
        for number, job in jobs:
            self._losses[number] += 1
            if self._losses[number] >= ATTEMPTS:
                self._listener.on_failed(job, f"the node on which it was played was lost: {why}")
            else:
                again.append((number, job))
        for number, job in reversed(again):
            self._queues.put_back(job.task, [(number, job)])
        self._broken[node] += 1
        if self._broken[node] >= ATTEMPTS:
            self._unfit[node] = f"{seat.name}: {why}"

    # ---- episodes -------------------------------------------------------------------------------------------

    def _step(self, seconds: float) -> None:
        """Take in what has ended, for at most so long, and begin what can be."""
        self._look_for_nodes()
        self._notice_interrupt()
        tasks = [
            each for seat in self._seats.values() for each in (*seat.jobs, *([seat.opening] if seat.opening else ()))
        ]
        if tasks:
            ready, waiting = ray.wait(tasks, num_returns=1, timeout=seconds)
            ready += ray.wait(waiting, num_returns=len(waiting), timeout=0)[0] if ready and waiting else []
            for task in ready:
                self._take(task)
        elif seconds:
            time.sleep(min(seconds, LOOK_SECONDS / 2))  # Ray tells nobody of a node that joins
        self._notice_interrupt()
        self._give_out()

    def _notice_interrupt(self) -> None:
        if self._order.interrupts.asked and not self._stopping:
            self._stopping = True
            self._listener.on_interrupt()

    def _take(self, task: Any) -> None:
        """Take in the end of a task of Ray, unless its node was lost meanwhile."""
        node = next((name for name, seat in self._seats.items() if task is seat.opening or task in seat.jobs), None)
        if node is None:
            return
        seat = self._seats[node]
        try:
            told = ray.get(task)
        except RayError as error:
            self._lose(node, _words(error))
            return
        if task is seat.opening:
            seat.opening = None
            if told:
                self._unfit[node] = f"{seat.name}: {told}"
                del self._seats[node]
                self._say(f"{seat.name} is left out: {told}")
            return
        report: NodeReport = told
        if report.kind == "fatal":
            if not isinstance(report.what, LineCut):
                raise report.what
            self._lose(node, str(report.what))
            return
        self._broken[node] = 0
        self._report(seat, *seat.jobs.pop(task), report)

    def _report(self, seat: _Seat, number: int, job: PageJob, report: NodeReport) -> None:
        for sandbox in report.sandboxes:
            self._listener.on_browser(sandbox)
            if sandbox == "off":
                self._say(NO_SANDBOX)
        for text in report.said:
            self._say(text)
        was_try, seat.is_try = seat.is_try, False
        if report.kind == "later":
            self._queues.put_last(job.task, number, job)
            if said := self._pause.met(report.what, is_try=was_try):
                self._listener.on_say(said)
        elif report.kind == "done":
            if was_try:
                self._listener.on_say(self._pause.end())
            played: Played = report.what
            self._listener.on_done(job, played)
        else:
            self._listener.on_failed(job, report.what)

    def _give_out(self) -> None:
        """Give each node episodes, one after another to the one that has fewest, until all are at work."""
        while self._queues and not self._stopping:
            if self._pause.on and (self._under_way or not self._pause.is_due):
                return
            workers = self._order.config.workers
            free = [seat for seat in self._seats.values() if not seat.opening and len(seat.jobs) < workers]
            if not free:
                return
            seat = min(free, key=lambda each: len(each.jobs))
            taken = {each.group for each in self._seats.values() if each.jobs}
            seat.group = self._queues.choose(seat.group, FORM, taken)
            seat.is_try = self._pause.on
            ((number, job),) = self._queues.take(seat.group, 1)
            seat.jobs[seat.actor.play.remote(seat.group, job)] = number, job

    def _say(self, text: str) -> None:
        if text not in self._shown:
            self._shown.add(text)
            self._listener.on_say(text)

    # ---- the end --------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Let the nodes close their browsers, and end what is left there."""
        self._order.interrupts.patient = False
        seats = list(self._seats.values())
        try:
            closing = [seat.actor.close.remote() for seat in seats]
            if closing:
                ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_SECONDS)
        finally:
            for seat in seats:
                ray.kill(seat.actor)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


@contextlib.contextmanager
def _connected(address: str | None) -> Iterator[None]:
    """A context in which this process is a driver of a Ray cluster; signals stay with the run.

    Raises:
        NoEngine: there is no such cluster, or this machine is none of its nodes.
    """
    if address and "://" in address:
        raise NoEngine(f"--address {address}: give HOST:PORT of a cluster that this machine is a node of")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster that is begun here tells nobody of itself
    in_main = threading.current_thread() is threading.main_thread()  # where signals arrive
    handlers = {number: signal.getsignal(number) for number in SIGNALS if in_main}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        # Ray shows its token to no address that it is given, unless it is told to, and does not say so in its error.
        asked = (
            "" if os.environ.get(_MODE) else f"; if `ray start` said that it wants a token, set {_MODE}=token here, too"
        )
        raise NoEngine(f"--engine ray: {_words(error)}{asked}") from error
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        yield
    finally:
        ray.shutdown()


def _put(parcel: Parcel) -> Any:
    return ray.put(parcel.data)


def _words(error: Exception) -> str:
    """The last line of an error of Ray, which tells whole stories."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
