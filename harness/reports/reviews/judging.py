"""What a reviewer does: one verdict after the other, each kept at once. The first on an answer stands: it was blind."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.records.verdict import AnswerVerdict, Judge, LabelVerdict, PlaceVerdict, Verdicts
from harness.reports.reviews.review import VERDICTS, DrawnField, Review, ReviewFolder, WrongReview, check, in_order
from harness.reports.reviews.verdict_files import VerdictPlace, change_verdicts, known_verdicts, verdicts_file

LONGEST_NOTE = 2_000
"""Characters."""


@dataclass(frozen=True)
class StandingVerdict:
    """What stands after a reviewer has said something.

    Attributes:
        verdict: The verdict.
        is_other: Whether it is another than was said just now: it was said before, in another window.
    """

    verdict: PlaceVerdict
    is_other: bool


@dataclass(frozen=True)
class Reviewer:
    """A person at a review.

    Attributes:
        folder: Where the review is.
        review: The draw.
        judge: The person.
    """

    folder: ReviewFolder
    review: Review
    judge: Judge

    def said(self) -> Mapping[VerdictPlace, PlaceVerdict]:
        """What the person has said so far.

        Raises:
            MalformedVerdicts: it cannot be read.
            WrongReview: it is of something else.
        """
        file = verdicts_file(self.folder.folder / VERDICTS, self.judge)
        known = known_verdicts(file)
        check(self.review, Verdicts(run=self.review.run, judge=self.judge, verdicts=tuple(known.values())), file)
        return known

    def settle(self, field: DrawnField, answer: AnswerVerdict, seconds: float | None) -> StandingVerdict:
        """Say what an answer is, blind; once.

        Args:
            field: The drawn field.
            answer: The verdict.
            seconds: How long it was looked at before; None if nobody measured it.

        Raises:
            OSError: the place cannot be written.
            MalformedVerdicts: what was there cannot be read.
        """
        new = PlaceVerdict(
            task=field.task,
            index=field.index,
            id=field.id,
            field=field.field,
            sent=field.sent,
            answer=answer,
            labels=None,
            note="",
            at=now(),
            seconds=seconds,
        )
        return self._keep(
            field, lambda known: StandingVerdict(known or new, known is not None and known.answer != answer)
        )

    def complete(
        self, field: DrawnField, labels: LabelVerdict, note: str, before: tuple[LabelVerdict | None, str]
    ) -> StandingVerdict:
        """Say what the labels are, once the answer has been judged; said again, it is said anew.

        Args:
            field: The drawn field.
            labels: The verdict.
            note: Why, in words.
            before: Verdict on the labels and note as the person saw them. Where others stand, those stay.

        Raises:
            OSError: the place cannot be written.
            MalformedVerdicts: what was there cannot be read.
            WrongReview: nothing has been said of the answer.
        """

        def completed(known: PlaceVerdict | None) -> StandingVerdict:
            if known is None:
                raise WrongReview("Nothing has been said of this answer yet: the labels come after it")
            if (known.labels, known.note) not in {before, (labels, note)}:
                return StandingVerdict(known, is_other=True)
            return StandingVerdict(replace(known, labels=labels, note=note), is_other=False)

        return self._keep(field, completed)

    def _keep(self, field: DrawnField, said: Callable[[PlaceVerdict | None], StandingVerdict]) -> StandingVerdict:
        found: list[StandingVerdict] = []

        def change(known: Mapping[VerdictPlace, PlaceVerdict]) -> Sequence[PlaceVerdict]:
            found.append(said(known.get(field.place)))
            return in_order(self.review, {**known, field.place: found[0].verdict})

        change_verdicts(self.folder.folder / VERDICTS, self.review.run, self.judge, change)
        return found[0]


def now() -> str:
    """The time of a verdict: ISO 8601, UTC, to the microsecond."""
    return datetime.datetime.now(datetime.UTC).isoformat()
