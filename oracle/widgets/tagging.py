"""Words that are given tags: a tag is chosen and words are pressed, or the other way round, and a field lists both."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import CLICKS, PageInput, look
from oracle.widgets.pieces import CONFIRMS, TAKES_BACK, likeness

TAGS = (
    "button, label, a, [role=button], [role=radio], [role=tab], [role=option], input[type=radio], input[type=button],"
    "[data-tag], [data-label], [data-type], [data-category], li, [onclick]"
)
FEWEST_TOKENS = 3
SHORTEST_NAME = 3
"""Letters of a tag, below which a text that begins with it is no name of it."""
MAX_TARGETS = 3
"""Workers whose tags are tried for one field."""
MAX_READINGS = 8
_START = frozenset({"start", "begin", "from", "startindex", "start_token", "starttoken", "first"})
_END = frozenset({"end", "stop", "to", "endindex", "end_token", "endtoken", "last"})
_PART = re.compile(r"^[BILUSE][-_](?=\w)")
"""What stands before a tag where its first word is told from the others (BIO, BILOU)."""


@dataclass(frozen=True)
class Tagged:
    """Words with one tag, by their places among the tokens."""

    tag: str
    places: tuple[int, ...]


Reading = tuple[Tagged, ...]


class Tagging:
    """Gives each word the tag that a worker gave it."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        goals = [goal for goal in form.unwritten().values() if any(map(_is_tagged, goal.targets))]
        if not goals:
            return False
        form.probe.find_listeners(CLICKS)
        groups = [group for group in look(form.probe, "rows") if len(group) >= FEWEST_TOKENS]
        controls = look(form.probe, "named", TAGS)
        done = False
        for goal in goals:
            for group in sorted(groups, key=len, reverse=True):
                if goal.name in form.unwritten() and _Tagger(form, goal, group, controls).work():
                    done = True
                    break
        return done


class _Tagger:
    """One field, and the tokens that it may be about."""

    def __init__(self, form: Form, goal: FieldGoal, group: Sequence[dict[str, Any]], controls: Sequence[Any]) -> None:
        self._form = form
        self._goal = goal
        self._numbers = [each["number"] for each in group]
        self._words = [each["names"][0] if each["names"] else "" for each in group]
        self._controls = [each for each in controls if each["number"] not in set(self._numbers)]
        self._page_input = PageInput(form.act, form.probe)

    def work(self) -> bool:
        """Tag the words as one worker did; whether the field took any of it."""
        for target in self._goal.targets[:MAX_TARGETS]:
            readings = list(dict.fromkeys(self._readings(target)))[:MAX_READINGS]
            for reading, by_ends in itertools.product(readings, (False, True)):
                if not self._enter(reading[:1], target, by_ends=by_ends):
                    continue
                self._enter(reading[1:], target, by_ends=by_ends)
                self._form.settle([self._goal.name], self._numbers)
                return True
        return False

    def _enter(self, reading: Reading, target: str, *, by_ends: bool) -> bool:
        """Tag words one after the other; False, and it is undone, if the field does not list one as it shall be."""
        for tagged in reading:
            places = tagged.places if not by_ends else (tagged.places[0], tagged.places[-1])
            before = self._held()
            self._choose(tagged.tag)
            self._press(places)
            if self._held() == before:  # where the words come first
                self._choose(tagged.tag)
            if self._held() == before:
                self._press_first(CONFIRMS)
            if likeness(_parsed(self._held()), _parsed(target)) <= likeness(_parsed(before), _parsed(target)):
                self._take_back(places, before)
                return False
        return True

    # ---- pressing ---------------------------------------------------------------------------------------------

    def _press(self, places: Sequence[int]) -> None:
        for place in places:
            # What the page draws anew has other numbers; the tokens are those at the same places.
            if not self._page_input.press(self._numbers[place]):
                self._look_again()
                self._page_input.press(self._numbers[place])

    def _look_again(self) -> None:
        self._form.probe.find_listeners(CLICKS)
        same = [group for group in look(self._form.probe, "rows") if len(group) == len(self._numbers)]
        if same:
            self._numbers = [each["number"] for each in same[0]]

    def _choose(self, tag: str) -> None:
        """Choose a tag: in a list of the form, else by pressing what is called so."""
        if choose_in_list(self._form, tag):
            return
        tokens = set(self._numbers)
        for controls in (self._controls, look(self._form.probe, "named", TAGS)):
            for each in controls:
                if each["number"] not in tokens and is_called(each["names"], tag):
                    if self._page_input.press(each["number"]):
                        return
                    break

    def _press_first(self, words: re.Pattern[str]) -> bool:
        """Press the first thing whose text says so; whether there is one."""
        tokens = set(self._numbers)
        for pressable in self._page_input.pressables():
            if words.search(pressable.text) and pressable.number not in tokens:
                return self._page_input.press(pressable.number)
        return False

    def _take_back(self, places: Sequence[int], before: str) -> None:
        """Undo what did not help: by a second press, else by what the page has for it."""
        self._press(places)
        for _ in range(2 * len(places)):
            if self._held() == before or not self._press_first(TAKES_BACK):
                return

    def _held(self) -> str:
        self._form.look()
        return "".join(self._form.written().get(self._goal.name, ()))

    # ---- reading ----------------------------------------------------------------------------------------------

    def _readings(self, target: str) -> Iterator[Reading]:
        """What a label may mean: pages count from 0 or 1, words or characters, and the last one in or out."""
        value = _parsed(target)
        if isinstance(value, list) and len(value) == len(self._words) and all(isinstance(each, str) for each in value):
            yield _joined(value, in_parts=True)
            yield _joined(value, in_parts=False)
            return
        for base, of_span in itertools.product((0, 1), (self._to_last, self._before_last, self._of_characters)):
            found = [self._of_item(item, base, of_span) for item in _items(value)]
            reading = tuple(each for each in found if each is not None)
            if reading and len(reading) == len(found):
                yield reading

    def _to_last(self, start: int, end: int) -> range:
        return range(start, end + 1)

    def _before_last(self, start: int, end: int) -> range:
        return range(start, end)

    def _of_characters(self, start: int, end: int) -> list[int]:
        places = []
        passed = 0
        for place, word in enumerate(self._words):
            if passed < end and passed + len(word) > start:
                places.append(place)
            passed += len(word) + 1
        return places

    def _of_item(self, item: Any, base: int, of_span: Callable[[int, int], Sequence[int]]) -> Tagged | None:
        """What one part of a label says; None if that cannot be so."""
        texts = [text for text in _texts(item) if text]
        tag = next((text for text in texts if self._is_tag(text)), None)
        if tag is None:
            return None
        words = " ".join(text for text in texts if text != tag and not text.isdecimal()).split()
        places = self._places(item, base, of_span)
        if places is None:
            found = (at for at in range(len(self._words)) if self._words[at : at + len(words)] == words)
            at = next(found, None)
            places = () if at is None or not words else tuple(range(at, at + len(words)))
        elif words and [self._words[place] for place in places if place < len(self._words)] != words:
            return None  # it says which words it means, and counts them otherwise
        fits = places and all(0 <= place < len(self._words) for place in places)
        return Tagged(tag, tuple(places)) if fits else None

    def _places(self, item: Any, base: int, of_span: Callable[[int, int], Sequence[int]]) -> tuple[int, ...] | None:
        """The places that an item counts; None if it counts none."""
        named = {str(key).lower(): each for key, each in item.items()} if isinstance(item, Mapping) else {}
        start = next((named[key] for key in named if key in _START and isinstance(named[key], int)), None)
        end = next((named[key] for key in named if key in _END and isinstance(named[key], int)), None)
        numbers = list(_numbers(item))
        if start is None and isinstance(item, list) and len(numbers) == 2 and all(isinstance(n, int) for n in item[:2]):
            start, end = numbers
        if start is not None and end is not None:
            shift = 0 if of_span == self._of_characters else base
            return tuple(of_span(start - shift, end - shift))
        return tuple(number - base for number in numbers) or None

    def _is_tag(self, text: str) -> bool:
        lists = (field for field in self._form.fields if field.kind in ("select", "radio"))
        options = [[each.value, each.text.strip()] for field in lists for each in field.options]
        return any(is_called(names, text) for names in (*(each["names"] for each in self._controls), *options))


def choose_in_list(form: Form, tag: str) -> bool:
    """Choose a tag in a list of the form that is no goal itself; whether there is one."""
    for field in form.fields:
        if field.kind in ("select", "radio") and field.visible and field.name not in form.goals:
            value = next((each.value for each in field.options if tag in (each.value, each.text.strip())), None)
            if value is not None:
                (form.act.modify_select if field.kind == "select" else form.act.modify_radio)(field.name, value)
                return True
    return False


def is_called(names: Sequence[str], tag: str) -> bool:
    """Whether a control is called as a tag: its text may say more behind it, such as a key."""
    wanted = tag.lower()
    begins = re.compile(re.escape(wanted) + r"\W") if len(wanted) >= SHORTEST_NAME else None
    return any(name.lower() == wanted or bool(begins and begins.match(name.lower())) for name in names)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pieces = text.split()
        return pieces if len(pieces) >= FEWEST_TOKENS and any(map(_PART.match, pieces)) else None


def _is_tagged(target: str) -> bool:
    value = _parsed(target)
    return isinstance(value, list | dict) and any(re.search(r"[^\W\d]", text) for text in _texts(value))


def _items(value: Any) -> list[Any]:
    """The parts of a label that say of some words what they are, each with its tag."""
    if not isinstance(value, Mapping):
        return list(value) if isinstance(value, list) else []
    items: list[Any] = []
    for key, each in value.items():
        if isinstance(each, Mapping):
            items.append({**each, "": key})
        elif isinstance(each, list) and not all(isinstance(part, int) for part in each):
            items += [[key, part] for part in each]
        else:
            items.append([key, each])
    return items


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield value
    elif isinstance(value, str) and value.isdecimal():
        yield int(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each)


def _joined(tags: Sequence[str], *, in_parts: bool) -> Reading:
    """What a list with a tag for each word says: words of one tag together, or each by itself."""
    found: list[Tagged] = []
    for place, tag in enumerate(tags):
        bare = _PART.sub("", tag)
        if not bare or bare.upper() in ("O", "NONE", "_", "-"):
            continue
        goes_on = in_parts and tag != bare and tag[0] in "ILE" and found and found[-1].places[-1] == place - 1
        if goes_on and found[-1].tag == bare:
            found[-1] = Tagged(bare, (*found[-1].places, place))
        else:
            found.append(Tagged(bare, (place,)))
    return tuple(found)
