"""All that a report counts of the episodes of a run beside their scores, in one pass over them."""

from __future__ import annotations

from collections.abc import Iterable

from harness.analysis.failed_actions import FailedActions
from harness.analysis.people.label_agreement import Agreements
from harness.analysis.run_results import Counts
from harness.scoring.scores import InstanceScore


class Tally:
    """All that a report counts; shown every episode, see ``harness.analysis.episode_pass.Visitor``.

    Attributes:
        counts: Outcomes, submissions, and fields that are not scored.
        failed: Failed actions by class.
        agreements: How far the workers agree.
        turns_from_cache: Exchanges with a model whose reply had been paid for before: their cost is 0.
    """

    def __init__(self) -> None:
        self.counts = Counts()
        self.failed = FailedActions()
        self.agreements = Agreements()
        self.turns_from_cache = 0

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        self.counts.see(score)
        self.failed.see(score)
        self.agreements.see(score)
        self.turns_from_cache += sum(turn.cached for turn in score.episode.turns)

    def merge(self, other: Tally) -> None:
        """Take in what another has seen of the episodes that follow."""
        self.counts.merge(other.counts)
        self.failed.merge(other.failed)
        self.agreements.merge(other.agreements)
        self.turns_from_cache += other.turns_from_cache

    @classmethod
    def together(cls, tallies: Iterable[Tally]) -> Tally:
        """What was seen of several seeds of one solver: their pages have the same labels, so that one run's will do."""
        found = cls()
        for place, each in enumerate(tallies):
            found.counts.merge(each.counts)
            found.failed.merge(each.failed)
            found.turns_from_cache += each.turns_from_cache
            if not place:
                found.agreements = each.agreements
        return found
