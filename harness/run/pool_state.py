"""What a pool knows of its workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.browser.wire import PipeEnds

Job = TypeVar("Job")


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
