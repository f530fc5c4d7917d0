"""What a pool knows of its workers, and of the jobs that none of them has."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from harness.browser.navigation_policy import FORM, NavigationPolicy
from harness.browser.wire import PipeEnds

Job = TypeVar("Job")


@dataclass
class JobQueue(Generic[Job]):
    """The jobs of one group that no worker has, how long they are thought to take, and where their browser may go."""

    jobs: deque[tuple[int, Job]] = field(default_factory=deque)
    weight: float = 0.0
    policy: NavigationPolicy = FORM

    @property
    def left(self) -> float:
        """How long all of them are thought to take."""
        return self.weight * len(self.jobs)


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
