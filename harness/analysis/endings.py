"""Why episodes ended otherwise than by themselves: the reasons of each outcome, the most frequent first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.kit.text import shorten
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, Outcome
from harness.scoring.scores import InstanceScore

MOST_REASONS = 3
"""Reasons that are told of an outcome."""
LONGEST_REASON = 300
"""Characters."""
TOLD: tuple[Outcome, ...] = ("harness_error", "agent_error", "limit")
"""Outcomes that have a reason."""
_LIMITS = {
    "steps": "the page's actions were used up (--max-steps {})",
    "time": "the page's time was used up (--max-time {})",
    "cost": "the run's money was used up (--max-cost {})",
    "tokens": "the run's tokens were used up (--max-tokens {})",
    "repeats": "the same actions were done on the same page again and again",
}
_DIFFERS = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
"""What tells apart reasons that are one: names, and numbers."""


@dataclass(frozen=True)
class EndReason:
    """A reason for which episodes ended.

    Attributes:
        count: How many.
        words: The reason as the first of them has it, shortened.
        task: The task of that one.
        index: Its instance.
        run: Its run directory; None if it is not on disk.
    """

    count: int
    words: str
    task: str
    index: int
    run: Path | None

    @property
    def file(self) -> Path | None:
        """The episode of the example."""
        return RunDirectory(self.run).episode_file(self.task, self.index) if self.run else None


@dataclass(frozen=True)
class OutcomeReasons:
    """The reasons of an outcome.

    Attributes:
        count: Episodes.
        reasons: The most frequent reasons.
        others: How many episodes ended for other reasons.
    """

    count: int
    reasons: tuple[EndReason, ...]
    others: int


class Endings:
    """Looks at the episodes of a run, see ``harness.analysis.episode_pass.Visitor``, and sorts them by their reasons.

    Attributes:
        second_attempts: How many episodes had a second attempt, since page, browser or process died under the solver.
    """

    def __init__(self, run: Path | None = None) -> None:
        """Nothing was seen yet.

        Args:
            run: The run directory.
        """
        self.second_attempts = 0
        self._run = run
        self._counts: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], EndReason] = {}

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        episode = score.episode
        self.second_attempts += (episode.attempts or 0) > 1
        if episode.outcome not in TOLD:
            return
        words = _words(episode)
        reason = (episode.outcome, _DIFFERS.sub("*", words))
        self._counts[reason] += 1
        if reason not in self._examples:
            shown = shorten(" ".join(words.split()), LONGEST_REASON)
            self._examples[reason] = EndReason(0, shown, episode.task, episode.index, self._run)

    def merge(self, other: Endings) -> None:
        """Take in what another has seen, and its examples of reasons that were not met before."""
        self.second_attempts += other.second_attempts
        self._counts.update(other._counts)
        self._examples = {**other._examples, **self._examples}

    def found(self) -> Mapping[Outcome, OutcomeReasons]:
        """The reasons of each outcome that had any, those without a score first."""
        return {outcome: self._of(outcome) for outcome in TOLD if any(of == outcome for of, _ in self._counts)}

    def _of(self, outcome: Outcome) -> OutcomeReasons:
        ranked = sorted(
            ((number, reason) for reason, number in self._counts.items() if reason[0] == outcome),
            key=lambda each: (-each[0], each[1]),
        )
        total = sum(number for number, _ in ranked)
        shown = tuple(_with_count(self._examples[reason], number) for number, reason in ranked[:MOST_REASONS])
        return OutcomeReasons(total, shown, total - sum(each.count for each in shown))


def _with_count(example: EndReason, number: int) -> EndReason:
    return EndReason(number, example.words, example.task, example.index, example.run)


def _words(episode: Episode) -> str:
    if episode.outcome != "limit":
        return episode.detail or "no reason was recorded"
    words = _LIMITS.get(episode.limit)
    allowed = episode.allowed
    if words is None or (allowed is None and "{}" in words):
        return f"the limit of {episode.detail} was reached"
    return words.format(f"{allowed:g}" if allowed is not None else "")
