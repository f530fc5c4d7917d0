"""Texts compared: exactly, as a part, or by meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from harness.catalog.site_facts import Match
from harness.kit.text import shorten


@dataclass(frozen=True)
class Judgement:
    """How well an answer follows a rule.

    Attributes:
        score: From 0 to 1; None if nobody could tell.
        why: In words.
    """

    score: float | None
    why: str = ""


class MeaningJudge(Protocol):
    """Who compares by meaning."""

    def judge(self, rule: str, answer: str) -> Judgement:
        """How well an answer follows a rule.

        Args:
            rule: E.g. ``Decide whether the place is in New York``.
            answer: What the page held, or what was answered.
        """


MET = 0.8
"""From which score on something counts as met: what is right but worded otherwise is not asked to be perfect."""
_SHOWN = 120
Matcher = Callable[[Match, str, str], Judgement]
"""Compares by (match, answer, reference)."""


def matcher(judge: MeaningJudge | None) -> Matcher:
    """What compares texts, and asks the judge about the same rule and answer once only.

    Args:
        judge: For matches by meaning; None if there is none: then their score is not known.
    """
    known: dict[tuple[str, str], Judgement] = {}

    def compare(match: Match, answer: str, reference: str) -> Judgement:
        shown = f"{shorten(answer, _SHOWN)!r}"
        if match == "exact":
            return Judgement(float(answer == reference), f"{shown} against {reference!r}")
        if match == "include":
            return Judgement(float(reference in answer), f"{shown} for {reference!r} in it")
        if judge is None:
            return Judgement(None, f"{shown} needs a judge: {reference!r}")
        if (reference, answer) not in known:
            known[reference, answer] = judge.judge(reference, answer)
        found = known[reference, answer]
        return Judgement(found.score, f"{shown} judged by {reference!r}: {found.why}")

    return compare


def is_met(score: float | None) -> bool | None:
    """Whether a score is enough; None if it is not known."""
    return None if score is None else score >= MET


def all_met(scores: list[float | None]) -> bool | None:
    """Whether all scores are enough: False as soon as one is known not to be, else None if one is not known."""
    met = [is_met(score) for score in scores]
    return False if False in met else None if None in met else True
