"""Actions that failed, by class: what went wrong, how often and on how many pages.

A failed action says why in one sentence (``harness.actions``); the class follows from its words. What no class fits is
counted as ``OTHER``, so that the counts always add up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from harness.actions.result import Step
from harness.runlog.turn_recording import ERROR
from harness.scoring.scores import InstanceScore

OTHER = "other"
UNREAD = "not an action"
"""What a model's reply holds that is no call of an action: it never was a step."""
LONGEST_EXAMPLE = 200
"""Characters."""

# What a message begins with: the field, element or option that it is about, whose own words must not decide.
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_ABOUT = re.compile(rf"(?:{_QUOTED}|\[\d+\])(?:: | )(?:its option {_QUOTED}: |{_QUOTED} )?")

_CLASSES: Mapping[str, tuple[str, ...]] = {
    "no such field": ("no field of this name is on the page now",),
    "no such option": ("has no option", "no such option", r"no option .* can be chosen"),
    "no such element": (
        "no observation of this page has shown an element of that number",
        "it is no longer on the page",
        "it is gone",
        "is no number of an element",
    ),
    "another kind of field": (
        r"it is a \w+ field; use",
        "it is a drop-down list: use",
        "it is a colour well: use",
    ),
    "hidden field": ("it is a hidden field",),
    "not visible": ("it is not visible now",),
    "out of reach": (
        "it is covered by",
        "it is covered or out of sight",
        "no part of it can be brought into view",
        "its option cannot be brought into view",
    ),
    "not to be changed": ("it is disabled", "it is read-only", "it takes a file"),
    "not kept by the page": (
        r"holds .*, not ",
        "the page does not keep the box",
        "the page removed",
    ),
    "off the screen": (r"\(\S+, \S+\) is off the screen",),
    "wrong argument": (
        "takes one option",
        "is not a number",
        r"\S+ is not between",
        r"\S+ is not on a step of",
        r"\w+ must be a number",
        "mode 'element' needs",
        "unknown mode",
        "no key types",
        r"there is no (?:key|modifier)",
        r"a value of [\d,]+ characters is too long",
        "an integer beyond",
        "a number must be finite",
        "lists are nested more than",
        r"\w+ is not text, a number",
    ),
    "already submitted": ("the form was submitted", "the form was already submitted"),
}
CLASSES = (*_CLASSES, OTHER)
"""All classes of failed actions."""
_PATTERNS = {name: re.compile("|".join(f"(?:{each})" for each in begins)) for name, begins in _CLASSES.items()}


def error_class(message: str) -> str:
    """The class of a failed action.

    Args:
        message: What its result says.

    Returns:
        One of ``CLASSES``.
    """
    about = _ABOUT.match(message)
    # A picture mode and a key are quoted at the beginning, too, but are not what the sentence goes on about.
    texts = (message[about.end() :], message) if about else (message,)
    line = [" ".join(text.split()) for text in texts]
    return next((name for text in line for name, pattern in _PATTERNS.items() if pattern.match(text)), OTHER)


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
                found[each := error_class(step.message)] += 1
                self._examples.setdefault(each, _example(score, step))
        unread = [call for turn in episode.turns for call in turn.calls if call.startswith(ERROR)]
        if unread:
            found[UNREAD] += len(unread)
            text = unread[0].removeprefix(ERROR)
            self._examples.setdefault(UNREAD, _example(score, Step("", ok=False, message=text, ms=0.0)))
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


def _example(score: InstanceScore, step: Step) -> FailureExample:
    action, message = (
        text if len(text) <= LONGEST_EXAMPLE else text[: LONGEST_EXAMPLE - 1] + "…"
        for text in (step.action, step.message)
    )
    return FailureExample(score.episode.task, score.episode.index, action, message)
