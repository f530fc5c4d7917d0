"""The reviews of a run: a new one, and those that there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from harness.records.directory import RunDirectory
from harness.reports.reviews.answers_given import draw_review
from harness.reports.reviews.review import REVIEW_FILE, ReviewFolder
from harness.scoring.metrics import PROFILES


def review_folders(run: Path) -> Mapping[int, ReviewFolder]:
    """The reviews that lie beside a run, by number: ``RUN_review`` is 1, ``RUN_review_2`` is 2.

    Args:
        run: The run directory.
    """
    first = ReviewFolder.beside(run).folder
    name = re.compile(re.escape(first.name) + r"(?:_([2-9]|[1-9]\d{1,8}))?")
    found = {}
    for folder in first.parent.glob(f"*_review*/{REVIEW_FILE}"):
        if match := name.fullmatch(folder.parent.name):
            found[int(match[1] or 1)] = ReviewFolder(folder.parent)
    return dict(sorted(found.items()))


def start_review(
    run: RunDirectory, profile: str, fields: int, seed: int, told: Callable[[int], None] = lambda _read: None
) -> int:
    """Draw a new review of a run, beside those that there are.

    Args:
        run: The run.
        profile: The name of the profile that says which fields are scored.
        fields: How many are drawn.
        seed: Of the draw.
        told: Is told after each episode how many have been read.

    Returns:
        Its number.

    Raises:
        NotARun: the run cannot be read.
        WrongReview: it has no scored field, or nobody worked on its pages.
        OSError: the place cannot be written.
    """
    review = draw_review(run, PROFILES[profile], fields, seed, told)
    return next(number for number in count(1) if ReviewFolder.beside(run.folder, number).start(review))
