"""Looking at answers again and again while they come in, without a larger chance of a false yes.

Who tests after each look, and stops at the first yes, finds one by luck more often than one look does. So each look has
a part of the level alone: little of it while few items are there, as O'Brien and Fleming spend it (Lan and DeMets 1983,
*Discrete sequential boundaries for clinical trials*, Biometrika 70, 659-663). The parts sum to the level, so that the
chance of any false yes stays below it however looks depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scipy.stats import norm

from harness.analysis.replacement.decisions import LEVEL, Decision
from harness.analysis.replacement.replacement import Replacement
from harness.kit.text import counted


def looks_up_to(items: int, first: int) -> list[int]:
    """How many items there are at each look: ``first``, twice as many, and so on, and at last all."""
    sizes = []
    size = first
    while size < items:
        sizes.append(size)
        size *= 2
    return [*sizes, items]


def spent_levels(sizes: Sequence[int], level: float) -> list[float]:
    """The part of the level of each look.

    Args:
        sizes: Items at each look, growing.
        level: Of all looks together.
    """
    reached = norm.ppf(1 - level / 2)
    spent = [float(2 * norm.sf(reached / (size / sizes[-1]) ** 0.5)) for size in sizes]
    return [now - before for now, before in zip(spent, [0.0, *spent], strict=False)]


class SequentialDecision:
    """What has been decided, look by look; what is decided stays so."""

    def __init__(self, sizes: Sequence[int], level: float = LEVEL) -> None:
        """Nothing is decided yet.

        Args:
            sizes: Items at each look, growing.
            level: The chance of any false yes, over all looks.
        """
        self._levels = spent_levels(sizes, level)
        self._sizes = sizes
        self._made: dict[str, Decision] = {}
        self._fields = 0

    def level(self, look: int) -> float:
        """The level at which a look is tested; looks are counted from 1."""
        return self._levels[look - 1]

    def after(self, look: int, found: Replacement) -> Replacement:
        """Take in what a look at ``level(look)`` found of one task; gives it with what was decided before."""
        (task,) = found.tasks
        for each in task.fields:
            if each.answer != "not yet known":
                told = f"{each.why}; decided at {counted(self._sizes[look - 1], 'item')}"
                self._made.setdefault(each.name, replace(each, why=told))
        self._fields = len(task.fields)
        return replace(
            found, tasks=(replace(task, fields=tuple(self._made.get(each.name, each) for each in task.fields)),)
        )

    @property
    def is_decided(self) -> bool:
        """Whether every field is."""
        return 0 < self._fields == len(self._made)

    @property
    def told(self) -> str:
        """How far it is, in words."""
        return f"{len(self._made)} of {counted(self._fields, 'field')} decided"
