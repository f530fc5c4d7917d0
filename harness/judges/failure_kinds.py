"""Why a trajectory failed: the kinds of Xue et al. 2025 (section 6.2), as people and judges name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

FailureKind: TypeAlias = Literal["filter_and_sorting", "incomplete_steps", "navigation", "misunderstanding", "other"]
FAILURE_KINDS: tuple[FailureKind, ...] = get_args(FailureKind)
MEANINGS: Mapping[FailureKind, str] = {
    "filter_and_sorting": "a filter or an order was set wrongly, or was needed and not set",
    "incomplete_steps": "a step that matters was left out, such as sending a form or opening the page of a result",
    "navigation": "the way led elsewhere than the task needs",
    "misunderstanding": "something else was done than the task asks for",
    "other": "none of these",
}
"""What each kind means, as those who choose are told."""


@dataclass(frozen=True)
class FailureShares:
    """Why trajectories failed.

    Attributes:
        counts: How many there are of each kind.
        unnamed: Failures of which nobody named a kind.
    """

    counts: Mapping[FailureKind, int]
    unnamed: int

    def share(self, kind: FailureKind) -> float | None:
        """The share of a kind among the failures of which one was named; None if there are none."""
        named = sum(self.counts.values())
        return self.counts[kind] / named if named else None


def failure_shares(kinds: Iterable[FailureKind | None]) -> FailureShares:
    """Count why trajectories failed.

    Args:
        kinds: The kind of each failure; None where nobody named one.
    """
    found = Counter(kinds)
    return FailureShares({kind: found[kind] for kind in FAILURE_KINDS}, found[None])
