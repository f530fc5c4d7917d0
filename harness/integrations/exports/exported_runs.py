"""The episodes that are exported: of one run or several, scored, and chosen by score, solver and split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.catalog.splits import DEFAULT as TRAIN
from harness.kit.text import counted
from harness.records.config import RunConfig
from harness.records.directory import NotARun, RunDirectory
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode


class ExportSummary:
    """What was exported, and what was left out.

    Attributes:
        count: Rows of all kinds.
    """

    def __init__(self) -> None:
        self.count = 0
        self._lines: list[str] = []
        self._held_out: Counter[str] = Counter()

    def rows(self, what: tuple[str, str], count: int, held_out: Iterable[str], left_out: Mapping[str, int]) -> None:
        """Add rows.

        Args:
            what: What one of them is called, and what several are.
            count: How many.
            held_out: The splits of those that are not to be learnt from.
            left_out: Reason -> how often something is left out for it.
        """
        self.count += count
        self._lines.append(counted(count, *what))
        self._lines += [f"left out: {times} x {reason}" for reason, times in sorted(left_out.items()) if times]
        self._held_out.update(held_out)

    def note(self, text: str) -> None:
        """Add what else there is to say."""
        self._lines.append(text)

    def __str__(self) -> str:
        lines = [*self._lines]
        if self._held_out:
            splits = ", ".join(sorted(self._held_out))
            lines.append(
                f"marked as held_out: what is of {splits}. A model that learns from it must not be evaluated on it; "
                "--split train leaves it out"
            )
        return "\n".join(lines)


ORACLE = "oracle"
"""The solver whose every episode is an example of what to do, whatever score the labels allow."""


@dataclass(frozen=True)
class ExportedRun:
    """A run to export from.

    Attributes:
        name: Its folder's name, by which rows refer to it.
        run: The run directory.
        config: What it was asked for.
        identical: Task -> the tasks whose files are equal to its own byte for byte, as the run knew them.
    """

    name: str
    run: RunDirectory
    config: RunConfig
    identical: dict[str, tuple[str, ...]]

    @classmethod
    def open(cls, folder: Path) -> ExportedRun:
        """A run directory.

        Raises:
            NotARun: there is none that this version reads.
        """
        run = RunDirectory.open(folder)
        record = run.read()
        identical = {
            task: tuple(other for other in group if other != task) for group in record.identical_tasks for task in group
        }
        return cls(folder.resolve().name, run, record.config, identical)

    @property
    def solver(self) -> str:
        """Who played."""
        return self.config.solver


@dataclass(frozen=True)
class ExportChoice:
    """Which episodes are exported.

    Attributes:
        min_score: Only those with at least this score, between 0 and 1; None for all.
        solvers: Only those of these solvers; empty for all.
        splits: Only those of tasks of these splits; empty for all.
    """

    min_score: float | None = None
    solvers: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()

    def takes(self, each: ExportedEpisode) -> bool:
        """Whether an episode is exported."""
        score = each.score.score
        return (
            (not self.solvers or each.source.solver in self.solvers)
            and (not self.splits or each.episode.split in self.splits)
            and (self.min_score is None or (score is not None and score >= self.min_score))
        )


@dataclass(frozen=True)
class ExportedEpisode:
    """An episode of a run, with its scores under the run's own profile."""

    source: ExportedRun
    episode: Episode

    @cached_property
    def score(self) -> InstanceScore:
        """Its scores."""
        return score_episode(self.episode, PROFILES[self.source.config.metrics])

    @property
    def held_out(self) -> bool:
        """Whether a model that learns from it has seen what others are evaluated on: it is not of the train split."""
        return self.episode.split != TRAIN

    def place(self) -> dict[str, Any]:
        """Which episode it is: the first columns of every row that is made of it."""
        episode = self.episode
        return {
            "run": self.source.name,
            "solver": self.source.solver,
            "task": episode.task,
            "index": episode.index,
            "id": episode.id,
            "split": episode.split,
            "held_out": self.held_out,
        }


def open_all(folders: Sequence[Path]) -> list[ExportedRun]:
    """Several run directories.

    Raises:
        NotARun: one of them is none, or two have the same name.
    """
    sources = [ExportedRun.open(folder) for folder in folders]
    names = [source.name for source in sources]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise NotARun(f"two runs are called {twice}, and rows could not be told apart; rename one of the folders")
    return sources


def episodes_of(sources: Sequence[ExportedRun], choice: ExportChoice) -> Iterator[ExportedEpisode]:
    """The chosen episodes: run by run as given, then by task folder and index.

    Raises:
        NotARun: one cannot be read.
    """
    for source in sources:
        for episode in source.run.episodes():
            each = ExportedEpisode(source, episode)
            if choice.takes(each):
                yield each
