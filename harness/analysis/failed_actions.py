"""Actions that failed, by class: what went wrong, how often and on how many pages.

The class of a failed action follows from its code (``harness.actions.result``). Actions of runs that were written
before codes were recorded are counted as ``UNKNOWN``, so that the counts always add up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from harness.actions.result import ErrorCode
from harness.kit.text import shorten
from harness.records.turn import ERROR
from harness.scoring.scores import InstanceScore

UNKNOWN = "unknown"
"""The class of an action that failed before codes were recorded."""
UNREAD = "not an action"
"""What a model's reply holds that is no call of an action: it never was a step."""
LONGEST_EXAMPLE = 200
"""Characters."""
_QUOTED = re.compile(r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|"(?:[^"\\]|\\.)*\"""")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")

_CODES: Mapping[str, tuple[ErrorCode, ...]] = {
    "no such field": (ErrorCode.NO_SUCH_FIELD,),
    "no such option": (ErrorCode.NO_SUCH_OPTION,),
    "no such element": (
        ErrorCode.NO_SUCH_ELEMENT,
        ErrorCode.ELEMENT_GONE,
        ErrorCode.NO_SUCH_TEXT,
        ErrorCode.NO_SUCH_CLIP,
    ),
    "another kind of field": (ErrorCode.ANOTHER_KIND,),
    "hidden field": (ErrorCode.HIDDEN_FIELD,),
    "not visible": (ErrorCode.NOT_VISIBLE,),
    "out of reach": (ErrorCode.COVERED, ErrorCode.OUT_OF_VIEW),
    "not to be changed": (
        ErrorCode.DISABLED,
        ErrorCode.OPTION_DISABLED,
        ErrorCode.READ_ONLY,
        ErrorCode.TAKES_FILE,
    ),
    "not kept by the page": (
        ErrorCode.NOT_TAKEN,
        ErrorCode.TOO_LONG,
        ErrorCode.BOX_NOT_KEPT,
        ErrorCode.FIELD_REMOVED,
    ),
    "off the screen": (ErrorCode.OFF_SCREEN,),
    "no such page": (ErrorCode.NO_SUCH_TAB, ErrorCode.NO_HISTORY, ErrorCode.NOT_OPENED),
    "wrong argument": (
        ErrorCode.NOT_A_NUMBER,
        ErrorCode.OUT_OF_RANGE,
        ErrorCode.OFF_STEP,
        ErrorCode.ONE_OPTION_ONLY,
        ErrorCode.NO_SUCH_KEY,
        ErrorCode.NOT_ALLOWED,
        ErrorCode.BROWSER_SHORTCUT,
        ErrorCode.WRONG_ARGUMENT,
    ),
    "already submitted": (ErrorCode.ALREADY_SUBMITTED,),
}
CLASSES = (*_CODES, UNKNOWN)
"""All classes of failed actions."""
Fault: TypeAlias = Literal["model", "harness", "unknown"]
FAULTS: Mapping[Fault, tuple[str, ...]] = {
    "model": (
        "no such field",
        "no such option",
        "no such element",
        "another kind of field",
        "hidden field",
        "not visible",
        "not to be changed",
        "off the screen",
        "no such page",
        "wrong argument",
        "already submitted",
        UNREAD,
    ),
    "harness": ("out of reach", "not kept by the page"),
    "unknown": (UNKNOWN,),
}
"""Whose fault -> the classes. The model's: it asked for what there is not, or what cannot be. The harness's, or the
page's: what was asked for is there, and did not come about."""
FAULT_OF: Mapping[str, Fault] = {name: fault for fault, names in FAULTS.items() for name in names}
"""Class -> whose fault."""
_CLASS_OF = {code: name for name, codes in _CODES.items() for code in codes}


def folded(message: str) -> str:
    """What messages of one kind have in common: names in quotes are ``'…'`` and numbers ``N``.

    Args:
        message: What came of an action, or how an episode ended; only its first ``LONGEST_EXAMPLE`` characters count,
            where a line ends they end.
    """
    first = message.strip()[: 10 * LONGEST_EXAMPLE].split("\n", 1)[0]
    return shorten(_DIGITS.sub("N", _QUOTED.sub("'…'", first)), LONGEST_EXAMPLE)


def error_class(code: ErrorCode | None) -> str:
    """The class of a failed action.

    Args:
        code: What its step says; None if the step was written before codes were recorded.

    Returns:
        One of ``CLASSES``.
    """
    return UNKNOWN if code is None else _CLASS_OF[code]


@dataclass(frozen=True)
class FailureExample:
    """One failed action of a class.

    Attributes:
        task: Its task.
        index: Its instance.
        action: Action text, shortened.
        message: What the result said, shortened.
    """

    task: str
    index: int
    action: str
    message: str


@dataclass(frozen=True)
class ErrorClass:
    """What failed in one way.

    Attributes:
        count: How often.
        episodes: In how many episodes.
        example: The first one; None without any.
    """

    count: int
    episodes: int
    example: FailureExample | None


@dataclass(frozen=True)
class Failures:
    """What was counted of the actions of a run.

    Attributes:
        steps: Actions.
        failed: Those that failed.
        episodes: Episodes.
        episodes_touched: Those with a failed action.
        classes: Class of error -> what failed so, most frequent first.
        unread: What replies hold that is no action.
        actions: Action -> how often it was made, and how often it failed.
    """

    steps: int
    failed: int
    episodes: int
    episodes_touched: int
    classes: Mapping[str, ErrorClass]
    unread: ErrorClass
    actions: Mapping[str, tuple[int, int]]


class FailedActions:
    """Counts the actions of the episodes that it is shown, and sorts those that failed."""

    def __init__(self) -> None:
        self._episodes = self._touched = 0
        self._steps: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._classes: Counter[str] = Counter()
        self._pages: Counter[str] = Counter()
        self._examples: dict[str, FailureExample] = {}

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        episode = score.episode
        found: Counter[str] = Counter()
        for step in episode.steps:
            name = step.action.partition("(")[0]
            self._steps[name] += 1
            if not step.ok:
                self._failed[name] += 1
                found[each := error_class(step.code)] += 1
                self._examples.setdefault(each, _example(score, step.action, step.message))
        unread = [call for turn in episode.turns for call in turn.calls if call.startswith(ERROR)]
        if unread:
            found[UNREAD] += len(unread)
            self._examples.setdefault(UNREAD, _example(score, "", unread[0].removeprefix(ERROR)))
        self._episodes += 1
        self._touched += any(name != UNREAD for name in found)
        self._classes += found
        self._pages.update(found.keys())

    def merge(self, other: FailedActions) -> None:
        """Take in what another has counted, and its examples of classes that were not met before."""
        self._episodes += other._episodes
        self._touched += other._touched
        for own, more in (
            (self._steps, other._steps),
            (self._failed, other._failed),
            (self._classes, other._classes),
            (self._pages, other._pages),
        ):
            own.update(more)
        self._examples = {**other._examples, **self._examples}

    def found(self) -> Failures:
        """What was counted."""
        ranked = sorted(self._classes.items(), key=lambda each: (-each[1], each[0]))
        classes = {name: self._class(name) for name, _ in ranked if name != UNREAD}
        return Failures(
            steps=self._steps.total(),
            failed=self._failed.total(),
            episodes=self._episodes,
            episodes_touched=self._touched,
            classes=classes,
            unread=self._class(UNREAD),
            actions={name: (steps, self._failed[name]) for name, steps in sorted(self._steps.items())},
        )

    def _class(self, name: str) -> ErrorClass:
        return ErrorClass(self._classes[name], self._pages[name], self._examples.get(name))


def _example(score: InstanceScore, action: str, message: str) -> FailureExample:
    return FailureExample(
        score.episode.task,
        score.episode.index,
        shorten(action, LONGEST_EXAMPLE),
        shorten(message, LONGEST_EXAMPLE),
    )
