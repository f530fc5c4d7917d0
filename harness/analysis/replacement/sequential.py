"""Looking at answers again and again while they come in, without a larger chance of a false yes.

Who tests after each look, and stops at the first yes, finds one by luck more often than one look does. So each look has
a part of the level alone: little of it while few items are there, as O'Brien and Fleming spend it (Lan and DeMets 1983,
*Discrete sequential boundaries for clinical trials*, Biometrika 70, 659-663). The parts sum to the level, so that the
chance of any false yes stays below it however looks depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy.stats import norm

from harness.analysis.replacement.answers import AnsweredItem
from harness.analysis.replacement.decisions import LEVEL, Decision, WorkerNames, field_decisions
from harness.analysis.replacement.replacement import EPSILON, Replacement
from harness.kit.text import counted

FIRST_LOOK = 10
"""Items at the first look of a pilot."""
_FIRST_LABELS = 20
"""Items at the first look while labels come in."""


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

    def __init__(self, sizes: Sequence[int], level: float = LEVEL, alike: bool = False) -> None:
        """Nothing is decided yet.

        Args:
            sizes: Items at each look, growing.
            level: The chance of any false yes, over all looks.
            alike: Whether each look has the same part of the level, and not the later ones most.
        """
        self._levels = [level / len(sizes)] * len(sizes) if alike else spent_levels(sizes, level)
        self._sizes = sizes
        self._made: dict[str, Decision] = {}
        self._fields = 0

    def level(self, look: int) -> float:
        """The level at which a look is tested; looks are counted from 1."""
        return self._levels[look - 1]

    def after(self, look: int, found: Replacement) -> Replacement:
        """Take in what a look at ``level(look)`` found of one task; gives it with what was decided before."""
        (task,) = found.tasks
        self.decide(look, task.fields)
        return replace(found, tasks=(replace(task, fields=self.decided(task.fields)),))

    def decide(self, look: int, fields: Sequence[Decision]) -> None:
        """Keep what a look at ``level(look)`` decides of the fields of one task."""
        for each in fields:
            if each.answer != "not yet known":
                told = f"{each.why}; decided at {counted(self._sizes[look - 1], 'item')}"
                self._made.setdefault(each.name, replace(each, why=told))
        self._fields = len(fields)

    def decided(self, fields: Sequence[Decision]) -> tuple[Decision, ...]:
        """The fields, those that were decided as they were decided."""
        return tuple(self._made.get(each.name, each) for each in fields)

    @property
    def is_decided(self) -> bool:
        """Whether every field is."""
        return 0 < self._fields == len(self._made)

    @property
    def told(self) -> str:
        """How far it is, in words."""
        return f"{len(self._made)} of {counted(self._fields, 'field')} decided"


@dataclass(frozen=True)
class LooksSoFar:
    """What has been decided while labels come in.

    Attributes:
        fields: Field by field. What no look has decided is not yet known, whatever the numbers of now say.
        next_look: How many items there are at the next look; None after the last.
        level: The level of each look.
    """

    fields: tuple[Decision, ...]
    next_look: int | None
    level: float


def look_by_look(
    items: Sequence[AnsweredItem], names: WorkerNames, planned: int, epsilon: float = EPSILON
) -> LooksSoFar:
    """Decide while labels come in, however often it is asked: at fixed numbers of items alone.

    Nobody knows when labels end, and of thousands the first hundred should do. So each look has the same part of the
    level; as ``pilot`` spends it, nothing could be decided before a half of all items.

    Args:
        items: Of one task, in the order in which their labels became complete.
        names: Who the workers are.
        planned: How many there are to be in the end.
        epsilon: As of ``field_decisions``.
    """
    sizes = looks_up_to(max(planned, len(items), 1), _FIRST_LABELS)
    decision = SequentialDecision(sizes, alike=True)
    past = [size for size in sizes if size <= len(items)]
    for look, size in enumerate(past, start=1):
        decision.decide(look, field_decisions(items[:size], names, epsilon, decision.level(look), plan=False))
        if decision.is_decided:
            break
    next_look = sizes[len(past)] if len(past) < len(sizes) else None
    # Numbers of now, with what the next look would need. They decide nothing.
    now = field_decisions(items, names, epsilon, decision.level(1))
    fields = decision.decided([_undecided(each, len(items), next_look) for each in now])
    return LooksSoFar(fields, next_look, decision.level(1))


def _undecided(found: Decision, items: int, next_look: int | None) -> Decision:
    """What no look has decided: with how many items more it would, at the next look at the earliest."""
    if next_look is None or (found.answer == "not yet known" and found.further is None):
        return replace(found, answer="not yet known")
    further = max(found.further or 0, next_look - items)
    why = f"about {counted(further, 'more item')} would tell"
    return replace(found, answer="not yet known", further=further, why=why)
