"""The nodes of a Ray cluster: an actor on each has its browsers and their task server, an episode is a task of Ray."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from harness.browser.browser_choice import FORM
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog.problems import Problem
from harness.kit.options import view
from harness.models.call_options import CallOptions
from harness.models.ledger import LEDGER, Ledger
from harness.records.directory import RUN_FILE
from harness.records.fatal import FatalError
from harness.records.planned import SAMPLE_FILE
from harness.run.bundle import bundles_for
from harness.run.engine import EngineOrder, NoEngine, Played, weight_of
from harness.run.interrupts import SIGNALS
from harness.run.label_process import LabelProcess, RemoteLabelStore
from harness.run.node_pool import NodeOrder, NodeReport
from harness.run.page_job import PageJob
from harness.run.plan import PlannedTask
from harness.run.pool import TICK_SECONDS
from harness.run.pool_state import JobQueues
from harness.run.ray_node import NodeActor, OpenedNode, WorkerAnswer, WorkerQuestion, code_here
from harness.run.run_service import RunService
from harness.run.worker import ATTEMPTS

_MODE = "RAY_AUTH_MODE"


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A context in which this process is a driver of a Ray cluster; signals stay with the run.

    Args:
        address: Of the cluster; None for the one that this machine belongs to, or else a new one on it.

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
        raise NoEngine(f"--engine ray: {last_line(error)}{asked}") from error
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        yield
    finally:
        ray.shutdown()


def nodes_with_processors() -> list[tuple[str, str, float]]:
    """The nodes of the cluster that can have work: id, address, and processors."""
    return [
        (node["NodeID"], node["NodeManagerAddress"], node["Resources"]["CPU"])
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU")
    ]


def last_line(error: Exception) -> str:
    """The last line of an error of Ray, which tells whole stories."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


NODE_SECONDS = 600.0
"""How long a run without any node waits for one: a cluster that grows by itself takes minutes for a machine."""
OPEN_SECONDS = 60.0
"""How long a node may take to begin until its episodes are thought of as waiting for a further one."""
_CLOSE_SECONDS = 10.0
_NODE_ID = "ray.io/node-id"
"""The label by which Ray knows its nodes."""


class NoNodes(FatalError):
    """No node of the cluster can play episodes (any more)."""


@dataclass(eq=False)
class _Node:
    """A node that plays episodes, or is to.

    Attributes:
        id: Of the node; empty while Ray looks for one.
        name: Of the node, for people.
        actor: Its actor.
        opening: The task that opens it; None once it is open.
        questions: The task that gives what its workers ask; None before.
        jobs: The task of each episode under way, with the episode's number.
        services: What answers each of its workers.
        group: Of its last episode.
        is_try: Of the one episode that a pause lets through.
        since: When it was asked for, on the monotonic clock.
    """

    id: str
    name: str
    actor: Any
    opening: Any
    questions: Any = None
    jobs: dict[Any, tuple[int, PageJob]] = field(default_factory=dict)
    services: dict[int, RunService] = field(default_factory=dict)
    group: str = ""
    is_try: bool = False
    since: float = field(default_factory=time.monotonic)

    @property
    def is_late(self) -> bool:
        """Whether it should have begun."""
        return bool(self.opening) and time.monotonic() - self.since > OPEN_SECONDS

    @property
    def tasks(self) -> list[Any]:
        """What is waited for."""
        return [self.opening] if self.opening else [self.questions, *self.jobs]


class RayEngine:
    """See ``harness.run.engine.Engine``.

    Every node of the cluster that has a processor is used; each plays as many episodes at once as the run has workers,
    and an actor there claims as many processors, if the node has them. While there are more episodes than the nodes can
    take, Ray is asked for a further one, so that an autoscaler knows of it. The episodes of a node that is lost are
    played again elsewhere.
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
        self._ledger = Ledger(order.folder / LEDGER)
        self._queues: JobQueues[PageJob] = JobQueues()
        self._nodes: list[_Node] = []
        self._further: _Node | None = None
        self._not_further: set[str] = set()
        self._processors: float = order.config.workers
        self._unfit: dict[str, str] = {}
        self._losses: Counter[int] = Counter()
        self._broken: Counter[str] = Counter()
        self._shown: set[str] = set()
        self._stopping = False
        self._seen = time.monotonic()
        self._node_order: NodeOrder
        self._bundles: dict[str, tuple[str, list[Any]]] = {}
        self._code = code_here()

    def __enter__(self) -> RayEngine:
        # Read before Ray has threads here: it is done in a process that is forked.
        config = self._order.config
        bundles = bundles_for(config, self._order.tasks.names)
        with ExitStack() as stack:
            stack.enter_context(connected(self._address))
            stack.callback(self._close)
            self._node_order = NodeOrder(config, self._prepared())
            self._bundles = {kind: (each.name, [ray.put(each.files)]) for kind, each in bundles.items()}
            self._order.interrupts.patient = True
            self._stack = stack.pop_all()
        return self

    def absent(self) -> dict[str, Problem]:
        """See ``Engine``: only forms are played, which need no website."""
        return {}

    def open(self) -> None:
        """See ``Engine``."""
        for node, name, processors in nodes_with_processors():
            claimed = min(self._order.config.workers, processors)
            here = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
            self._nodes.append(self._start(node, name, num_cpus=claimed, scheduling_strategy=here))
            self._processors = min(self._processors, claimed)

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
        return sum(len(node.jobs) for node in self._nodes)

    def _prepared(self) -> dict[str, bytes]:
        """What the solver has prepared, such as its demonstrations."""
        files = sorted(self._order.folder.glob("*.json"))
        return {file.name: file.read_bytes() for file in files if file.name not in (RUN_FILE, SAMPLE_FILE)}

    def _start(self, node: str, name: str, **options: Any) -> _Node:
        kind: Any = ray.remote(max_concurrency=self._order.config.workers + 3, **options)(NodeActor)
        actor = kind.remote()
        return _Node(node, name, actor, actor.open.remote(self._node_order, self._bundles, self._code))

    def _ask_for_a_further(self) -> None:
        """Let Ray look for a further node while there are more episodes than all that are there can take."""
        known = {node.id for node in self._nodes} | self._unfit.keys()
        for node in self._nodes:
            if node.is_late:
                self._say(f"{node.name} has not begun yet: other work may hold its processors")
        places = sum(not node.is_late for node in self._nodes) * self._order.config.workers - self._under_way
        # A further node that fails before it says which it is would be asked for again and again.
        is_wanted = len(self._queues) > places and not self._stopping and "" not in self._unfit
        if self._further and not (is_wanted and self._not_further == known):
            ray.kill(self._further.actor)
            self._further = None
        if is_wanted and not self._further:
            labels = {"label_selector": {_NODE_ID: f"!in({','.join(sorted(known))})"}} if known else {}
            self._further = self._start("", "a further node", num_cpus=self._processors, **labels)
            self._not_further = known

    def _check_nodes(self) -> None:
        """Complain where no node is left that could play."""
        now = time.monotonic()
        self._seen = now if self._nodes or self._stopping else self._seen
        if self._seen == now:
            return
        alive = {node for node, _, _ in nodes_with_processors()}
        if now - self._seen > NODE_SECONDS or (alive and alive <= self._unfit.keys()):
            reasons = "; ".join(dict.fromkeys(self._unfit.values())) or "there is none"
            raise NoNodes(f"no node of the Ray cluster can play episodes: {reasons}")

    def _opened(self, node: _Node, opened: OpenedNode) -> None:
        node.opening, node.id, node.name = None, opened.node, opened.name
        if node is self._further:
            self._further = None
            self._nodes.append(node)
        if opened.refusal:
            self._unfit[node.id] = f"{node.name}: {opened.refusal}"
            self._drop(node)
            self._say(f"{node.name} is left out: {opened.refusal}")
        else:
            node.questions = node.actor.questions.remote()

    def _drop(self, node: _Node) -> None:
        """End what is left of a node, and give back what its workers had."""
        if node is self._further:
            self._further = None
        else:
            self._nodes.remove(node)
        with contextlib.suppress(RayError):
            ray.kill(node.actor)
        for service in node.services.values():
            service.close()

    def _lose(self, node: _Node, why: str) -> None:
        """A node is gone, or what works there: its episodes are played again."""
        self._drop(node)
        self._say(
            f"{node.name} is lost ({why}); of {len(node.jobs)} episodes that were under way there, each begins anew"
        )
        for number, job in sorted(node.jobs.values(), key=lambda each: each[0], reverse=True):
            self._losses[number] += 1
            if self._losses[number] >= ATTEMPTS:
                self._listener.on_failed(job, f"the node on which it was played was lost: {why}")
            else:
                self._queues.put_back(job.task, [(number, job)])
        self._broken[node.id] += 1
        if self._broken[node.id] >= ATTEMPTS:
            self._unfit[node.id] = f"{node.name}: {why}"

    def _answer(self, node: _Node, asked: Iterable[WorkerQuestion]) -> None:
        """Answer what the workers of a node ask, in one call: each costs more than most answers."""
        answers: list[WorkerAnswer] = []
        for each in asked:
            if each.question is None:
                if service := node.services.pop(each.worker, None):
                    service.close()
                continue
            service = node.services.get(each.worker) or self._service()
            node.services[each.worker] = service
            answers.append(WorkerAnswer(each.worker, each.question.answered(service.answer)))
        if answers:
            node.actor.answer.remote(answers)

    def _service(self) -> RunService:
        cache = view(CallOptions, self._order.config.options).cache
        return RunService(self._order.folder, Path(cache) if cache else None, self._store, self._ledger)

    @cached_property
    def _store(self) -> RemoteLabelStore:
        labels = self._order.labels
        assert isinstance(labels, LabelProcess)  # noqa: S101 - see ``harness.run.label_process``
        return labels.store()

    # ---- episodes -------------------------------------------------------------------------------------------

    def _step(self, seconds: float) -> None:
        """Take in what has ended, for at most so long, and begin what can be."""
        self._check_nodes()
        self._notice_interrupt()
        self._ask_for_a_further()
        nodes = [*self._nodes, *([self._further] if self._further else ())]
        tasks = {task: node for node in nodes for task in node.tasks}
        if tasks:
            ready, waiting = ray.wait([*tasks], num_returns=1, timeout=seconds)
            ready += ray.wait(waiting, num_returns=len(waiting), timeout=0)[0] if ready and waiting else []
            for task in ready:
                self._take(tasks[task], task)
        elif seconds:
            time.sleep(seconds)  # there is no task to wait for, and nodes are asked for again: Ray tells of none
        self._notice_interrupt()
        self._give_out()

    def _notice_interrupt(self) -> None:
        if self._order.interrupts.asked and not self._stopping:
            self._stopping = True
            self._listener.on_interrupt()

    def _take(self, node: _Node, task: Any) -> None:
        """Take in the end of a task of Ray, unless its node was lost meanwhile."""
        if task not in node.tasks or not (node is self._further or node in self._nodes):
            return
        try:
            told = ray.get(task)
        except RayError as error:
            self._lose(node, last_line(error))
            return
        if task is node.opening:
            self._opened(node, told)
        elif task is node.questions:
            node.questions = node.actor.questions.remote()
            self._answer(node, told)
        else:
            report: NodeReport = told
            if report.kind == "fatal":
                raise report.what
            self._broken[node.id] = 0
            self._report(node, *node.jobs.pop(task), report)

    def _report(self, node: _Node, number: int, job: PageJob, report: NodeReport) -> None:
        for sandbox in report.sandboxes:
            self._listener.on_browser(sandbox)
            if sandbox == "off":
                self._say(NO_SANDBOX)
        for text in report.said:
            self._say(text)
        was_try, node.is_try = node.is_try, False
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
            free = [node for node in self._nodes if not node.opening and len(node.jobs) < workers]
            if not free:
                return
            node = min(free, key=lambda each: len(each.jobs))
            taken = {each.group for each in self._nodes if each.jobs}
            node.group = self._queues.choose(node.group, FORM, taken)
            node.is_try = self._pause.on
            ((number, job),) = self._queues.take(node.group, 1)
            node.jobs[node.actor.play.remote(node.group, job)] = number, job

    def _say(self, text: str) -> None:
        if text not in self._shown:
            self._shown.add(text)
            self._listener.on_say(text)

    # ---- the end --------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Let the nodes close their browsers, and end what is left there."""
        self._order.interrupts.patient = False
        nodes = list(self._nodes)
        try:
            closing = [node.actor.close.remote() for node in nodes]
            if closing:
                ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_SECONDS)
        finally:
            for node in [*nodes, *([self._further] if self._further else ())]:
                self._drop(node)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
