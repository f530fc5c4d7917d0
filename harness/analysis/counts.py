"""Counts of outcomes, submissions, and fields that are not scored, in one pass over the episodes of a run."""

from __future__ import annotations

from collections import Counter

from harness.catalog.labels import is_blank
from harness.records.episode import FieldRecord
from harness.records.results import Rates
from harness.scoring.answers.columns import SCORED, UNLABELLED
from harness.scoring.scores import InstanceScore


class Counts:
    """Counts of outcomes, submissions, and fields that are not scored.

    Attributes:
        outcomes: Outcome -> episodes.
        unscored: Reason -> fields that are not scored.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.unscored: Counter[str] = Counter()
        self._submissions = self._accepted = self._blank = self._filled = 0

    def see(self, score: InstanceScore) -> None:
        """Take an episode into account."""
        episode = score.episode
        self.outcomes[episode.outcome] += 1
        for record in episode.fields:
            if record.status != SCORED:
                self.unscored[record.status] += 1
            if record.status == UNLABELLED and episode.submission:
                self._blank += 1
                self._filled += _filled(record)
        if episode.submission:
            self._submissions += 1
            self._accepted += episode.submission.accepted

    def merge(self, other: Counts) -> None:
        """Take into account what others have counted."""
        self.outcomes.update(other.outcomes)
        self.unscored.update(other.unscored)
        self._submissions += other._submissions
        self._accepted += other._accepted
        self._blank += other._blank
        self._filled += other._filled

    def rates(self) -> Rates:
        """Shares of submissions and of fields."""
        return Rates(
            accepted_submissions=self._accepted / self._submissions if self._submissions else None,
            filled_where_every_worker_left_blank=self._filled / self._blank if self._blank else None,
        )


def _filled(field: FieldRecord) -> bool:
    return field.sent != field.untouched and not all(map(is_blank, field.sent))
