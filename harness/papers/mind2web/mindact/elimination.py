"""Which of many candidates is left when a model chooses among a few at a time (Deng et al. 2023, 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

C = TypeVar("C")
A = TypeVar("A")
GROUP = 5
"""Candidates in a question, beside "none of the above"."""


@dataclass
class Elimination(Generic[C, A]):
    """How candidates were chosen among.

    Attributes:
        winner: The one that was left; None if all were rejected.
        answer: The last answer that chose it; None if there is no winner.
        rounds: The sizes of the groups of each round.
    """

    winner: C | None = None
    answer: A | None = None
    rounds: list[list[int]] = field(default_factory=list)


def in_groups(items: Sequence[C], size: int = GROUP) -> list[Sequence[C]]:
    """Items in their order, so many at a time; the last group may be smaller."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def eliminate(
    candidates: Sequence[C], choose: Callable[[Sequence[C]], tuple[int, A] | None], size: int = GROUP
) -> Elimination[C, A]:
    """Ask about groups of candidates, and again about groups of those that were chosen, until one or none is left.

    Of each group one goes on at most, so there are no more rounds than the logarithm of the candidates, and no limit is
    needed.

    Args:
        candidates: In the order in which groups are made of them.
        choose: Asked about a group: which of it, from 0, and what else was said; None if none of it.
        size: Of a group, at least 2.
    """
    found: Elimination[C, A] = Elimination()
    left = list(candidates)
    while left:
        groups = in_groups(left, size)
        found.rounds.append([len(group) for group in groups])
        chosen = [(group[said[0]], said[1]) for group in groups if (said := choose(group)) is not None]
        left = [candidate for candidate, _ in chosen]
        if len(chosen) == 1:
            found.winner, found.answer = chosen[0]
            break
    return found
