"""Worker processes, one browser each, on growing queues of jobs; one that dies or hangs is replaced."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.browser.input_back_end import SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import NO_SANDBOX, Sandbox
from harness.records.fatal import FatalError
from harness.run.forked import PROCESSES
from harness.run.interrupts import Interrupts
from harness.run.pause import NotNow, Pause
from harness.run.pool_state import HungWorker, JobInstead, JobQueues, PersonAnswer, WorkerHandle
from harness.run.worker import ATTEMPTS, LeftBrowser, Work, Worker, WorkerMessage, enter, receive_ends, send_ends

Job = TypeVar("Job")
Done = TypeVar("Done")

UNIT = 4
"""Most jobs handed to a worker at a time. Fewer when few are left, so that all workers end together."""
STARTS = os.cpu_count() or 1
"""Most workers that come up at a time, from the start of a browser to its first page: were it all of them, the first
page would wait for the last browser. One whose first attempt fails keeps nobody waiting."""
TICK_SECONDS = 1.0
"""How often the workers' deadlines are looked at."""
STOP_SECONDS = 20.0
"""How long a worker without a job may take to end."""


class WorkersDie(FatalError):
    """Workers end by themselves before they do anything."""


@dataclass(frozen=True)
class PoolListener(Generic[Job, Done]):
    """Whom a pool tells what becomes of its jobs, in the process of its owner.

    Attributes:
        on_done: Called with each result.
        on_failed: Called with the reason when a job failed ``ATTEMPTS`` times.
        on_say: Called with what the work wants to be told; the same text once.
        on_interrupt: Called when the first interrupt has been noticed.
        on_browser: Called with what is seen of the sandbox of each browser that was started.
        on_later: Called with each job that cannot be done now, and why, where its owner knows when; None where the pool
            itself tries it again after a pause.
        on_ask: Called with a job and what it asks a person; gives the answer, None for none.
    """

    on_done: Callable[[Job, Done], None]
    on_failed: Callable[[Job, str], None]
    on_say: Callable[[str], None] = lambda _: None
    on_interrupt: Callable[[], None] = lambda: None
    on_browser: Callable[[Sandbox], None] = lambda _: None
    on_later: Callable[[Job, NotNow], None] | None = None
    on_ask: Callable[[Job, str], str | None] = lambda *_: None


class Pool(Generic[Job, Done]):
    """A context: workers that share jobs. Whatever ends the context, no process of it is left.

    Jobs come in groups. A worker stays with a group while it can, and begins with the one that will take longest.
    """

    def __init__(
        self,
        make_work: Callable[[], Work[Job, Done]],
        listener: PoolListener[Job, Done],
        *,
        workers: int,
        patience: float,
        interrupts: Interrupts,
        make_session: SessionMaker = devtools_session,
        pause: Pause | None = None,
        passing: Sequence[Path] = (),
    ) -> None:
        """Prepare a pool.

        Args:
            make_work: Makes what does the jobs; called once in each worker, when it starts.
            listener: Is told what becomes of the jobs.
            workers: Processes, each with a browser.
            patience: Seconds after which an attempt that has not ended, nor asked for longer, is ended with its
                process.
            interrupts: Which ask for the end: no further job is begun then.
            make_session: Starts a browser with its screen.
            pause: When to go on after a job could not be done for a reason that concerns all.
            passing: Folders that are removed when the last process of the pool is gone, however it ended.
        """
        self._make_work = make_work
        self._make_session = make_session
        self._listener = listener
        self._patience = patience
        self._interrupts = interrupts
        self._count = workers
        self._reaper = BrowserReaper(passing)
        self._pause = pause or Pause()
        self._settings: BrowserSettings | None = None
        self._workers: list[WorkerHandle[Job]] = []
        self._queues: JobQueues[Job] = JobQueues()
        self._tries: Counter[int] = Counter()
        self._deaths_before_work = 0
        self._browsers_start = False
        self._stopping = False
        self._shown: set[str] = set()
        self._hung: dict[int, HungWorker] = {}  # by the job that is done instead of the one that hung

    # ---- what the owner calls -------------------------------------------------------------------------------

    def __enter__(self) -> Pool[Job, Done]:
        self._interrupts.patient = True
        for _ in range(self._count):
            self._spawn()
        return self

    def open(self, settings: BrowserSettings) -> None:
        """Let the workers start browsers."""
        self._settings = settings
        for worker in self._workers:
            self._send(worker, settings)

    def put(self, group: str, jobs: Iterable[Job], weight: float = 1.0, policy: NavigationPolicy = FORM) -> None:
        """Add jobs, and give out what can be.

        Args:
            group: Jobs of one group have something in common that a worker keeps, such as their task.
            jobs: The jobs.
            weight: How long one of them is thought to take, in any unit.
            policy: Where a browser may go that works on them; a worker's is another for another.
        """
        self._queues.add(group, jobs, weight, policy)
        self.step(0)

    def step(self, seconds: float, *others: Connection) -> None:
        """Take in what the workers say, for at most so long, and give out jobs.

        Args:
            seconds: How long to wait for a word of theirs.
            others: A word here ends the wait, too.

        Raises:
            FatalError, Exception: as ``finish``.
        """
        interrupt_pipes = [] if self._stopping else [self._interrupts.fileno()]
        wait([*(worker.pipe for worker in self._workers), *interrupt_pipes, *others], seconds)
        if self._interrupts.asked and not self._stopping:
            self._stopping = True
            for worker in self._workers:
                self._send(worker, None)
            self._listener.on_interrupt()
        for worker in list(self._workers):
            self._listen(worker)
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.deadline is not None and now > worker.deadline:
                worker.process.kill()
                worker.process.join()
                self._reap(
                    worker, f"nothing happened for {self._patience:g} seconds, and its process was ended", hung=True
                )
        self._give_out_jobs()

    def finish(self) -> None:
        """Wait until all jobs are done.

        Raises:
            FatalError: a worker met what would end every job, e.g. a full disk; or a pause was too long.
            Exception: a worker cannot be set up, e.g. because there is no browser.
            KeyboardInterrupt: there was an interrupt; the jobs under way were finished.
        """
        while any(worker.jobs for worker in self._workers) or (self._queues and not self._stopping):
            self.step(TICK_SECONDS)
        if self._stopping:
            raise KeyboardInterrupt

    # ---- processes ------------------------------------------------------------------------------------------

    def _spawn(self) -> None:
        ours, theirs = PROCESSES.Pipe()
        foreign = [ours, *(worker.pipe for worker in self._workers)]
        browsers = [worker.browser for worker in self._workers if worker.browser]
        browsers += [hung.browser for hung in self._hung.values()]

        def make_worker() -> Worker[Job, Done]:
            return Worker(
                theirs, self._reaper, self._make_work, self._make_session, browsers_start=self._browsers_start
            )

        process = PROCESSES.Process(target=enter, args=(make_worker, [*foreign, *browsers], os.getpid()))
        process.start()
        theirs.close()
        handle: WorkerHandle[Job] = WorkerHandle(process, ours)
        self._workers.append(handle)
        if self._settings:
            self._send(handle, self._settings)

    def _send(self, worker: WorkerHandle[Job], order: object) -> None:
        with contextlib.suppress(OSError):  # its end is noticed when its pipe is read
            worker.pipe.send(order)

    def _listen(self, worker: WorkerHandle[Job]) -> None:
        while True:
            try:
                if not worker.pipe.poll():
                    return
                message = worker.pipe.recv()
            except (EOFError, ConnectionError):
                break
            self._take_message(worker, message)
        # Its end of the pipe is closed: it ends, or has to be helped to.
        worker.process.join(STOP_SECONDS)
        worker.process.kill()
        worker.process.join()
        code = worker.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        self._reap(worker, f"its worker process ended {how}")

    def _take_message(self, worker: WorkerHandle[Job], message: WorkerMessage) -> None:
        number = message.number
        if message.kind == "begin":
            worker.current, worker.instead, worker.is_up = number, None, worker.browser is not None
            worker.deadline = time.monotonic() + self._patience
        elif message.kind == "longer":
            assert worker.deadline is not None  # noqa: S101 - it has begun a job
            worker.deadline += message.what
        elif message.kind == "instead":
            job, died = message.what
            worker.instead = JobInstead(job, died, time.monotonic())
            worker.is_up = True
        elif message.kind == "replaced":
            worker.jobs[number] = message.what
        elif message.kind == "later":
            self._put_off(worker, message.what)
        elif message.kind in ("done", "failed"):
            worker.current, worker.deadline, worker.is_up = None, None, True
            if worker.is_try and message.kind == "done":
                self._listener.on_say(self._pause.end())
            worker.is_try = False
            self._report(number, worker.jobs.pop(number), message)
        elif message.kind == "free":
            worker.idle = True
        elif message.kind == "browser":
            self._browsers_start = True
            self._let_go(worker)
            worker.browser = receive_ends(worker.pipe)
            self._listener.on_browser(message.what)
            if message.what == "off":
                self._say_once(NO_SANDBOX)
        elif message.kind == "say":
            self._say_once(message.what)
        elif message.kind == "ask":
            self._send(worker, PersonAnswer(self._listener.on_ask(worker.jobs[number], message.what)))
        elif message.kind == "fatal":
            raise message.what

    def _say_once(self, text: str) -> None:
        if text not in self._shown:
            self._shown.add(text)
            self._listener.on_say(text)

    def _put_off(self, worker: WorkerHandle[Job], why: NotNow) -> None:
        """Take the jobs of a worker back, and hand out no others until there is reason to.

        The one that it met comes last, so that another is tried next: should it be the fault of this one after all, it
        keeps none from being done.
        """
        assert worker.current is not None  # noqa: S101 - it has begun a job
        jobs, worker.jobs, current = worker.jobs, {}, worker.current
        worker.current, worker.deadline = None, None
        if self._listener.on_later:
            for job in jobs.values():
                self._listener.on_later(job, why)
            return
        self._queues.put_last(worker.group, current, jobs.pop(current))
        self._queues.put_back(worker.group, jobs.items())
        worker.group = ""
        if said := self._pause.met(why, is_try=worker.is_try):
            self._listener.on_say(said)
        worker.is_try = False

    def _report(self, number: int, job: Job, message: WorkerMessage) -> None:
        if number in self._hung:
            hung = self._hung.pop(number)
            hung.browser.close()
            self._reaper.end(hung.pid)
        if message.kind == "done":
            self._listener.on_done(job, message.what)
        else:
            self._listener.on_failed(job, message.what)

    def _reap(self, worker: WorkerHandle[Job], reason: str, *, hung: bool = False) -> None:
        """Give back the jobs of a worker that ended, and start another in its place unless the pool is stopping."""
        self._workers.remove(worker)
        worker.pipe.close()
        pid: int = worker.process.pid
        if worker.current is None:
            self._reaper.end(pid)
            self._deaths_before_work += worker.idle is None
        else:
            self._retry(worker, worker.current, reason, hung=hung)
        self._let_go(worker)
        self._queues.put_back(worker.group, worker.jobs.items())
        if self._deaths_before_work >= ATTEMPTS * self._count:
            raise WorkersDie(f"the worker processes end by themselves: {reason}")
        if not self._stopping:
            self._spawn()

    def _let_go(self, worker: WorkerHandle[Job]) -> None:
        """Of a worker's browser, which the worker ends, or has ended."""
        if worker.browser:
            worker.browser.close()
            worker.browser = None

    def _retry(self, worker: WorkerHandle[Job], number: int, reason: str, *, hung: bool) -> None:
        """What to do with the job that a worker had begun when it ended."""
        if hung and worker.instead is not None:
            worker.jobs[number] = worker.instead.job
            assert worker.browser  # noqa: S101 - it had a page open in it
            self._hung[number], worker.browser = HungWorker(worker.process.pid, worker.browser), None
            return
        self._reaper.end(worker.process.pid)
        self._tries[number] += worker.instead is None
        # Asked even if all is to end: whoever makes the other job may keep account of this one.
        instead = worker.instead
        other = instead.died(reason, time.monotonic() - instead.since) if instead else None
        if self._stopping:
            del worker.jobs[number]
        elif other is not None:
            worker.jobs[number] = other
        elif self._tries[number] >= ATTEMPTS:
            self._report(number, worker.jobs.pop(number), WorkerMessage("failed", number, reason))

    # ---- jobs -----------------------------------------------------------------------------------------------

    def _give_out_jobs(self) -> None:
        if self._stopping or not self._settings:
            return
        rising = sum(bool(each.jobs) and not each.is_up for each in self._workers)
        for worker in self._workers:
            if not worker.idle or not self._queues or (rising >= STARTS and not worker.is_up):
                continue
            if self._pause.on and (any(each.jobs for each in self._workers) or not self._pause.is_due):
                return
            taken = {each.group for each in self._workers if each.jobs}
            worker.group = self._queues.choose(worker.group, worker.policy, taken)
            policy = self._queues.policy(worker.group)
            if policy != worker.policy:
                worker.policy = policy
                self._send(worker, policy)
            worker.is_try = self._pause.on
            size = 1 if worker.is_try else max(1, min(UNIT, len(self._queues) // (2 * self._count)))
            unit = self._queues.take(worker.group, size)
            worker.jobs, worker.idle = dict(unit), False
            rising += not worker.is_up
            for number in worker.jobs.keys() & self._hung.keys():
                self._send(worker, LeftBrowser(number))
                with contextlib.suppress(OSError):
                    send_ends(worker.pipe, self._hung[number].browser)
            self._send(worker, unit)

    # ---- the end --------------------------------------------------------------------------------------------

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._interrupts.patient = False
        try:
            if kind is None or self._stopping:
                self._close_workers()
        finally:
            for worker in self._workers:
                worker.process.kill()
            for worker in self._workers:
                worker.process.join()
                worker.pipe.close()
                self._let_go(worker)
            for hung in self._hung.values():
                hung.browser.close()
            self._workers.clear()
            self._reaper.__exit__(kind, error, trace)

    def _close_workers(self) -> None:
        """Let the workers close their browsers."""
        if any(worker.jobs for worker in self._workers):
            return
        for worker in self._workers:
            self._send(worker, None)
        deadline = time.monotonic() + STOP_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
