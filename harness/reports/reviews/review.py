"""A review: the fields of a run that were drawn for people to judge, and the folder in which it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import Count
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import write_json
from harness.records.run_record import RunRecord
from harness.records.verdict import JudgedRun, PlaceVerdict, Verdicts, read_verdicts
from harness.reports.reviews.verdict_files import VerdictPlace, alone, change_verdicts

REVIEW_SCHEMA: Literal[1] = 1
REVIEW_FILE, PAGE_FILE, VERDICTS = "review.json", "review.html", "verdicts"


class WrongReview(UserError):
    """A review cannot be read, made or gone on with; the message says why."""


@dataclass(frozen=True, kw_only=True)
class DrawnField:
    """A field that is to be judged.

    Attributes:
        task: Its task.
        index: The instance's place in its table.
        id: The instance's id.
        field: Its name.
        kind: Its kind.
        sent: What the form sent for it.
    """

    task: str
    index: Count
    id: str
    field: str
    kind: str
    sent: tuple[str, ...]

    @property
    def place(self) -> tuple[str, int, str | None]:
        """Task, index and field."""
        return self.task, self.index, self.field


@dataclass(frozen=True, kw_only=True)
class Review:
    """The content of ``review.json``.

    Attributes:
        schema: The version of the format.
        run: The run that is judged.
        profile: The scoring profile that says which fields there are to draw from.
        seed: Of the draw.
        scored_fields: How many scored fields the run has.
        fields: Those that were drawn, in the order in which they are shown.
    """

    schema: Literal[1] = REVIEW_SCHEMA
    run: JudgedRun
    profile: str
    seed: int
    scored_fields: int
    fields: tuple[DrawnField, ...]


class ReviewFolder:
    """A review on disk: beside its run, never in it.

    Attributes:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, run: Path, number: int = 1) -> ReviewFolder:
        """Where a review of a run is, unless somebody says otherwise.

        Args:
            run: The run directory.
            number: Which of its reviews, from 1.
        """
        resolved = run.resolve()
        return cls(resolved.with_name(f"{resolved.name}_review" + (f"_{number}" if number > 1 else "")))

    @property
    def page(self) -> Path:
        """The page for people."""
        return self.folder / PAGE_FILE

    def exists(self) -> bool:
        """Whether a review has been drawn."""
        return (self.folder / REVIEW_FILE).exists()

    def write(self, review: Review) -> None:
        """Write the draw, whole.

        Raises:
            OSError: the place cannot be written.
        """
        write_json(self.folder / REVIEW_FILE, codec.plain(review))

    def start(self, review: Review) -> bool:
        """Write the draw of a new review, unless there is one; whether it was written.

        Raises:
            OSError: the place cannot be written.
        """
        with alone(self.folder):
            if self.exists():
                return False
            self.write(review)
        return True

    def read(self, record: RunRecord) -> Review:
        """The draw.

        Args:
            record: The ``run.json`` of the run that it is to be of.

        Raises:
            WrongReview: there is none, it cannot be read, or it is of another run.
        """
        file = self.folder / REVIEW_FILE
        if not self.exists():
            raise WrongReview(f"{self.folder} holds no review: draw one with the command draw")
        try:
            review = codec.decode(read_inside(file.parent, file.name, MOST), Review)
        except (OSError, codec.Malformed) as error:
            raise WrongReview(f"{file} cannot be read: {error}") from error
        if review.run != JudgedRun.of(record):
            raise WrongReview(f"{file} is the review of another run")
        return review

    def verdicts(self, review: Review) -> list[Verdicts]:
        """What each reviewer has said so far, by name.

        Raises:
            MalformedVerdicts: a file cannot be read.
            WrongReview: a file is of something else.
        """
        found = []
        for file in sorted((self.folder / VERDICTS).glob("*.json")):
            found.append(read_verdicts(file))
            check(review, found[-1], file)
        return found

    def take(self, review: Review, new: Verdicts) -> tuple[int, int]:
        """Add what a reviewer has said. What was said of an answer before stands: it was said first, and blind.

        Args:
            review: The draw.
            new: The verdicts, which fit it (``check``).

        Returns:
            How many verdicts were added or completed, and how many say something else than one that stands.

        Raises:
            OSError: the place cannot be written; what was there is.
            MalformedVerdicts: what was there cannot be read.
        """
        counts = (0, 0)

        def change(known: Mapping[VerdictPlace, PlaceVerdict]) -> Sequence[PlaceVerdict]:
            nonlocal counts
            added = {each.place: each for each in new.verdicts if _adds(each, known.get(each.place))}
            whole = {**known, **added}
            counts = len(added), sum(each != whole[each.place] for each in new.verdicts)
            return in_order(review, whole)

        change_verdicts(self.folder / VERDICTS, new.run, new.judge, change)
        return counts


def in_order(review: Review, verdicts: Mapping[VerdictPlace, PlaceVerdict]) -> Sequence[PlaceVerdict]:
    """Verdicts on what was drawn, in the order of the draw."""
    return [verdicts[field.place] for field in review.fields if field.place in verdicts]


def _adds(new: PlaceVerdict, known: PlaceVerdict | None) -> bool:
    """Whether a verdict is the first on its answer, or says what the first left open of the labels."""
    return known is None or (known.labels is None and new.labels is not None and new.answer == known.answer)


def check(review: Review, verdicts: Verdicts, file: Path) -> None:
    """See that verdicts are about what was drawn.

    Raises:
        WrongReview: they are of another run, of a field that was not drawn, of another answer, or not blind.
    """
    if verdicts.run != review.run:
        raise WrongReview(f"{file} holds verdicts on another run")
    drawn = {field.place: field for field in review.fields}
    for each in verdicts.verdicts:
        where = f"{each.task!r}, instance {each.index}, field {each.field!r}"
        if each.place not in drawn:
            raise WrongReview(f"{file} speaks of {where}, which was not drawn")
        if drawn[each.place].sent != each.sent:
            raise WrongReview(f"{file} speaks of another answer in {where} than was drawn")
        if each.answer is None or not each.blind:
            raise WrongReview(f"{file} says nothing of the answer in {where} that was said blind")
