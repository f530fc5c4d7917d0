"""One run, as it is logged to one tracker: whether it goes on or is long over, and whatever the tracker does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from harness.integrations.tracking.run_metrics import (
    ProgressMetrics,
    begun_parameters,
    ended_parameters,
    model_name,
    solver_name,
    summary_metrics,
)
from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, RunSummary, Tracker
from harness.kit.text import counted, shorten
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode

_LONGEST = 300
"""Characters of a tracker's error."""


class RunLog:
    """Tells a tracker of a run. What fails there is said once, counted, and nothing else comes of it.

    Attributes:
        failures: How often the tracker has failed.
    """

    def __init__(self, name: str, make: Callable[[], Tracker], folder: Path, say: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            name: The tracker's name.
            make: Makes it.
            folder: The run directory.
            say: Is told where the run can be seen, and what has failed.
        """
        self.failures = 0
        self._name = name
        self._make = make
        self._run = RunDirectory(folder)
        self._say = say
        self._tracker: Tracker | None = None
        self._progress = ProgressMetrics()

    def start(self) -> None:
        """Tell of the run; if that fails, nothing more is told of it.

        Raises:
            harness.records.directory.NotARun: there is none.
        """
        record = self._run.read()
        self._profile = PROFILES[record.config.metrics]
        self._last = _seconds(record.started)
        begun = BegunRun(
            name=self._run.folder.resolve().name,
            solver=solver_name(record),
            model=model_name(record),
            provider=str(record.solver.get("provider") or ""),
            began=_seconds(record.started),
            parameters=begun_parameters(record),
        )
        with self._guarded():
            tracker = self._make()
            self._say(f"{self._name}: {tracker.start(begun)}")
            self._tracker = tracker

    def episode(self, episode: Episode) -> None:
        """Tell of an episode that has ended."""
        score = score_episode(episode, self._profile)
        metrics = self._progress.add(score)
        ended = EndedEpisode(episode, score.score, self._written(episode), self._progress.episodes, metrics)
        with self._guarded():
            if self._tracker:
                self._tracker.episode(ended)

    @property
    def goes_on(self) -> bool:
        """Whether there is still somebody to be told."""
        return self._tracker is not None

    def end(self) -> None:
        """Tell what the run came to.

        Raises:
            harness.records.directory.NotARun: it cannot be read any more.
        """
        if not self._tracker:
            return
        record = self._run.read()
        metrics = summary_metrics(self._run.folder) if self._run.has_episodes() else {}
        # Of a run that was killed nobody wrote when it ended.
        ended = _seconds(record.ended) if record.ended else self._last
        with self._guarded():
            self._tracker.end(RunSummary(record.status, ended, ended_parameters(record), metrics))
        if self.failures > 1:
            self._say(f"{self._name} has failed {counted(self.failures, 'time')} in all")

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever a tracker's library raises
            self.failures += 1
            if self.failures == 1:
                self._say(f"{self._name} has failed: {_in_words(error)}")

    def _written(self, episode: Episode) -> float:
        file = self._run.episode_file(episode.task, episode.index)
        # Before it was kept, the time of its file has to do.
        self._last = _seconds(episode.ended) if episode.ended else file.stat().st_mtime
        return self._last


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _in_words(error: Exception) -> str:
    words = " ".join(str(error).split())
    return shorten(f"{type(error).__name__}: {words}" if words else type(error).__name__, _LONGEST)
