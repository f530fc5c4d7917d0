"""What a browser finds on the first page of a task: its fields, and what it shows beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.browser.form.fields import Field
from harness.catalog.task import Task
from harness.catalog.template.wrapping import IDS
from harness.scoring.answers.columns import AnswerColumns

MODALITIES = ("text", "picture", "video", "audio", "frame", "interaction")
"""What a page can ask of whoever works on it, in the order of reports. A frame holds another page, which nobody looks
into. Interaction: an answer belongs to no control that can be seen when the page has loaded."""


@dataclass(frozen=True)
class MediaFound:
    """How much of what a page holds when it has loaded, be it in view or not; icons are left out.

    Attributes:
        words: Words that can be seen.
        pictures: Pictures, drawing areas, and pictures behind boxes that do not repeat.
        videos: Videos.
        sounds: Sounds.
        frames: Frames with other pages.
    """

    words: int
    pictures: int
    videos: int
    sounds: int
    frames: int


@dataclass(frozen=True)
class Shown:
    """What the first page of a task holds.

    Attributes:
        fields: Kind -> named fields when the page has loaded, without those that are put around every page.
        answers: Kind -> answer fields of the task, those that appear only later too; empty without labels.
        later: Of the answer fields, those that cannot be seen when the page has loaded; of the fields, if the task has
            no labels.
        media: What it shows beside them.
        modalities: Which of ``MODALITIES`` it has.
    """

    fields: Mapping[str, int]
    answers: Mapping[str, int]
    later: int
    media: MediaFound
    modalities: tuple[str, ...]


def shown(task: Task, fields: Sequence[Field], media: MediaFound) -> Shown:
    """Make of what was found on a task's first page what can be said of the task.

    Args:
        task: The task.
        fields: Of the page when it has loaded.
        media: What it shows beside them.
    """
    fields = [field for field in fields if field.name not in IDS]
    by_name = {field.name: field for field in fields}
    answers = [each for each in AnswerColumns(task).answers(task.pages[0], fields) if each.told]
    if answers:
        later = sum(each.name not in by_name or not by_name[each.name].visible for each in answers)
    else:
        later = sum(not field.visible and field.kind != "hidden" for field in fields)
    has = {
        "text": media.words,
        "picture": media.pictures,
        "video": media.videos,
        "audio": media.sounds,
        "frame": media.frames,
        "interaction": later,
    }
    return Shown(
        fields=Counter(field.kind for field in fields),
        answers=Counter(each.kind for each in answers),
        later=later,
        media=media,
        modalities=tuple(each for each in MODALITIES if has[each]),
    )
