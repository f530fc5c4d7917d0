"""What a judge is given of an agent's try at a task: its words, its actions and the pictures of what it saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from harness.kit.files.inside import read_inside

LARGEST_PICTURE = 32 * 2**20
"""Bytes."""
Need: TypeAlias = Literal["pictures", "an action history", "thoughts", "a final answer"]
"""What a judge may need of a trajectory, in words."""


@dataclass(frozen=True, kw_only=True)
class JudgedTrajectory:
    """An agent's try at a task; its pictures stay files until one is looked at.

    Attributes:
        task_id: The task.
        task: What was to be done, in words.
        actions: What was done, in order, in the paper's form where the agent's maker kept to it:
            ``<element> -> ACTION: value`` (appendix C).
        thoughts: What the agent thought at each step, None where it told nothing; empty if it told nothing at all.
        answer: What it answered in the end; None if nothing.
        folder: Where the pictures are.
        pictures: The files in it, in the order in which they were taken.
        missing: What is no picture though there should be one, by its name.
        page: The words of the last page; None if they are not known, or nobody asked for them.
    """

    task_id: str
    task: str
    actions: tuple[str, ...]
    folder: Path
    pictures: tuple[str, ...]
    thoughts: tuple[str | None, ...] = ()
    answer: str | None = None
    missing: tuple[str, ...] = ()
    page: str | None = None

    @property
    def steps(self) -> int:
        """How many actions it took."""
        return len(self.actions)

    def picture(self, name: str) -> bytes:
        """One of the pictures.

        Args:
            name: As in ``pictures``.

        Raises:
            OSError: it cannot be read, or is not one of the folder's any more.
        """
        return read_inside(self.folder, name, LARGEST_PICTURE)

    def lacks(self, needs: Iterable[Need]) -> tuple[Need, ...]:
        """Those of a judge's needs that the trajectory does not have (Table 1 of Xue et al. 2025)."""
        there: Mapping[Need, bool] = {
            "pictures": bool(self.pictures),
            "an action history": bool(self.actions),
            "thoughts": any(self.thoughts),
            "a final answer": bool(self.answer),
        }
        return tuple(need for need in needs if not there[need])
