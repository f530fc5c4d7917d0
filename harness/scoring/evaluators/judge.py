"""Matches of meaning: what whoever says how well an answer follows a rule in words has to offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


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
