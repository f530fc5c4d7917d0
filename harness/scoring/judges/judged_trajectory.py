"""What a judge is given of an agent's try at a task: its words, its actions and the pictures of what it saw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.kit.files.inside import read_inside
from harness.scoring.judges.replies import JudgeMethod

LARGEST_PICTURE = 32 * 2**20
"""Bytes."""


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

    def lacks(self, method: JudgeMethod) -> tuple[str, ...]:
        """What a judge needs and the trajectory does not have (Table 1 of Xue et al. 2025), in words."""
        wanted = {
            "pictures": bool(self.pictures),
            "an action history": bool(self.actions) or method == "webvoyager",
            "thoughts": any(self.thoughts) or method != "agenttrek",
            "a final answer": bool(self.answer) or method != "webvoyager",
        }
        return tuple(name for name, is_there in wanted.items() if not is_there)
