"""Where a worker gets what it needs for a page, and hands in what became of it: with the labels, or without."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance, Task
from harness.episode.assignment import KeyedWorkItem
from harness.episode.clock import Clock
from harness.episode.play import PlayedPage
from harness.records.agent_report import AgentReport
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Outcome, now
from harness.records.fatal import Stop
from harness.records.lost_attempts import KeptAttempts
from harness.run.page_job import PageJob
from harness.run.task_kind import task_kind
from harness.scoring.metrics import PROFILES
from harness.scoring.scored_kind import has_acted, has_replied
from harness.scoring.scores import score_episode


@dataclass(frozen=True)
class PlayedEpisode:
    """What the parent keeps of an episode; the rest is on disk.

    Attributes:
        outcome: As of ``Episode``.
        score: Between 0 and 1; None if it has none.
        served: As of ``Episode``.
        report: What its agent says that it took.
        replied: Whether the solver gave a reply of use, see ``harness.scoring.scores``.
        acted: Whether anything was done.
        stop: Why the run is to stop with it; None if it need not.
    """

    outcome: Outcome
    score: float | None
    served: frozenset[str] = frozenset()
    report: AgentReport | None = None
    replied: bool = True
    acted: bool = True
    stop: Stop | None = None


class LabelStore(Protocol):
    """Where a worker asks for one page after the other."""

    def work_item(self, job: PageJob, origin: str) -> Any:
        """What is needed to let a solver work on a page; None if a worker has to look at it first, see ``learn``.

        All is set for the episode then.

        Args:
            job: Names the page, which becomes the label store's present one.
            origin: Of the run's task server.
        """

    def learn(self, job: PageJob, origin: str, reference: Any) -> tuple[Any, str]:
        """As ``work_item``, with what a worker has seen (``TaskPlayer.look``); also news for the user, or ""."""

    def keep(self, job: PageJob, played: PlayedPage) -> PlayedEpisode | None:
        """Score and write what became of the present page; None where it is not for the asker to know.

        Raises:
            harness.records.directory.CannotWrite: the run directory cannot be written.
        """


class LocalLabelStore:
    """The label store where the labels are: in the process that keeps them, or in the worker of a keyed solver."""

    def __init__(self, config: RunConfig, folder: Path, *, tables: int = 1, control_key: str = "") -> None:
        """Open it.

        Args:
            config: Of the run.
            folder: The run directory.
            tables: How many tasks' tables are kept in memory.
            control_key: Of the run's task server; needed for tasks on websites.
        """
        self._config = config
        self._profile = PROFILES[config.metrics]
        self._catalog = Catalog(config.tasks_dir, config.overlay, tables_kept=1, seeds=config.seeds)
        self._outside = Outside(config.network, config.media)
        self._directory = RunDirectory(folder)
        self._kept = KeptAttempts(folder)
        self._tables = tables
        self._pages: OrderedDict[str, tuple[Task, Any]] = OrderedDict()
        self._kind = task_kind(config.kind)
        self._label_side = self._kind.label_side(config, control_key, self._directory.text, self._outside)
        self._present: KeyedWorkItem | None = None

    def work_item(self, job: PageJob, origin: str) -> KeyedWorkItem | None:
        """See ``LabelStore``.

        Raises:
            LookupError: the task's table has changed since the run began.
            harness.catalog.problems.MalformedTask: the task's files cannot be used any more.
            harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
        """
        task, pages = self._pages_of(job.task)
        self._present = self._label_side.begin(pages, _instance(job, task), origin, job.left_page)
        return self._present

    def learn(self, job: PageJob, origin: str, reference: Any) -> tuple[KeyedWorkItem, str]:
        """See ``LabelStore``."""
        task, pages = self._pages_of(job.task)
        self._present, words = self._label_side.learn(pages, _instance(job, task), origin, reference)
        return self._present, words

    def keep(self, job: PageJob, played: PlayedPage) -> PlayedEpisode:
        """See ``LabelStore``."""
        return self.write(job, self._present, played)

    def write(self, job: PageJob, assignment: KeyedWorkItem | None, played: PlayedPage) -> PlayedEpisode:
        """Score and write what became of a page.

        Args:
            job: The page.
            assignment: What was to be done there; None if that was never found out.
            played: What became of it.

        Raises:
            harness.records.directory.CannotWrite: the run directory cannot be written.
        """
        if played.end.outcome == "harness_error" or assignment is None:
            if assignment is not None:
                self._label_side.drop(assignment)
            failed = job.failed(played.end.detail)
            episode = replace(failed, attempts=played.attempts, lost_turns=played.lost_turns)
        else:
            episode = self._label_side.finish(assignment, played)
            if why := self._label_side.why_unknown(episode, played):
                # Left out of the means it would raise them: as an error of the harness it stands in their bounds.
                failed = job.failed(why)
                episode = replace(failed, attempts=episode.attempts, lost_turns=episode.lost_turns)
        clock = Clock()
        task, _ = self._pages_of(job.task)
        missing = self._outside.missing(task, _instance(job, task))
        episode = replace(
            episode,
            missing_media=missing.media,
            missing_assets=missing.assets,
            allowed=self._allowed(episode.limit, assignment),
        )
        score = score_episode(episode, self._profile).score
        clock.lap("record")
        episode = replace(episode, timing={**episode.timing, **clock.timing}, ended=now())
        self._directory.add(episode, {})
        if episode.outcome != "harness_error":
            self._kept.forget(job.task, job.index)
            self._kind.ended(self._directory.folder, job.task, job.index)
        work = has_replied(episode), has_acted(episode)
        return PlayedEpisode(episode.outcome, score, episode.served, episode.reported, *work)

    def _allowed(self, limit: str, assignment: KeyedWorkItem | None) -> float | None:
        """How much a limit allows: as of the run, or of a task that allows less."""
        allowed = self._config.allowed(limit)
        most = self._label_side.most_steps(assignment) if assignment is not None and limit == "steps" else None
        return min(each for each in (allowed, most) if each is not None) if most is not None else allowed

    def _pages_of(self, name: str) -> tuple[Task, Any]:
        if name not in self._pages:
            while len(self._pages) >= self._tables:
                self._pages.popitem(last=False)  # the table before goes first
            task = self._catalog.task(name)
            self._pages[name] = task, self._label_side.pages(task)
        self._pages.move_to_end(name)
        return self._pages[name]


def _instance(job: PageJob, task: Task) -> Instance:
    """The instance of a job.

    Raises:
        LookupError: the task's table has changed since the run began.
    """
    instances = task.pages
    if job.index >= len(instances) or instances[job.index].id != job.id:
        raise LookupError(f"the files of {job.task!r} have changed since the run began")
    return instances[job.index]
