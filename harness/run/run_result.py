"""What a run came to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.analysis.endings import Endings
from harness.analysis.site_results import SiteResults
from harness.metrics import PROFILES
from harness.runlog.directory import RunDirectory
from harness.runlog.run_record import RunRecord, RunStatus
from harness.scoring.scores import InstanceScore, score_episode


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
        """The scores of its episodes, read again one at a time, by task folder and index."""
        return scores_of(self.directory, self.record.config.metrics)


def scores_of(directory: RunDirectory, metrics: str) -> Iterator[InstanceScore]:
    """The scores of a run's episodes under a profile, one at a time; raises ``NotARun`` where one cannot be read."""
    profile = PROFILES[metrics]
    return (score_episode(episode, profile) for episode in directory.episodes())
