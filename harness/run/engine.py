"""What places the episodes of a run on processors: worker processes of this machine, or nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

from harness.catalog.problems import Problem
from harness.episode.clock import THROW_SECONDS, THROWS
from harness.episode.work import GRACE_SECONDS
from harness.kit.errors import UserError
from harness.records.config import RunConfig
from harness.run.interrupts import Interrupts
from harness.run.label_process import LabelProcess, OpenLabels
from harness.run.label_store import PlayedEpisode
from harness.run.page_job import PageJob
from harness.run.pause import Pause
from harness.run.plan import PlannedTask
from harness.run.pool import PoolListener
from harness.run.run_tasks import RunTasks

HARNESS_SECONDS = 300.0
"""How long an attempt may take beside the solver: to start a browser, open the page twice, and read it back."""


class NoEngine(UserError):
    """An engine cannot be used; the message says what to do."""


Played = tuple[PlayedEpisode | None, str]
"""What came of an episode, if its worker may know it, and the browser's version."""


@dataclass(frozen=True)
class EngineOrder:
    """What an engine needs of a run.

    Attributes:
        config: What was asked for.
        folder: The run directory.
        tasks: Which tasks there are.
        labels: Tells of pages, and scores.
        listener: Is told what becomes of episodes.
        interrupts: Which ask for the end.
        pause: When to go on after the model's provider was gone.
        control_key: Of the run's task server.
    """

    config: RunConfig
    folder: Path
    tasks: RunTasks
    labels: LabelProcess | OpenLabels
    listener: PoolListener[PageJob, Played]
    interrupts: Interrupts
    pause: Pause
    control_key: str


def patience_of(config: RunConfig) -> float:
    """Seconds after which an attempt of a run that has not ended, nor asked for longer, is ended with its process."""
    return config.limits.max_seconds + GRACE_SECONDS + THROWS * THROW_SECONDS + HARNESS_SECONDS


class Engine(Protocol):
    """A context. Whatever ends it, nothing that it has started is left."""

    def __enter__(self) -> Engine: ...

    def absent(self) -> dict[str, Problem]:
        """The tasks whose bundled website is not there, with what is to be told of each.

        Raises:
            harness.run.site_control.SiteControlRefused: nobody can be asked.
        """

    def open(self) -> None:
        """Let browsers be started."""

    def put(self, task: PlannedTask, jobs: Sequence[PageJob]) -> None:
        """Add episodes of a task; those that can be are begun.

        Raises:
            FatalError, Exception: as ``finish``.
        """

    def finish(self) -> None:
        """Wait until all episodes have ended.

        Raises:
            FatalError: what would end every episode, or nobody is left to play them.
            Exception: no browser can be started.
            KeyboardInterrupt: there was an interrupt; the episodes under way were finished.
        """

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def weight_of(task: PlannedTask) -> float:
    """How long an episode of a task is thought to take, in any unit."""
    return 1.0 + task.columns
