"""One page being filled in: what it is to hold, what it holds, and what can be entered now."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from harness.actions.result import ErrorCode
from harness.browser.form.fields import Field
from harness.catalog.kinds import CHOICES
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe
from oracle.field_goal import FieldGoal, Values

MAX_ROUNDS = 20
"""How often it looks again for what its own answers have brought out."""

_IN_MOTION = (ErrorCode.COVERED, ErrorCode.OUT_OF_VIEW, ErrorCode.BOX_NOT_KEPT)
"""Why a press fails whose aim moved between the look and the press."""
_OUT_OF_REACH = (ErrorCode.COVERED, ErrorCode.OUT_OF_VIEW, ErrorCode.NOT_VISIBLE)
"""Why a list fails in whose place a page's script has put one of its own."""


class Form:
    """The open page with its goals.

    Attributes:
        act: The actions on it.
        probe: Looks behind what it shows.
        goals: The scored fields by name.
        fields: All fields as they were at the last look.
        takers: Fields that could be seen until another was answered -> the choice that was answered last before that.
        worked: The numbers of what was worked for goals that are settled.
    """

    def __init__(self, act: Actions, probe: Probe, goals: Iterable[FieldGoal], fields: Iterable[Field] = ()) -> None:
        self.act = act
        self.probe = probe
        self.goals: dict[str, FieldGoal] = {goal.name: goal for goal in goals}
        self.fields = list(fields)
        # Of the reference pass, which has submitted the page once.
        self._added = [field for field in self.fields if field.kind == "hidden" and field.name in self.goals]
        self._seen = {field.name for field in self.fields if field.visible}
        self.takers: dict[str, str] = {}
        self._refused: dict[str, Values] = {}
        self._failed: set[str] = set()
        self._cannot_be_written: set[str] = set()
        self._written_at_submit: set[str] = set()
        self._settled: set[str] = set()
        self._is_ready = False
        self.worked: set[int] = set()

    def look(self) -> None:
        """Look at the fields again, those too that the page's script adds when the form is submitted."""
        self.fields = self.act.fields()
        there = {field.name for field in self.fields}
        absent = [field for field in self._added if field.name not in there]
        if absent and not self.act.submitted:
            entries = self._rehearsed()
            self.fields += [replace(field, initial=entries.get(field.name, ())) for field in absent]

    def fill(self) -> bool:
        """Fill the visible fields that do not hold their answer, as they were at the last look; whether any took it."""
        progress, chosen = False, ""
        for field in self.fields:
            values = self._missing(field)
            if values is None:
                continue
            result = fill(self.act, field, values)
            if _is_in_motion(field, result.code):
                # What an answer or a press brought out may still be on its way to its place.
                self.act.wait_till_loaded()
                result = fill(self.act, field, values)
            if result.ok:
                progress = True
                chosen = field.name if field.kind in CHOICES else chosen
                continue
            if chosen and result.code is ErrorCode.NOT_VISIBLE:
                self.takers[field.name] = chosen
            if field.name not in self._failed and result.code is ErrorCode.NOT_TAKEN:
                self._failed.add(field.name)  # a frame that was just loading takes the keys: one more attempt
            elif result.code is not ErrorCode.DISABLED:  # by an answer just now, as the next look tells
                self._refused[field.name] = field.initial
                if result.code is ErrorCode.READ_ONLY or (field.kind == "select" and result.code in _OUT_OF_REACH):
                    self._cannot_be_written.add(field.name)
        return progress

    def fill_what_appears(self) -> None:
        """Look again and fill, until a look brings nothing new."""
        for _ in range(MAX_ROUNDS):
            self.look()
            if not self.fill():
                return

    def submit(self) -> None:
        """Press the button that is an answer, if there is one: all else has been entered."""
        self._is_ready = True
        self.look()
        self.fill()

    def _missing(self, field: Field) -> Values | None:
        """What is to be entered; None if nothing is, or nothing can be, or the page refused it in this very state."""
        goal = self.goals.get(field.name)
        if goal is None or field.kind == "hidden" or not field.visible or field.disabled:
            return None
        if field.submits and not self._is_ready:
            return None
        if goal.is_held(field.initial):
            return None
        if not goal.values and field.kind != "checkbox":
            return None
        return None if self._refused.get(field.name) == field.initial else goal.values

    def fill_sought(self, sought: Collection[str]) -> None:
        """Fill what was sought and can be entered now, and nothing else."""
        self.look()
        for field in self.fields:
            if field.name in sought:
                self._refused.pop(field.name, None)
            if field.name in sought and (values := self._missing(field)) is not None:
                # An example of the field may be worked instead of it: each attempt takes another of one value.
                for _ in range(1 + sum(option.value in values for option in field.options)):
                    if fill(self.act, field, values).ok:
                        break

    def sought(self) -> dict[str, FieldGoal]:
        """The goals that are not held and cannot be entered now: what has to be brought out, or written by script."""
        by_name = {field.name: field for field in self.fields}
        return {
            name: goal
            for name, goal in self.goals.items()
            if goal.values
            and name not in self._written_at_submit
            and name not in self._settled
            and (name not in by_name or self._is_sought(goal, by_name[name]))
        }

    def hidden(self) -> set[str]:
        """The goals sought that could be seen when the page had loaded and cannot be now: an answer has hidden them."""
        shown = {field.name for field in self.fields if field.visible}
        return (self.sought().keys() & self._seen) - shown

    def unwritten(self) -> dict[str, FieldGoal]:
        """The goals sought that stand in fields which no action can write: hidden, unseen or read-only ones."""
        there = {field.name for field in self.fields if not field.options}
        return {name: goal for name, goal in self.sought().items() if name in there}

    def closed(self) -> bool:
        """Whether something sought is a question that a worker answers, and cannot be answered yet."""
        kinds = {field.name: field.kind for field in self.fields}
        return any(kinds.get(name) != "hidden" for name in self.sought())

    def choose(self, name: str, option: str) -> None:
        """Enter this option from now on: one that reaches the goal's ceiling as well; empty for the first that does."""
        self.goals[name] = replace(self.goals[name], choice=option)

    def settle(self, names: Iterable[str], worked: Iterable[int]) -> None:
        """Take goals for done, whatever they hold: what writes them was found and worked as far as it goes.

        What else would be tried for them is something that writes them, too, and would undo it.

        Args:
            names: The goals.
            worked: The numbers of what writes them, which is to be left alone from now on.
        """
        self._settled.update(names)
        self.worked.update(worked)

    def closeness(self) -> float:
        """How much of the goals in fields that no action can write is there, as their scores' sum."""
        by_name = {field.name: field for field in self.fields}
        counted = self.unwritten().keys() | (self._settled & by_name.keys())
        return sum(self.goals[name].score(by_name[name].initial) for name in sorted(counted))

    @contextlib.contextmanager
    def kept_open(self) -> Iterator[None]:
        """Meanwhile nothing that the page sends counts as its answers: a press in search of something may submit it."""
        self.probe.look("form.hold", True)
        try:
            yield
        finally:
            self.probe.look("form.hold", False)

    def rehearse(self) -> None:
        """Find out which goals the page itself writes when it is submitted, from what has been entered already.

        The page's own submit handlers run, and nothing is sent. Goals that are reached then are sought no more.
        """
        values = self._rehearsed()
        self.look()
        self._written_at_submit = {
            name for name, goal in self.sought().items() if name in values and goal.is_reached(values[name])
        }

    def _rehearsed(self) -> dict[str, Values]:
        values: dict[str, Values] = {}
        for name, value in self.probe.rehearse():
            values[name] = (*values.get(name, ()), value)
        return values

    def _is_sought(self, goal: FieldGoal, field: Field) -> bool:
        if _can_be_seen(field, goal) and not field.disabled and field.name not in self._cannot_be_written:
            return False
        return field.disabled or not goal.is_reached(field.initial)

    def written(self) -> dict[str, Values]:
        """What the fields that no action can write hold: hidden ones, read-only ones, those that cannot be seen."""
        return {field.name: field.initial for field in self.fields if self._is_written_by_script(field)}

    def _is_written_by_script(self, field: Field) -> bool:
        return field.kind == "hidden" or not field.visible or field.name in self._cannot_be_written


def _is_in_motion(field: Field, code: ErrorCode | None) -> bool:
    """Whether a press may have gone astray because its aim was still moving."""
    missed = field.kind in ("radio", "text", "textarea") and code is ErrorCode.NOT_TAKEN
    return missed or code in _IN_MOTION


def _can_be_seen(field: Field, goal: FieldGoal) -> bool:
    """Whether what has to be worked is visible: of a choice that is the wanted option, where the field has it."""
    if field.kind not in ("radio", "checkbox"):
        return field.visible
    shown = {option.value for option in field.options if option.visible}
    return field.visible and all(value in shown for value in goal.values if value in field.values)
