"""Verdicts of a judge beside the truth, and how far they agree: overall, by level, by length and by agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from harness.kit.statistics.classification import UNREAD, VerdictAgreement, verdict_agreement
from harness.kit.statistics.estimate import DRAWS

ReferenceLevel: TypeAlias = Literal["easy", "medium", "hard"]
"""How hard a task is by the length of its reference: up to 5 steps, 6 to 10, 11 and more (Xue et al. 2025, section
3.2)."""
_EASY, _MEDIUM = 5, 10
_LENGTHS = (10, 20, 40, 80)
"""Up to how many actions trajectories are put together. The paper draws its lengths as a figure without such bounds."""
NOT_KNOWN = "not known"


@dataclass(frozen=True)
class JudgedPair:
    """One verdict on one trajectory whose truth is known.

    Attributes:
        task: The task: trajectories of one task belong together.
        agent: Whose trajectory it is.
        truth: Whether it succeeded.
        verdict: Whether the judge says so; None if the judge's reply could not be read.
        reference_length: Steps of the task's reference; None if not known.
        steps: Actions of the trajectory; None if not known.
    """

    task: str
    agent: str
    truth: bool
    verdict: bool | None
    reference_length: int | None = None
    steps: int | None = None


@dataclass(frozen=True)
class PairGroup:
    """Pairs that have something in common, and how far their verdicts agree with the truth.

    Attributes:
        by: What it is grouped by: ``all``, ``level``, ``length`` or ``agent``.
        name: What the pairs have in common.
        agreement: The numbers.
    """

    by: str
    name: str
    agreement: VerdictAgreement


def level_of(reference_length: int | None) -> ReferenceLevel | None:
    """The level of a task by the steps of its reference; None if that is not known."""
    if reference_length is None:
        return None
    return "easy" if reference_length <= _EASY else "medium" if reference_length <= _MEDIUM else "hard"


def length_of(steps: int | None) -> str:
    """The group of trajectories that one of so many actions belongs to."""
    if steps is None:
        return NOT_KNOWN
    for low, high in zip((0, *(bound + 1 for bound in _LENGTHS)), _LENGTHS, strict=False):
        if steps <= high:
            return f"{low} to {high} steps"
    return f"{_LENGTHS[-1] + 1} steps and more"


def agreement_groups(pairs: Sequence[JudgedPair], *, draws: int = DRAWS, seed: int = 0) -> tuple[PairGroup, ...]:
    """How far verdicts agree with the truth, over all pairs and over groups of them.

    Args:
        pairs: At least one. The intervals hold for tasks like these: all pairs of a task are one cluster.
        draws: Of the bootstrap.
        seed: Of the bootstrap.

    Returns:
        The groups, all pairs first; a way of grouping of which nothing is known is left out.
    """
    ways: Mapping[str, Callable[[JudgedPair], str]] = {
        "level": lambda pair: level_of(pair.reference_length) or NOT_KNOWN,
        "length": lambda pair: length_of(pair.steps),
        "agent": lambda pair: pair.agent,
    }
    found = [PairGroup("all", "all", _agreement(pairs, draws, seed))]
    for by, name_of in ways.items():
        names = sorted({name_of(pair) for pair in pairs}, key=_order)
        if names == [NOT_KNOWN]:
            continue
        found += [
            PairGroup(by, name, _agreement([pair for pair in pairs if name_of(pair) == name], draws, seed))
            for name in names
        ]
    return tuple(found)


def _order(name: str) -> tuple[int, int, str]:
    """Levels from easy to hard, lengths by their numbers, what is not known last."""
    levels = ("easy", "medium", "hard")
    if name in levels:
        return 0, levels.index(name), name
    first = name.split(" ", 1)[0]
    return (2 if name == NOT_KNOWN else 1), int(first) if first.isdecimal() else 0, name


def _agreement(pairs: Sequence[JudgedPair], draws: int, seed: int) -> VerdictAgreement:
    codes = np.unique([pair.task for pair in pairs], return_inverse=True)[1]
    said = [UNREAD if pair.verdict is None else int(pair.verdict) for pair in pairs]
    return verdict_agreement([int(pair.truth) for pair in pairs], said, codes, draws=draws, seed=seed)
