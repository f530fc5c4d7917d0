"""The run of an address below ``review/``, and its reviews."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from harness.kit.errors import UserError
from harness.records.directory import RunDirectory
from harness.records.run_record import RunRecord
from harness.reports.reviews.review import Review, ReviewFolder
from harness.reports.reviews.run_reviews import review_folders
from harness.reports.watch.runs_folder import RunPlace
from turkle_app.viewer.slugs import find_run


class UnknownReview(Http404):
    """An address with a review that a run does not have."""


@dataclass(frozen=True)
class ReviewedRun:
    """A run whose reviews are shown.

    Attributes:
        slug: The run in addresses.
        place: Where it is.
        record: Its ``run.json``; None if it cannot be read.
        reason: Why it cannot; empty if it can.
    """

    slug: str
    place: RunPlace
    record: RunRecord | None
    reason: str

    @property
    def context(self) -> dict[str, Any]:
        """What templates take."""
        return {"run": self.slug, "name": self.place.name, "record": self.record, "reason": self.reason}

    def review(self, number: int) -> tuple[ReviewFolder, Review]:
        """One of its reviews.

        Raises:
            UnknownReview: there is none of this number.
            NotARun, WrongReview: run or review cannot be read.
        """
        folder = review_folders(self.place.folder).get(number)
        if folder is None:
            raise UnknownReview(f"The run {self.place.name} has no review {number}.")
        return folder, folder.read(RunDirectory(self.place.folder).read())


def reviewed_run(slug: str) -> ReviewedRun:
    """Find the run of an address.

    Raises:
        UnknownRunAddress: If there is none.
    """
    place = find_run(slug)
    try:
        return ReviewedRun(slug, place, RunDirectory(place.folder).read(), "")
    except UserError as error:
        return ReviewedRun(slug, place, None, str(error))
