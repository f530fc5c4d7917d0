"""Reviews made by hand: a run of two tasks, what was drawn of it, and what reviewers say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.records.directory import RunDirectory
from harness.records.verdict import Judge, PlaceVerdict, Verdicts
from harness.reports.reviews.answers_given import draw_review
from harness.reports.reviews.review import DrawnField, Review, ReviewFolder
from harness.scoring.metrics import PROFILES
from tests.analysis.made import episodes, write

TASKS = {
    "A": [{"r": 1.0, "s": 0.9}, {"r": 0.0, "s": 0.2}],
    "B": [{"r": 1.0}, {"r": 0.0}, {"r": 1.0}],
}


def a_run(folder: Path, tasks: Any = None, **values: Any) -> RunDirectory:
    return RunDirectory(write(folder, episodes(tasks or TASKS), **values))


def drawn(run: RunDirectory, number: int = 100, seed: int = 0) -> Review:
    return draw_review(run, PROFILES["standard"], number, seed)


def a_review(folder: Path, tasks: Any = None) -> tuple[RunDirectory, Review, ReviewFolder]:
    """A run, all of whose fields were drawn, and the folder of its review."""
    run = a_run(folder / "run", tasks)
    review = drawn(run)
    place = ReviewFolder.beside(run.folder)
    place.write(review)
    return run, review, place


def verdict(on: DrawnField, answer: str = "correct", labels: str | None = "right", **values: Any) -> PlaceVerdict:
    given = {"task": on.task, "index": on.index, "id": on.id, "field": on.field, "sent": on.sent}
    given |= {"answer": answer, "labels": labels, "note": "", "at": "2026-01-31T12:00:00+00:00", "seconds": 1.5}
    return PlaceVerdict(**{**given, **values})


def verdicts(review: Review, said: Sequence[PlaceVerdict], name: str = "Ada") -> Verdicts:
    return Verdicts(run=review.run, judge=Judge(name=name, kind="person"), verdicts=tuple(said))
