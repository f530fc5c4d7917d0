"""Editors of formatted text, whose content the page writes into fields as text or HTML, at once or at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from oracle.field_goal import FieldGoal, Values
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import is_structured

EDITORS = "[contenteditable]:not([contenteditable=false], [contenteditable] [contenteditable])"
MAX_EDITORS = 8
MAX_WAYS = 8
"""Ways to enter one editor's content that are tried."""
_TAG = re.compile(r"</?(?:p|div|b|strong|i|em|br|ul|ol|li|span|h[1-6]|u|a)\b[^>]*>", re.IGNORECASE)
_BLOCKS = frozenset({"p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"})
_KEYS = {"b": "Control+b", "strong": "Control+b", "i": "Control+i", "em": "Control+i"}
"""Element -> the keys that begin and end what it marks."""


@dataclass(frozen=True)
class Keys:
    """What is entered, one after the other.

    Attributes:
        steps: Texts to type, and chords to press, which say so.
    """

    steps: tuple[tuple[str, bool], ...]

    def enter(self, form: Form) -> None:
        """Type and press it."""
        for text, is_chord in self.steps:
            if is_chord:
                form.act.press(text)
            else:
                form.act.type(text)


class RichText:
    """Types what a label says into an editor, with its formats, and sees what the page would send."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        if not _writable(form):
            return False
        done = False
        for editor in look(form.probe, "select", EDITORS)[:MAX_EDITORS]:
            if editor["number"] not in form.worked and _writable(form):
                done = _Editor(form, editor["number"], editor["text"]).work() or done
        return done


class _Editor:
    """One editor being written in."""

    def __init__(self, form: Form, number: int, text: str) -> None:
        self._form = form
        self._number = number
        self._text = text
        self._page_input = PageInput(form.act, form.probe)

    def work(self) -> bool:
        """Enter the content that scores best; whether the editor writes any goal. Else it is left as it was."""
        goals = _writable(self._form)
        before = self._sent(goals)
        best: tuple[float, Keys | None] = (_score(goals, before), None)
        last: Keys | None = None
        own: set[str] = set()
        for keys in _ways(goals):
            if not self._replace(keys):
                return False
            last = keys
            now = self._sent(goals)
            own |= {name for name in goals if now.get(name) != before.get(name)}
            if not own:
                break  # whatever it holds, the page writes none of the goals from it
            score = _score(goals, now)
            is_reached = all(goals[name].is_reached(now.get(name, ())) for name in own)
            # Tags that are typed as they stand are what a worker meant only where the page keeps them so.
            if score > best[0] and (is_reached or not _TAG.search(keys.steps[0][0])):
                best = (score, keys)
            if is_reached:
                break
        if best[1] is None:
            self._replace(Keys(((self._text, False),) if self._text else ()))
            return False
        if best[1] is not last:
            self._replace(best[1])
        self._form.look()
        self._form.settle(own, [self._number])
        return True

    def _replace(self, keys: Keys) -> bool:
        """Enter this in place of what the editor holds; whether it could be reached."""
        if not self._page_input.press(self._number):
            return False
        self._form.act.press("Control+a")
        self._form.act.press("Backspace")
        keys.enter(self._form)
        return True

    def _sent(self, goals: dict[str, FieldGoal]) -> dict[str, Values]:
        """What the goals' fields would be sent with: what they hold, or what is written into them at the end."""
        values: dict[str, Values] = {}
        for name, value in self._form.probe.rehearse():
            if name in goals:
                values[name] = (*values.get(name, ()), value)
        return values


def _writable(form: Form) -> dict[str, FieldGoal]:
    """The goals sought that a text may be meant for."""
    return {
        name: goal for name, goal in form.unwritten().items() if goal.targets and not is_structured(goal.targets[0])
    }


def _score(goals: dict[str, FieldGoal], values: dict[str, Values]) -> float:
    return sum(goal.score(values.get(name, ())) for name, goal in goals.items())


def _ways(goals: dict[str, FieldGoal]) -> Sequence[Keys]:
    """What may be entered: formatted texts first, since they hold the plain ones, too."""
    formatted = [goal.targets[0] for goal in goals.values() if _TAG.search(goal.targets[0])]
    plain = [goal.targets[0] for goal in goals.values() if not _TAG.search(goal.targets[0])]
    ways = [way for html in formatted for way in _formatted(html)]
    ways += [Keys(((text, False),)) for text in (*plain, *formatted)]
    return list(dict.fromkeys(ways))[:MAX_WAYS]


def _formatted(html: str) -> Iterator[Keys]:
    """Ways to enter what HTML shows: editors differ in how they write the first line."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = reader.lines()
    keys = [step for place, line in enumerate(lines) for step in ([("Enter", True)] if place else []) + line]
    yield Keys(tuple(keys))
    if html.lstrip().lower().startswith("<div"):
        # Chromium puts the first line into an element of its own when an empty one before it is taken away.
        yield Keys((*keys, *((chord, True) for chord in ("Control+Home", "Enter", "ArrowUp", "Delete"))))


class _Reader(HTMLParser):
    """Reads HTML as lines of texts and of keys that format them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[list[tuple[str, bool]]] = [[]]

    def lines(self) -> list[list[tuple[str, bool]]]:
        """The lines with something in them."""
        return [line for line in self._lines if any(not is_chord for _, is_chord in line)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of the base
        """See ``HTMLParser``."""
        if tag in _BLOCKS or tag == "br":
            self._lines.append([])
        elif tag in _KEYS:
            self._lines[-1].append((_KEYS[tag], True))

    def handle_endtag(self, tag: str) -> None:
        """See ``HTMLParser``."""
        if tag in _BLOCKS:
            self._lines.append([])
        elif tag in _KEYS:
            self._lines[-1].append((_KEYS[tag], True))

    def handle_data(self, data: str) -> None:
        """See ``HTMLParser``."""
        if text := data.strip("\n"):
            self._lines[-1].append((text, False))
