"""Which lessons are learnt from and which are for tests: whole tasks at a time, each lesson once, none in both."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from harness.catalog.splits import DEFAULT as TRAIN
from harness.integrations.exports.curriculum.lesson import Lesson, LessonSource
from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, read

Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = get_args(Part)
TWICE = "a lesson that is there already"
IN_TEST = "a lesson of the training part that asks and answers the same as one of the test part"
OF_A_TEST_TASK = "a lesson of a task that is equal, byte for byte, to one of the test part"


class NotDivided(UserError):
    """A division cannot be read, or says nothing of a task; the message says which, and what to do."""


@dataclass(frozen=True)
class Division:
    """How tasks are divided.

    Attributes:
        share: The share of the tasks of each website, and of the forms, that are learnt from, between 0 and 1: the
            tasks are put in the order of a hash of their names, and the first ones taken. None: as the tasks' own
            splits say, of which only ``train`` is learnt from.
        known: Task -> its part in another curriculum, which decides in place of the share.
    """

    share: float | None = None
    known: Mapping[str, Part] | None = None

    def parts(self, sources: Iterable[LessonSource]) -> dict[str, Part]:
        """The part of each task, by name.

        Raises:
            NotDivided: the other curriculum does not have one of them.
        """
        own: dict[str, Part] = {}
        groups: dict[str, set[str]] = {}
        for each in sources:
            own[each.task] = "train" if each.split == TRAIN else "test"
            groups.setdefault(each.group, set()).add(each.task)
        if self.known is not None:
            if unknown := sorted(own.keys() - self.known.keys()):
                raise NotDivided(f"the other curriculum has no task {unknown[0]!r}: leave --division out, or its run")
            return {task: self.known[task] for task in sorted(own)}
        if self.share is None:
            return dict(sorted(own.items()))
        divided: dict[str, Part] = {}
        for tasks in groups.values():
            order = sorted(tasks, key=lambda name: hashlib.sha256(name.encode()).digest())
            first = int(self.share * len(order) + 0.5)
            divided.update((task, "train" if place < first else "test") for place, task in enumerate(order))
        return dict(sorted(divided.items()))


def division_in(file: Path) -> Division:
    """The division that another curriculum has.

    Args:
        file: Its ``tasks.json``.

    Raises:
        NotDivided: it cannot be read, or has a task in both parts.
    """
    try:
        named = read(file, dict[Part, tuple[str, ...]])
    except OSError as error:
        raise NotDivided(f"{file} cannot be read: {error.strerror}; name the tasks.json of a curriculum") from error
    except Malformed as error:
        raise NotDivided(f"{file} is no tasks.json of a curriculum: {error}") from error
    if both := sorted(set(named.get("train", ())) & set(named.get("test", ()))):
        raise NotDivided(f"{file}: {both[0]!r} is in both parts")
    return Division(known={task: part for part, tasks in named.items() for task in tasks})


@dataclass(frozen=True)
class DividedLessons:
    """Lessons by part, in order.

    Attributes:
        of: Part -> its lessons.
        tasks: Task -> its part.
        left_out: Reason -> how many lessons are missing for it.
    """

    of: Mapping[Part, Sequence[Lesson]]
    tasks: Mapping[str, Part]
    left_out: Counter[str]


def divided(lessons: Sequence[Lesson], division: Division) -> DividedLessons:
    """Divide lessons by task, so that nothing that is tested was learnt.

    Args:
        lessons: All of them.
        division: How.

    Raises:
        NotDivided: it says nothing of a task.
    """
    tasks = division.parts(lesson.where for lesson in lessons)
    left_out: Counter[str] = Counter()
    tested = {lesson.key for lesson in lessons if tasks[lesson.where.task] == "test"}
    of: dict[Part, list[Lesson]] = {part: [] for part in PARTS}
    seen: set[tuple[Part, str]] = set()
    for lesson in lessons:
        part = tasks[lesson.where.task]
        if part == "train" and any(tasks.get(other) == "test" for other in lesson.where.identical):
            left_out[OF_A_TEST_TASK] += 1
        elif part == "train" and lesson.key in tested:
            left_out[IN_TEST] += 1
        elif (part, lesson.key) in seen:
            left_out[TWICE] += 1
        else:
            seen.add((part, lesson.key))
            of[part].append(lesson)
    return DividedLessons(of, tasks, left_out)
