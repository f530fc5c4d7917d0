"""Worker processes, one browser each, on a growing heap of jobs; one that dies or hangs is replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Generic, TypeVar

from harness.browser.launch import BrowserSettings
from harness.browser.reaper import Guardian
from harness.browser.seat import SeatMaker, headless_seat
from harness.run.interrupts import Interrupts
from harness.run.worker import ATTEMPTS, Message, Work, Worker, enter
from harness.runlog.problems import Hopeless

Job = TypeVar("Job")
Done = TypeVar("Done")

UNIT = 4
"""Most jobs handed to a worker at a time. Fewer when few are left, so that all workers end together."""
TICK_SECONDS = 1.0
"""How often the workers' deadlines are looked at."""
STOP_SECONDS = 20.0
"""How long a worker without a job may take to end."""
# Forked, since a worker is at work at once: nothing has to be imported anew. The parent has one thread.
_PROCESSES = multiprocessing.get_context("fork")


class WorkersDie(Hopeless):
    """Workers end by themselves before they do anything."""


@dataclass
class _Heap(Generic[Job]):
    """The jobs of one group that no worker has, and how long they are thought to take."""

    jobs: deque[tuple[int, Job]] = field(default_factory=deque)
    weight: float = 0.0


@dataclass
class _Hand(Generic[Job]):
    """A worker process, seen from here."""

    process: Any
    pipe: Connection
    idle: bool | None = None  # None until it has said anything
    group: str = ""
    jobs: dict[int, Job] = field(default_factory=dict)
    current: int | None = None
    instead: Job | None = None
    deadline: float | None = None


class Pool(Generic[Job, Done]):
    """A context: workers that share jobs. Whatever ends the context, no process of it is left.

    Jobs come in groups. A worker stays with a group while it can, and begins with the one that will take longest.
    """

    def __init__(
        self,
        make_work: Callable[[], Work[Job, Done]],
        on_done: Callable[[Job, Done], None],
        on_failed: Callable[[Job, str], None],
        *,
        workers: int,
        patience: float,
        interrupts: Interrupts,
        make_seat: SeatMaker = headless_seat,
        on_say: Callable[[str], None] = lambda _: None,
        on_interrupt: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare a pool.

        Args:
            make_work: Makes what does the jobs; called once in each worker, when it starts.
            on_done: Called with each result.
            on_failed: Called with the reason when a job failed ``ATTEMPTS`` times.
            workers: Processes, each with a browser.
            patience: Seconds after which an attempt that has not ended, nor asked for longer, is ended with its
                process.
            interrupts: Which ask for the end: no further job is begun then.
            make_seat: Starts a browser with its screen.
            on_say: Called with what the work wants to be told.
            on_interrupt: Called when the first interrupt has been noticed.
        """
        self._make_work = make_work
        self._make_seat = make_seat
        self._on_done = on_done
        self._on_failed = on_failed
        self._on_say = on_say
        self._on_interrupt = on_interrupt
        self._patience = patience
        self._interrupts = interrupts
        self._count = workers
        self._guardian = Guardian()
        self._settings: BrowserSettings | None = None
        self._hands: list[_Hand[Job]] = []
        self._heaps: dict[str, _Heap[Job]] = {}
        self._next_number = 0
        self._tries: Counter[int] = Counter()
        self._idle_deaths = 0
        self._seated = False
        self._stopping = False
        self._said: set[str] = set()
        self._stuck: dict[int, int] = {}  # job that is done instead of one that hung -> the process that hung

    # ---- what the owner calls -------------------------------------------------------------------------------

    def __enter__(self) -> Pool[Job, Done]:
        self._interrupts.patient = True
        for _ in range(self._count):
            self._hire()
        return self

    def open(self, settings: BrowserSettings) -> None:
        """Let the workers start browsers."""
        self._settings = settings
        for hand in self._hands:
            self._send(hand, settings)

    def put(self, group: str, jobs: Iterable[Job], weight: float = 1.0) -> None:
        """Add jobs, and hand out what can be.

        Args:
            group: Jobs of one group have something in common that a worker keeps, such as their task.
            jobs: The jobs.
            weight: How long one of them is thought to take, in any unit.
        """
        heap = self._heaps.setdefault(group, _Heap())
        for job in jobs:
            heap.jobs.append((self._next_number, job))
            self._next_number += 1
        heap.weight = weight
        self._step(0)

    def finish(self) -> None:
        """Wait until all jobs are done.

        Raises:
            Hopeless: a worker met what would end every job, e.g. a full disk.
            Exception: a worker cannot be set up, e.g. because there is no browser.
            KeyboardInterrupt: there was an interrupt; the jobs under way were finished.
        """
        while any(hand.jobs for hand in self._hands) or (self._left() and not self._stopping):
            self._step(TICK_SECONDS)
        if self._stopping:
            raise KeyboardInterrupt

    # ---- processes ------------------------------------------------------------------------------------------

    def _hire(self) -> None:
        ours, theirs = _PROCESSES.Pipe()
        foreign = [ours, *(hand.pipe for hand in self._hands)]

        def worker() -> Worker[Job, Done]:
            return Worker(theirs, self._guardian, self._make_work, self._make_seat, seated=self._seated)

        process = _PROCESSES.Process(target=enter, args=(worker, foreign, os.getpid()))
        process.start()
        theirs.close()
        hand: _Hand[Job] = _Hand(process, ours)
        self._hands.append(hand)
        if self._settings:
            self._send(hand, self._settings)

    def _send(self, hand: _Hand[Job], order: object) -> None:
        with contextlib.suppress(OSError):  # its end is noticed when its pipe is read
            hand.pipe.send(order)

    def _step(self, seconds: float) -> None:
        """Take in what the workers say, for at most so long, and hand out jobs."""
        bells = [] if self._stopping else [self._interrupts.fileno()]
        wait([*(hand.pipe for hand in self._hands), *bells], seconds)
        if self._interrupts.asked and not self._stopping:
            self._stopping = True
            for hand in self._hands:
                self._send(hand, None)
            self._on_interrupt()
        for hand in list(self._hands):
            self._listen(hand)
        now = time.monotonic()
        for hand in list(self._hands):
            if hand.deadline is not None and now > hand.deadline:
                hand.process.kill()
                hand.process.join()
                self._bury(
                    hand, f"nothing happened for {self._patience:g} seconds, and its process was ended", hung=True
                )
        self._hand_out()

    def _listen(self, hand: _Hand[Job]) -> None:
        while True:
            try:
                if not hand.pipe.poll():
                    return
                message = hand.pipe.recv()
            except (EOFError, ConnectionError):
                break
            self._hear(hand, message)
        # Its end of the pipe is closed: it ends, or has to be helped to.
        hand.process.join(STOP_SECONDS)
        hand.process.kill()
        hand.process.join()
        code = hand.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        self._bury(hand, f"its worker process ended {how}")

    def _hear(self, hand: _Hand[Job], message: Message) -> None:
        number = message.number
        if message.kind == "begin":
            hand.current, hand.instead = number, None
            hand.deadline = time.monotonic() + self._patience
        elif message.kind == "longer":
            assert hand.deadline is not None  # noqa: S101 - it has begun a job
            hand.deadline += message.what
        elif message.kind == "instead":
            hand.instead = message.what
        elif message.kind in ("done", "failed"):
            hand.current, hand.deadline = None, None
            self._report(number, hand.jobs.pop(number), message)
        elif message.kind == "free":
            hand.idle = True
        elif message.kind == "open":
            self._seated = True
        elif message.kind == "say" and message.what not in self._said:
            self._said.add(message.what)
            self._on_say(message.what)
        elif message.kind == "fatal":
            raise message.what

    def _report(self, number: int, job: Job, message: Message) -> None:
        if number in self._stuck:
            self._guardian.end(self._stuck.pop(number))
        if message.kind == "done":
            self._on_done(job, message.what)
        else:
            self._on_failed(job, message.what)

    def _bury(self, hand: _Hand[Job], reason: str, *, hung: bool = False) -> None:
        """Give back the jobs of a worker that ended, and hire another if there is something left to do."""
        self._hands.remove(hand)
        hand.pipe.close()
        pid: int = hand.process.pid
        if hand.current is None:
            self._guardian.end(pid)
            self._idle_deaths += hand.idle is None
        else:
            self._retry(hand, hand.current, reason, hung=hung)
        heap = self._heaps.setdefault(hand.group, _Heap())
        heap.jobs.extendleft(reversed(hand.jobs.items()))
        if self._idle_deaths >= ATTEMPTS * self._count:
            raise WorkersDie(f"the worker processes end by themselves: {reason}")
        if not self._stopping:
            self._hire()

    def _retry(self, hand: _Hand[Job], number: int, reason: str, *, hung: bool) -> None:
        """What to do with the job that a worker had begun when it ended."""
        if hung and hand.instead is not None:
            hand.jobs[number] = hand.instead
            self._stuck[number] = hand.process.pid
            return
        self._guardian.end(hand.process.pid)
        self._tries[number] += 1
        if self._stopping:
            del hand.jobs[number]
        elif self._tries[number] >= ATTEMPTS:
            self._report(number, hand.jobs.pop(number), Message("failed", number, reason))

    # ---- jobs -----------------------------------------------------------------------------------------------

    def _left(self) -> int:
        return sum(len(heap.jobs) for heap in self._heaps.values())

    def _hand_out(self) -> None:
        if self._stopping or not self._settings:
            return
        for hand in self._hands:
            if not hand.idle or not self._left():
                continue
            hand.group = self._choose(hand)
            heap = self._heaps[hand.group]
            size = max(1, min(UNIT, len(heap.jobs), self._left() // (2 * self._count)))
            unit = [heap.jobs.popleft() for _ in range(size)]
            if not heap.jobs:
                del self._heaps[hand.group]
            hand.jobs, hand.idle = dict(unit), False
            self._send(hand, unit)

    def _choose(self, hand: _Hand[Job]) -> str:
        if hand.group in self._heaps and self._heaps[hand.group].jobs:
            return hand.group
        taken = {each.group for each in self._hands if each.jobs}
        # Of a group that nobody has, else helping out, the one that will take longest.
        return max(
            (group for group, heap in self._heaps.items() if heap.jobs),
            key=lambda group: (group not in taken, self._heaps[group].weight * len(self._heaps[group].jobs)),
        )

    # ---- the end --------------------------------------------------------------------------------------------

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._interrupts.patient = False
        try:
            if kind is None or self._stopping:
                self._dismiss()
        finally:
            for hand in self._hands:
                hand.process.kill()
            for hand in self._hands:
                hand.process.join()
                hand.pipe.close()
            self._hands.clear()
            self._guardian.__exit__(kind, error, trace)

    def _dismiss(self) -> None:
        """Let the workers close their browsers."""
        if any(hand.jobs for hand in self._hands):
            return
        for hand in self._hands:
            self._send(hand, None)
        deadline = time.monotonic() + STOP_SECONDS
        for hand in self._hands:
            hand.process.join(max(0.0, deadline - time.monotonic()))
