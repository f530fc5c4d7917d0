"""Replies of WebJudge that somebody recorded, and how each of them is read here: the public file, a record a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import MOST, read_inside
from harness.kit.text import shorten
from harness.scoring.judges.labelled_text import Placed
from harness.scoring.judges.replies import TaskOutcome, read_image_score, read_key_points, read_status

PictureReading: TypeAlias = Literal["same", "read only here", "unread by both", "not in the record", "different"]
"""How the score of a picture is read here beside how it was read when it was recorded. ``not in the record``: the file
keeps the end of the reply alone, and the score does not stand in that."""
PICTURE_READINGS: tuple[PictureReading, ...] = (
    "same",
    "read only here",
    "unread by both",
    "not in the record",
    "different",
)
UNREAD_SCORE = 0
"""What was recorded of a picture whose score could not be read."""


class MalformedReplies(UserError):
    """A file holds no recorded replies; the message says which file, which line, and why."""


@dataclass(frozen=True, kw_only=True)
class RecordedPicture:
    """What the judge said of one picture.

    Attributes:
        reply: Its reply, or the end of it; None if there is none.
        score: As it was read then: 1 to 5; ``UNREAD_SCORE`` or None if it was not.
    """

    reply: str | None
    score: int | None


@dataclass(frozen=True, kw_only=True)
class RecordedJudgement:
    """What the judge said of one trajectory; keys beyond these are passed over.

    Attributes:
        benchmark: Which the task is of.
        agent: Whose trajectory it is.
        task: The task.
        reply: The reply that holds the verdict; None if there is none.
        key_points: The reply that holds the key points, from its list on; None if none was asked for.
        images: Picture by picture.
        judge_model_name: The judge's model.
    """

    benchmark: str = ""
    agent: str = ""
    task: str
    reply: str | None
    key_points: str | None = None
    images: tuple[RecordedPicture, ...] | None = None
    judge_model_name: str = ""


@dataclass(frozen=True)
class PlacedPicture:
    """What was recorded of a picture, and how it is read here.

    Attributes:
        recorded: The record.
        here: Its score.
    """

    recorded: RecordedPicture
    here: Placed[int]

    @property
    def reading(self) -> PictureReading:
        """How the two stand to each other."""
        if not self.recorded.score:
            return "read only here" if self.here.value else "unread by both"
        if self.here.value is None and "score" not in (self.recorded.reply or "").lower():
            return "not in the record"
        return "same" if self.here.value == self.recorded.score else "different"


@dataclass(frozen=True)
class PlacedJudgement:
    """A recorded judgement as it is read here.

    Attributes:
        recorded: The record.
        line: Its line in the file, from 1.
        outcome: Its verdict.
        points: Its key points.
        pictures: Its pictures.
    """

    recorded: RecordedJudgement
    line: int
    outcome: Placed[TaskOutcome]
    points: tuple[str, ...]
    pictures: tuple[PlacedPicture, ...]

    @property
    def is_placed(self) -> bool:
        """Whether the verdict is read, and no picture's score otherwise than it was recorded."""
        return not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        """Why it is not placed, in words; empty if it is."""
        scores = [
            f"picture {number}: {each.recorded.score} was recorded, and "
            + (f"{each.here.value} is read" if each.here.value else each.here.why)
            for number, each in enumerate(self.pictures, start=1)
            if each.reading == "different"
        ]
        return (*([] if self.outcome.value else [self.outcome.why]), *scores)

    @property
    def lacks_points(self) -> bool:
        """Whether there is something about key points that could not be read."""
        return not self.points and bool((self.recorded.key_points or "").strip())


@dataclass(frozen=True)
class PlacedReplies:
    """All replies of a file.

    Attributes:
        judgements: One a line.
    """

    judgements: tuple[PlacedJudgement, ...]

    @property
    def placed(self) -> int:
        """Those that are read as they were recorded."""
        return sum(each.is_placed for each in self.judgements)

    def pictures(self) -> Counter[PictureReading]:
        """How many pictures there are of each reading."""
        return Counter(picture.reading for each in self.judgements for picture in each.pictures)

    def outcomes(self) -> Counter[TaskOutcome | None]:
        """How many replies there are of each verdict."""
        return Counter(each.outcome.value for each in self.judgements)


def read_recorded(file: Path) -> Iterator[tuple[int, RecordedJudgement]]:
    """The records of a file of JSON lines, each with the number of its line.

    Raises:
        MalformedReplies: it cannot be read, or a line is no such record.
    """
    try:
        lines = read_inside(file.parent, file.name, MOST).splitlines()
    except OSError as error:
        raise MalformedReplies(f"{file} cannot be read: {error.strerror or error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, decode(line, RecordedJudgement)
        except Malformed as error:
            raise MalformedReplies(f"{file}, line {number} is no recorded reply: {shorten(str(error), 200)}") from error


def place_replies(file: Path) -> PlacedReplies:
    """Read every reply of a file.

    Raises:
        MalformedReplies: it cannot be read, holds a line that is no such record, or none at all.
    """
    judgements = tuple(place_judgement(record, line) for line, record in read_recorded(file))
    if not judgements:
        raise MalformedReplies(f"{file} holds no recorded reply")
    return PlacedReplies(judgements)


def place_judgement(recorded: RecordedJudgement, line: int) -> PlacedJudgement:
    """Read the replies of one record.

    Args:
        recorded: The record.
        line: Its line in the file, from 1.
    """
    pictures = [PlacedPicture(each, read_image_score(each.reply or "")) for each in recorded.images or ()]
    points = read_key_points(recorded.key_points or "")
    return PlacedJudgement(recorded, line, read_status(recorded.reply or ""), points, tuple(pictures))
