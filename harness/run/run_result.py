"""What a run came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from harness.analysis.endings import Endings
from harness.records.directory import RunDirectory
from harness.records.results import Results
from harness.records.run_record import RunRecord, RunStatus, comparability_id
from harness.run.episode_totals import EpisodeTotals
from harness.run.forked import processes_for
from harness.run.stop_reasons import no_reply
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode

if TYPE_CHECKING:
    from harness.analysis.site_results import SiteResults


class RunWatcher(Protocol):
    """Told in the process that must see no labels, which are in the files of episodes: it reads none of these itself.

    Whatever becomes of what it is told, nothing is raised, and the run does not wait.
    """

    def planned(self, finished: Iterable[tuple[str, int]]) -> None:
        """The instances are chosen, and ``run.json`` says so.

        Args:
            finished: Task and index of the episodes that were written before.
        """

    def ended(self, task: str, index: int) -> None:
        """The episode of an instance was written. It may come before ``planned``."""


class _Nobody:
    def planned(self, finished: Iterable[tuple[str, int]]) -> None:
        """Nothing is to be done."""

    def ended(self, task: str, index: int) -> None:
        """Nothing is to be done."""


NOBODY: RunWatcher = _Nobody()
"""Watches nothing."""


@dataclass(frozen=True)
class RunResult:
    """What a run came to.

    Attributes:
        directory: The run directory.
        record: The content of its ``run.json``.
        endings: Why episodes ended otherwise than by themselves.
        sites: What evaluators say of its episodes on websites; None of forms.
        unjudged: Episodes of which something is not known that is compared by meaning.
    """

    directory: RunDirectory
    record: RunRecord
    endings: Endings
    sites: SiteResults | None = None
    unjudged: int = 0

    @property
    def status(self) -> RunStatus:
        """``complete``; ``incomplete`` (instances without a score); ``interrupted``."""
        return self.record.status

    @property
    def folder(self) -> Path:
        """Of the run directory."""
        return self.directory.folder

    def scores(self) -> Iterator[InstanceScore]:
        """The scores of its episodes, read again one at a time, by task folder and index.

        Raises:
            NotARun: one of them cannot be read.
        """
        profile = PROFILES[self.record.config.metrics]
        return (score_episode(episode, profile) for episode in self.directory.episodes())


def results_of(directory: RunDirectory, metrics: str, totals: EpisodeTotals) -> Results:
    """The numbers of a run whose workers have ended; all its episodes are read, by further processes if they are many.

    Args:
        directory: The run directory; it is not changed.
        metrics: The name of the profile.
        totals: Is shown every episode.

    Raises:
        NotARun: an episode cannot be read.
    """
    # Only now, when the workers are gone: pandas would be 40 MB in the memory of all of them.
    from harness.analysis.run_results import RunScores  # noqa: PLC0415

    with processes_for([directory.folder]) as pool:
        return RunScores.read(directory, PROFILES[metrics], [totals], pool).results()


def concluded(record: RunRecord, totals: EpisodeTotals) -> RunRecord:
    """A record with what follows from the rest of it: its comparability id, and what its end is worth.

    Args:
        record: All else of it.
        totals: Of its episodes.
    """
    record = replace(record, comparability_id=comparability_id(record.compared, record.config.rules))
    if record.status != "complete":
        return record
    if (work := record.asked_work) and work.never_replied:
        return replace(record, status="failed", stopped=no_reply(record, totals.endings))
    return replace(record, status="incomplete") if totals.outcomes["harness_error"] or totals.out_of_budget else record
