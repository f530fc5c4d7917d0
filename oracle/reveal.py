"""The search for fields that are not there yet, or that a press writes: try what can be pressed, keep what helps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from harness.browser.form.fields import Field
from harness.browser.launch import in_page_script
from harness.catalog.kinds import CHOICES, VOTES
from harness.catalog.labels import number
from harness.episode.library import fill
from oracle.field_goal import FieldGoal, Values
from oracle.form import Form
from oracle.page_input import PageInput, Pressable
from oracle.widgets.pieces import pieces_of

MAX_CLIPS = 20
"""Clips of one page that are played."""
LONGEST_CLIP_SECONDS = 240.0
"""A clip that is longer is not played: the time of the page would be over."""
PATIENCE_SECONDS = 30.0
"""How long a disabled question is waited for, if nothing that was tried has opened it."""


def hear(form: Form, *, only_playing: bool = False) -> None:
    """Play the page's clips one after the other, and fill in what that opens, until nothing is sought any more.

    Args:
        form: The open page.
        only_playing: Whether to wait only for what the page itself has started.
    """
    form.probe.load(in_page_script("content"))
    for place, clip in enumerate(form.probe.look("content.clips")[:MAX_CLIPS], 1):
        is_short = (clip["seconds"] or 0.0) - clip["at"] <= LONGEST_CLIP_SECONDS
        begins = clip["hasControls"] and not only_playing and not clip["hasEnded"]
        if (clip["isPlaying"] or begins) and is_short and not clip["repeats"] and form.act.play_clip(place).ok:
            form.fill_what_appears()
            if not form.sought():
                return


def await_opening(form: Form) -> bool:
    """Wait for a field that is sought and disabled; whether one opened.

    What the page has put off is let run ahead of its time, so that nothing is waited for that does not come.
    """
    closed = [field.name for field in form.fields if field.visible and field.disabled and field.name in form.sought()]
    if not closed:
        return False
    form.probe.load(in_page_script("content"))
    if form.probe.look("content.opensBySkipping", closed[0], PATIENCE_SECONDS) is False:
        return False
    if not form.act.wait_until_enabled(closed[0], PATIENCE_SECONDS).ok:
        return False
    form.fill_what_appears()
    return True


MAX_PRESSES = 60
"""Presses of things per page that brought nothing."""
MAX_ALIKE = 8
"""Presses that brought nothing, of things of one kind, after which the others of the kind are left alone."""
MAX_CONTROLS = 24
"""Controls of one kind, above which they are no more than words."""
_CONTROLS = frozenset({"a", "button", "input", "label", "summary"})
"""Elements that are made to be pressed: each may do something of its own."""
MAX_HELPFUL = 240
"""Presses of things per page that brought or wrote something."""
MAX_OPTIONS = 8
"""Options of one choice that are tried in search of what it brings out."""
_LAST = re.compile(
    r"\b(reset|clear|delete|remove|undo|back|previous|cancel|close|start over)\b|^[x×✕✖✘]$", re.IGNORECASE
)
_FINISHES = re.compile(r"\b(submit|done|finish|complete|send)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_BARE = re.compile(r"[\W_]")
MIN_NAME = 3
"""Letters of an option, below which it is no name of anything."""
_CLOSER = 1e-6
Key = tuple[str, str, str, int]


@dataclass(frozen=True)
class _State:
    """How far a form is from its goals."""

    sought: frozenset[str]
    closeness: float
    written: dict[str, Values]


class Reveal:
    """Looks for the goals of a form that can neither be entered nor are held.

    Things are tried in page order; those that say they take something away come last, after those that say they
    finish. A thing that helped is pressed as long as it helps, and then the others are tried again, since it may have
    changed what they do. What made matters worse is pressed once more, as a switch would be, and never again; if it
    wrote over a goal that was reached, what had reached it is pressed again.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self._page_input = PageInput(form.act, form.probe)
        self._presses = 0
        self._helpful = 0
        self._spent: set[Key] = set()
        self._closed: set[Key] = set()
        self._writers: dict[str, Key] = {}
        self._keys: dict[int, Key] = {}
        self._visible: set[Key] = set()
        self._brought_out: dict[Key, set[Key]] = {}
        self._last: Key | None = None
        self._fruitless: Counter[tuple[str, str]] = Counter()
        self._alike: Counter[tuple[str, str]] = Counter()
        self._named: set[str] = set()
        self._in_vain: set[tuple[str, str]] = set()
        self._when_in_vain: frozenset[str] = frozenset()
        self._has_waited = False
        self._ways: dict[str, tuple[str, str]] = {}

    def run(self) -> None:
        """Search until all is found, or nothing is left to be tried."""
        attempts: Sequence[Callable[[], bool]] = (
            partial(self._try_goals, only=self._is_taker),
            self._press_next,
            partial(self._try_goals, only=_is_akin),
            self._try_choices,
            self._try_goals,
            self._wait,
            self._try_again,
        )
        while self._form.sought() and self._allowed:
            if not any(attempt() for attempt in attempts):
                return

    @property
    def _allowed(self) -> bool:
        return self._presses < MAX_PRESSES and self._helpful < MAX_HELPFUL

    def _state(self) -> _State:
        sought = self._form.sought()
        return _State(frozenset(sought), self._form.closeness(), self._form.written())

    def _press_next(self) -> bool:
        """Press the first thing that was not tried; False if there is none."""
        ordered = self._ordered()
        self._note({key for key, _ in ordered})
        for key, pressable in ordered:
            if key not in self._spent and key not in self._closed and self._is_worth_a_press(pressable):
                self._last = key
                self._press(key, pressable)
                return True
        return self._open_again(ordered)

    def _is_worth_a_press(self, pressable: Pressable) -> bool:
        """Whether it is a control or named by an answer, or not yet one too many of its kind: words are all alike."""
        if pressable.text.lower() in self._named:
            return True
        if pressable.tag in _CONTROLS and self._alike[_kind(pressable)] <= MAX_CONTROLS:
            return True
        return self._fruitless[_kind(pressable)] < MAX_ALIKE

    def _note(self, visible: set[Key]) -> None:
        """Take down what the last press brought out: lists of choices close when one is made."""
        if self._last is not None and self._visible:
            self._brought_out.setdefault(self._last, set()).update(visible - self._visible)
        self._visible = visible

    def _open_again(self, ordered: Sequence[tuple[Key, Pressable]]) -> bool:
        """Press again what brought out things that were not all tried; False if there is nothing of the kind."""
        done = self._spent | self._closed
        for key, pressable in ordered:
            if self._brought_out.get(key, set()) - done:
                self._presses += 1
                self._last = None
                return self._page_input.press(pressable.number)
        return False

    def _ordered(self) -> list[tuple[Key, Pressable]]:
        """Things with what tells them from each other for as long as the page lives."""
        seen: dict[tuple[str, str, str], int] = {}
        found = []
        for pressable in self._page_input.pressables():
            if pressable.number in self._form.worked:
                continue
            name = (pressable.tag, pressable.id, pressable.text)
            seen[name] = seen.get(name, 0) + 1
            # What a press changes may be the very words of a thing; what a page builds anew is known by them.
            found.append((self._keys.setdefault(pressable.number, (*name, seen[name])), pressable))
        self._alike = Counter(_kind(pressable) for _, pressable in found)
        self._named = {name.lower() for goal in self._form.unwritten().values() for name in _names_in(goal)}
        return sorted(found, key=lambda each: -1 if each[1].text.lower() in self._named else _rank(each[1]))

    def _press(self, key: Key, pressable: Pressable) -> None:
        before = self._state()
        with self._form.kept_open():
            pressed = self._page_input.press(pressable.number)
        if not pressed:
            self._spent.add(key)
            self._presses += 1
            self._fruitless[_kind(pressable)] += 1
            self._form.act.press("Escape")  # what covers it may be a dialogue that an earlier press opened
            return
        hear(self._form, only_playing=True)
        self._form.fill_what_appears()
        after = self._state()
        wrote = [
            name
            for name, values in after.written.items()
            if name in self._form.goals and values != before.written.get(name, values)
        ]
        if wrote:
            self._helpful += 1
            # What writes an answer does so whatever else happens: it is not tried again after every success.
            self._closed.add(key)
        else:
            self._presses += 1
        if _is_better(after, before):
            for name in wrote:
                self._writers[name] = key
            self._spent.clear()
            self._fruitless.clear()
            self._helpful += 1
            return
        self._spent.add(key)
        if not wrote:
            self._fruitless[_kind(pressable)] += 1
        if _is_worse(after, before):
            self._closed.add(key)
            self._undo(pressable, before)

    def _undo(self, pressable: Pressable, before: _State) -> None:
        self._page_input.press(pressable.number)
        self._form.fill_what_appears()
        lost = self._form.sought().keys() - before.sought
        writers = {self._writers[name] for name in lost if name in self._writers}
        for key, other in self._ordered():
            if key in writers:
                self._page_input.press(other.number)
                self._form.fill_what_appears()

    def _try_choices(self) -> bool:
        """Answer choices that are no goals, in search of what they bring out; whether one helped."""
        choices = [field for field in self._form.fields if self._is_free(field)]
        for field in sorted(choices, key=lambda each: each.kind == "radio"):
            tried = False
            for option in [each.value for each in field.options if each.visible][:MAX_OPTIONS]:
                if not self._allowed:
                    return False
                if option in field.initial or (field.name, option) in self._in_vain:
                    continue
                before = self._state()
                self._presses += 1
                tried = True
                if not fill(self._form.act, field, _with(field, option)).ok:
                    continue
                self._form.fill_what_appears()
                if _is_better(self._state(), before):
                    self._spent.clear()
                    return True
                self._note_in_vain(field, option)
            if tried and field.kind != "radio":
                fill(self._form.act, field, field.initial)
                self._form.fill_what_appears()
        return False

    def _try_goals(self, *, only: Callable[[Field, str, Collection[str]], bool] | None = None) -> bool:
        """Answer goals otherwise than they shall be, for fields that only other answers bring out; whether it helped.

        What was entered into that field counts even when the goal has its answer again and the field is gone.

        Args:
            only: Says of a field, an option and the names sought whether to try it; None for all.
        """
        there = {field.name for field in self._form.fields}
        for field, option in self._other_answers():
            sought = self._form.sought().keys() & there
            if not self._allowed or not sought:
                return False
            if (field.name, option) in self._in_vain or (only and not only(field, option, sought)):
                continue
            before = self._state()
            self._presses += 1
            if self._is_as_good(field, option, before):
                return True
            if self._answer_otherwise(field, option, before.sought):
                after = self._state()
                if _is_better(after, before):
                    self._ways.update(dict.fromkeys(before.sought - after.sought, (field.name, option)))
                    return True
                self._repair(before)
            self._note_in_vain(field, option)
        return False

    def _other_answers(self) -> list[tuple[Field, str]]:
        """The options of goals that can be chosen now, and are not."""
        return [
            (field, option.value)
            for field in self._form.fields
            if field.kind in CHOICES and field.visible and not field.disabled and not field.submits
            for option in field.options[:MAX_OPTIONS]
            if field.name in self._form.goals and option.visible and option.value not in field.initial
        ]

    def _is_taker(self, field: Field, _: str, sought: Collection[str]) -> bool:
        """Whether the field's answer has taken something sought away, which another answer may bring back."""
        return any(self._form.takers.get(name) == field.name for name in sought)

    def _is_as_good(self, field: Field, option: str, before: _State) -> bool:
        """Whether an option that as many workers chose is better, since it lets be answered what the other does not.

        It is kept then, and else the other is entered again.
        """
        goal = self._form.goals[field.name]
        if field.kind not in VOTES or not goal.is_reached((option,)):
            return False
        known = self._other_answers()
        self._form.choose(field.name, option)
        self._form.fill_what_appears()
        self._form.fill_sought(before.sought)  # what was refused before this answer is tried again
        self._answer_within(known, before.sought)
        self._form.fill_what_appears()
        if _is_better(self._state(), before):
            return True
        self._form.choose(field.name, goal.choice)
        self._form.fill_what_appears()
        return False

    def _answer_otherwise(self, field: Field, option: str, sought: Collection[str]) -> bool:
        """Choose an option that is not wanted, fill in what was sought, and answer as it shall be again."""
        known = self._other_answers()
        if not fill(self._form.act, field, _with(field, option)).ok:
            return False
        self._form.fill_sought(sought)
        self._answer_within(known, sought)
        self._form.fill_what_appears()
        return True

    def _answer_within(self, known: Sequence[tuple[Field, str]], sought: Collection[str]) -> None:
        """Choose what an answer has just let be chosen, if something sought is named by it, and fill that in."""
        names = {field.name for field, _ in known}
        for field, option in self._other_answers():
            if field.name not in names and _is_akin(field, option, self._form.sought().keys() & sought):
                self._presses += 1
                if fill(self._form.act, field, _with(field, option)).ok:
                    self._form.fill_sought(sought)

    def _repair(self, before: _State) -> None:
        """Enter again, in the way in which it was reached, what an attempt undid."""
        lost = self._form.sought().keys() - before.sought
        for name, option in dict.fromkeys(self._ways[each] for each in sorted(lost) if each in self._ways):
            field = next((each for each in self._form.fields if each.name == name), None)
            if field is not None:
                self._answer_otherwise(field, option, self._form.sought())

    def _note_in_vain(self, field: Field, option: str) -> None:
        """Take down an answer that brought nothing, and how far the form was when the first of them did not."""
        if not self._in_vain:
            self._when_in_vain = self._state().sought
        self._in_vain.add((field.name, option))

    def _wait(self) -> bool:
        """Wait, once, for what opens by itself; whether it did."""
        has_waited, self._has_waited = self._has_waited, True
        return not has_waited and await_opening(self._form)

    def _try_again(self) -> bool:
        """Take what was in vain for untried if something else has helped since; whether it has."""
        has_helped = bool(self._in_vain) and self._state().sought != self._when_in_vain
        self._in_vain.clear()
        return has_helped

    def _is_free(self, field: Field) -> bool:
        """Whether no score depends on a choice that can be made now."""
        if field.kind not in CHOICES or not field.visible or field.disabled or field.submits:
            return False
        return field.name not in self._form.goals


def _with(field: Field, option: str) -> Values:
    """The values of a choice with one more option, or with that option in place of another."""
    return (*field.initial, option) if field.multiple or field.kind == "checkbox" else (option,)


def _is_akin(_: Field, option: str, sought: Collection[str]) -> bool:
    """Whether the name of something sought contains what an option is called."""
    bare = _BARE.sub("", option).lower()
    return len(bare) >= MIN_NAME and any(bare in _BARE.sub("", name).lower() for name in sought)


def _kind(pressable: Pressable) -> tuple[str, str]:
    """What things are alike by: the words of the third line are no other than those of the first."""
    return pressable.tag, _NUMBER.sub("", pressable.classes)


def _is_better(after: _State, before: _State) -> bool:
    if after.sought < before.sought:
        return True
    return after.sought == before.sought and after.closeness > before.closeness + _CLOSER


def _is_worse(after: _State, before: _State) -> bool:
    return bool(after.sought - before.sought) or after.closeness < before.closeness - _CLOSER


def _names_in(goal: FieldGoal) -> set[str]:
    """What the answers of a goal may be called on what writes them: ``3.0`` of a table is a page's ``3``."""
    names = {name for target in goal.targets[:MAX_OPTIONS] for way in pieces_of(target) for name in way}
    numbers = (value for name in names if (value := number(name)) is not None)
    return names | {str(int(value)) for value in numbers if value % 1 == 0}


def _rank(pressable: Pressable) -> int:
    if _LAST.search(pressable.text):
        return 2
    return 1 if _FINISHES.search(pressable.text) else 0
