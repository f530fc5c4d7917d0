"""Who is told, while a run goes on, what can be read of it in its directory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


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
