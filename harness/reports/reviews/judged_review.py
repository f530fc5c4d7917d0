"""What a review comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.records.directory import RunDirectory
from harness.reports.reviews.answers_given import scores_of, strata_of
from harness.reports.reviews.review import Review, ReviewFolder
from harness.reports.reviews.review_numbers import (
    THRESHOLD,
    ReviewedField,
    ReviewResults,
    beside_scores,
    review_results,
)
from harness.scoring.metrics import PROFILES


@dataclass(frozen=True)
class JudgedReview:
    """A review beside the scores of the run.

    Attributes:
        review: The draw.
        rows: Each verdict with the score of its answer.
        results: What they come to.
    """

    review: Review
    rows: Sequence[ReviewedField]
    results: ReviewResults


def judged_review(run: RunDirectory, folder: ReviewFolder, threshold: float = THRESHOLD) -> JudgedReview:
    """What a review comes to.

    Args:
        run: The run.
        folder: Where the review is.
        threshold: The score from which on the metric is taken to accept an answer.

    Raises:
        NotARun: the run cannot be read.
        WrongReview: there is no such review, or the run has changed since the draw.
        MalformedVerdicts: what was said cannot be read.
    """
    review = folder.read(run.read())
    profile = PROFILES[review.profile]
    rows = beside_scores(folder.verdicts(review), scores_of(run, review, profile))
    drawn = len(review.fields)
    results = review_results(rows, strata_of(run, profile), profile=profile.name, drawn=drawn, threshold=threshold)
    return JudgedReview(review, rows, results)
