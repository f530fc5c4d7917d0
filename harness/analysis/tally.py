"""What the numbers of a run need of each episode beyond its scores, gathered while the run is read."""

from __future__ import annotations

from collections.abc import Iterable

from harness.analysis.counts import Counts
from harness.analysis.failed_actions import FailedActions
from harness.people.label_agreement import Agreements
from harness.scoring.scores import InstanceScore


class Tally:
    """A visitor of a run; see ``harness.analysis.scored_run.Visitor``.

    Attributes:
        counts: Submissions, and fields that are not scored.
        failed: Failed actions by class.
        agreements: How far the workers agree.
        turns: Exchanges with a model.
        turns_from_cache: Those whose reply had been paid for before: their cost is 0.
    """

    def __init__(self) -> None:
        self.counts = Counts()
        self.failed = FailedActions()
        self.agreements = Agreements()
        self.turns = self.turns_from_cache = 0

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        self.counts.add(score.episode)
        self.failed.see(score)
        self.agreements.see(score)
        self.turns += len(score.episode.turns)
        self.turns_from_cache += sum(turn.cached for turn in score.episode.turns)

    @classmethod
    def together(cls, tallies: Iterable[Tally]) -> Tally:
        """What was seen of several seeds of one solver: their pages have the same labels, so that one run's will do."""
        found = cls()
        for place, each in enumerate(tallies):
            found.counts.merge(each.counts)
            found.failed.merge(each.failed)
            found.turns += each.turns
            found.turns_from_cache += each.turns_from_cache
            if not place:
                found.agreements = each.agreements
        return found
