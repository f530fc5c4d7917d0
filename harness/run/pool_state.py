"""What a pool knows: of its workers, and of the jobs that no worker has."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.browser.wire import PipeEnds

Job = TypeVar("Job")


@dataclass
class JobQueue(Generic[Job]):
    """The jobs of one group, how long each is thought to take, and where their browser may go."""

    jobs: deque[tuple[int, Job]] = field(default_factory=deque)
    weight: float = 0.0
    policy: NavigationPolicy = FORM

    @property
    def left(self) -> float:
        """How long all of them are thought to take."""
        return self.weight * len(self.jobs)


class JobQueues(Generic[Job]):
    """Jobs with numbers of their own, in groups; a group stays known when its jobs are taken."""

    def __init__(self) -> None:
        self._queues: dict[str, JobQueue[Job]] = {}
        self._next_number = 0

    def __len__(self) -> int:
        """How many jobs are left."""
        return sum(len(queue.jobs) for queue in self._queues.values())

    def add(self, group: str, jobs: Iterable[Job], weight: float, policy: NavigationPolicy) -> None:
        """Add jobs after all others of their group; for the rest see ``harness.run.pool.Pool.put``."""
        queue = self._queues.setdefault(group, JobQueue())
        for job in jobs:
            queue.jobs.append((self._next_number, job))
            self._next_number += 1
        queue.weight, queue.policy = weight, policy

    def take(self, group: str, count: int) -> list[tuple[int, Job]]:
        """The next jobs of a group with their numbers, at most so many."""
        jobs = self._queues[group].jobs
        return [jobs.popleft() for _ in range(min(count, len(jobs)))]

    def put_back(self, group: str, jobs: Iterable[tuple[int, Job]]) -> None:
        """Put jobs back that were taken, before all others of their group."""
        for job in reversed(list(jobs)):
            self._queues[group].jobs.appendleft(job)

    def put_last(self, group: str, number: int, job: Job) -> None:
        """Put a job back that was taken, after all others of its group."""
        self._queues[group].jobs.append((number, job))

    def policy(self, group: str) -> NavigationPolicy:
        """Where the browser of a group's jobs may go."""
        return self._queues[group].policy

    def choose(self, group: str, policy: NavigationPolicy, taken: Collection[str]) -> str:
        """The group that a worker is given jobs of; there has to be a job.

        Args:
            group: Of its last jobs: it stays with that while it can.
            policy: Where its browser may go. Otherwise jobs for the same browser come first, then groups that nobody
                has, then what will take longest.
            taken: The groups of the others' jobs.
        """
        if group in self._queues and self._queues[group].jobs:
            return group

        def comes_first(name: str) -> tuple[bool, bool, float]:
            queue = self._queues[name]
            return queue.policy == policy, name not in taken, queue.left

        return max((name for name, queue in self._queues.items() if queue.jobs), key=comes_first)


@dataclass(frozen=True)
class JobInstead(Generic[Job]):
    """What takes the place of a job whose worker does not live to its end, see ``JobReport.instead``."""

    job: Job
    died: Callable[[str, float], Job]
    since: float


@dataclass
class WorkerHandle(Generic[Job]):
    """A worker process, seen from here."""

    process: Any
    pipe: Connection
    browser: PipeEnds | None = None
    is_up: bool = False  # its browser has shown a page, or failed to
    idle: bool | None = None  # None until it has said anything
    group: str = ""
    jobs: dict[int, Job] = field(default_factory=dict)
    current: int | None = None
    instead: JobInstead[Job] | None = None
    deadline: float | None = None
    policy: NavigationPolicy = FORM
    is_try: bool = False  # of the one job that a pause lets through


@dataclass(frozen=True)
class HungWorker:
    """A worker that was killed, whose browser is to be looked at.

    Attributes:
        pid: Of its process.
        browser: The pipe to its browser.
    """

    pid: int
    browser: PipeEnds


@dataclass(frozen=True)
class PersonAnswer:
    """To a worker that has asked.

    Attributes:
        text: What the person answers; None for nothing.
    """

    text: str | None
