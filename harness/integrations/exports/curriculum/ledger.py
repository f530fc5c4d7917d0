"""What became of each episode that could be learnt from: kept, or why not (AutoWebGLM's rejection sampling)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.integrations.exports.curriculum.parts import PARTS, DividedLessons
from harness.integrations.exports.exported_runs import ExportedEpisode

NOTHING_LEFT = "none of its steps is a lesson (README.md counts why)"


@dataclass(frozen=True)
class LedgerEntry:
    """An episode that was looked at.

    Attributes:
        run: The run's name.
        solver: Whose episode it is.
        task: Its task.
        index: Of the instance.
        score: Of the episode; None if unknown.
        why: Why it is not worth learning from; empty if it is.
    """

    run: str
    solver: str
    task: str
    index: int
    score: float | None
    why: str

    @classmethod
    def of(cls, each: ExportedEpisode, why: str) -> LedgerEntry:
        """An episode, and why it is not worth learning from."""
        episode = each.episode
        return cls(each.source.name, each.source.solver, episode.task, episode.index, each.score.score, why)

    def row(self, found: DividedLessons) -> dict[str, Any]:
        """A row: the entry, with how many lessons of each part came of it.

        Args:
            found: All lessons that were written.
        """
        own = (self.run, self.task, self.index)
        came: dict[str, int] = {
            part: sum((each.where.source, each.where.task, each.where.index) == own for each in found.of[part])
            for part in PARTS
        }
        why = self.why or ("" if any(came.values()) else NOTHING_LEFT)
        told = {name: getattr(self, name) for name in ("run", "solver", "task", "index", "score")}
        return {**told, "kept": not why, "why": why, **came}
