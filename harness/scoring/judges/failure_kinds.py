"""Why a trajectory failed: the kinds of Xue et al. 2025 (section 6.2), as people and judges name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from harness.records.verdict import TaskFailureKind

FAILURE_KINDS: tuple[TaskFailureKind, ...] = get_args(TaskFailureKind)
MEANINGS: Mapping[TaskFailureKind, str] = {
    "filter_and_sorting": "a filter or an order was set wrongly, or was needed and not set",
    "incomplete_steps": "a step that matters was left out, such as sending a form or opening the page of a result",
    "navigation": "the way led elsewhere than the task needs",
    "misunderstanding": "something else was done than the task asks for",
    "other": "none of these",
}
"""What each kind means, as those who choose are told."""


@dataclass(frozen=True, kw_only=True)
class NamedFailure:
    """What a judge that says failure says of its kind.

    Attributes:
        kind: The kind; null where none is said clearly.
        why: Why there is none; empty if there is one.
        reply: What it wrote.
        prompts: The hash of the words it was asked with.
    """

    kind: TaskFailureKind | None
    why: str
    reply: str
    prompts: str


@dataclass(frozen=True)
class FailureShares:
    """Why trajectories failed.

    Attributes:
        counts: How many there are of each kind.
        unnamed: Failures of which nobody named a kind.
    """

    counts: Mapping[TaskFailureKind, int]
    unnamed: int

    def share(self, kind: TaskFailureKind) -> float | None:
        """The share of a kind among the failures of which one was named; None if there are none."""
        named = sum(self.counts.values())
        return self.counts[kind] / named if named else None


def failure_shares(kinds: Iterable[TaskFailureKind | None]) -> FailureShares:
    """Count why trajectories failed.

    Args:
        kinds: The kind of each failure; None where nobody named one.
    """
    found = Counter(kinds)
    return FailureShares({kind: found[kind] for kind in FAILURE_KINDS}, found[None])
