"""Replies of WebJudge that somebody recorded, and how each of them is read here: the public file, a record a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from harness.errors.user import UserError
from harness.files.codec import Malformed, decode
from harness.files.inside import MOST, read_inside
from harness.judges.labelled_text import Placed
from harness.judges.replies import TaskOutcome, read_image_score, read_key_points, read_status
from harness.text.shortening import shorten

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

    benchmark: str
    agent: str
    task: str
    reply: str | None
    key_points: str | None = None
    images: tuple[RecordedPicture, ...] | None = None
    judge_model_name: str = ""


@dataclass(frozen=True)
class PlacedJudgement:
    """A recorded judgement as it is read here.

    Attributes:
        recorded: The record.
        outcome: Its verdict.
        points: Its key points.
        pictures: Of each picture how its score is read beside the recorded one.
    """

    recorded: RecordedJudgement
    outcome: Placed[TaskOutcome]
    points: tuple[str, ...]
    pictures: tuple[PictureReading, ...]

    @property
    def is_placed(self) -> bool:
        """Whether the verdict and any key points are read, and no score is read otherwise than it was recorded."""
        has_points = bool(self.points) or not (self.recorded.key_points or "").strip()
        return self.outcome.value is not None and has_points and "different" not in self.pictures


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
        return Counter(reading for each in self.judgements for reading in each.pictures)

    def outcomes(self) -> Counter[TaskOutcome | None]:
        """How many replies there are of each verdict."""
        return Counter(each.outcome.value for each in self.judgements)


def read_recorded(file: Path) -> Iterator[RecordedJudgement]:
    """The records of a file of JSON lines.

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
            yield decode(line, RecordedJudgement)
        except Malformed as error:
            raise MalformedReplies(f"{file}, line {number} is no recorded reply: {shorten(str(error), 200)}") from error


def place_replies(file: Path) -> PlacedReplies:
    """Read every reply of a file.

    Raises:
        MalformedReplies: it cannot be read, holds a line that is no such record, or none at all.
    """
    judgements = tuple(map(place_judgement, read_recorded(file)))
    if not judgements:
        raise MalformedReplies(f"{file} holds no recorded reply")
    return PlacedReplies(judgements)


def place_judgement(recorded: RecordedJudgement) -> PlacedJudgement:
    """Read the replies of one record."""
    return PlacedJudgement(
        recorded,
        read_status(recorded.reply or ""),
        read_key_points(recorded.key_points or ""),
        tuple(map(_picture_reading, recorded.images or ())),
    )


def _picture_reading(picture: RecordedPicture) -> PictureReading:
    reply = picture.reply or ""
    here = read_image_score(reply).value
    if not picture.score:
        return "read only here" if here else "unread by both"
    if here is None:
        return "not in the record" if _lacks_score(reply) else "different"
    return "same" if here == picture.score else "different"


def _lacks_score(reply: str) -> bool:
    return "score" not in reply.lower()
