"""The worst of many examples, spread over tasks, in memory for a few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

Example = TypeVar("Example")
Rank: TypeAlias = tuple[Any, ...]
"""What examples are sorted by: numbers and texts, in the same order for all."""


class WorstExamples(Generic[Example]):
    """The examples with the lowest keys, at most so many a task; of all others nothing is kept.

    What was once worse than ``most`` others that may stand stays so, whatever comes: a better example of a task takes
    the place of a worse one of the same task. So a list that is cut down now and then ends with the right examples.

    Attributes:
        count: How many there were to choose from; kept by the owner.
    """

    def __init__(self, most: int, a_task: int) -> None:
        """Begin with none; at most ``most`` stand at the end, ``a_task`` of one task."""
        self._most, self._a_task = most, a_task
        self._kept: list[tuple[Rank, str, Example]] = []
        self._full: Rank | None = None
        self._full_tasks: dict[str, Rank] = {}
        self.count = 0

    def has_no_place(self, task: str, key: Rank) -> bool:
        """Whether an example whose key begins so cannot stand."""
        limits = [limit for limit in (self._full, self._full_tasks.get(task)) if limit is not None]
        return any(key > limit[: len(key)] for limit in limits)

    def add(self, key: Rank, task: str, make: Callable[[], Example]) -> None:
        """Take one that may stand; ``make`` is called for such a one alone."""
        if self.has_no_place(task, key):
            return
        self._kept.append((key, task, make()))
        own = sorted(rank for rank, of, _ in self._kept if of == task)
        if len(own) >= self._a_task:  # what is worse need not be made
            self._full_tasks[task] = own[self._a_task - 1]
        if len(self._kept) >= 2 * self._most:
            self._cut_down()

    def merge(self, other: WorstExamples[Example]) -> None:
        """Take in those that another has kept."""
        self.count += other.count
        self._kept += other._kept
        self._cut_down()

    def rows(self) -> list[Example]:
        """Those that stand, lowest key first."""
        self._cut_down()
        return [example for _, _, example in self._kept]

    def _cut_down(self) -> None:
        standing: Counter[str] = Counter()
        kept: list[tuple[Rank, str, Example]] = []
        for item in sorted(self._kept, key=lambda item: item[0]):
            key, task, _ = item
            if standing[task] < self._a_task and len(kept) < self._most:
                standing[task] += 1
                kept.append(item)
                if standing[task] == self._a_task:
                    self._full_tasks[task] = key
        self._kept = kept
        if len(kept) == self._most:
            self._full = kept[-1][0]
        # A task without an example has none to be full of; only those that stand need remembering.
        self._full_tasks = {task: key for task, key in self._full_tasks.items() if standing[task] == self._a_task}
