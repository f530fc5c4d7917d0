"""Controls in a frame that the page itself has made (``srcdoc``), whose answers scripts bring into the form.

A frame may be shut off from the page and from whoever looks at it: it is worked with the keyboard, from one thing that
takes the focus to the next, and with presses where nothing takes it. What each does is seen in the form.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.browser.launch import SCREEN
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import is_structured

MAX_FRAMES = 6
MAX_STOPS = 40
"""Things in a frame that take the focus."""
MAX_PASSES = 4
"""Ways through a frame: a later answer may have taken an earlier one's place."""
MAX_ARROWS = 120
"""Presses of an arrow key on one thing, while each writes something new."""
MAX_TYPED = 3
"""Texts that are typed where it is not known which answer is written."""
MAX_POINTS = 160
_CORNER = 3
"""Pixels from a frame's corner at which a press does nothing but give it the focus."""
_RIGHT, _DOWN = 45, 10
"""Pixels between two presses: there are hardly smaller things to press."""
Written = dict[str, tuple[str, ...]]


class Framed:
    """Works frames that the page has made, as long as that writes what is sought."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        if not form.unwritten():
            return False
        frames = look(form.probe, "ownFrames")[:MAX_FRAMES]
        page_input = PageInput(form.act, form.probe)
        by_keys = [_ByKeys(form, page_input, number) for number in frames]
        by_presses = [_ByPresses(form, page_input, number) for number in frames]
        for keys in by_keys:
            keys.work()
        # Where keys did nothing, presses may.
        for _, presses in sorted(zip(by_keys, by_presses, strict=True), key=lambda each: bool(each[0].writes)):
            presses.work()
        return bool(frames)


class _Frame:
    """One frame, and what of it writes which fields."""

    def __init__(self, form: Form, page_input: PageInput, number: int) -> None:
        self._form = form
        self._page_input = page_input
        self._number = number
        self._owned: dict[int, set[str]] = {}

    @property
    def writes(self) -> set[str]:
        """The fields that it is known to write."""
        return set().union(*self._owned.values())

    def work(self) -> None:
        """Go through the frame until nothing that it writes is sought, or that is all it can."""
        for _ in range(MAX_PASSES):
            if self._form.unwritten():
                self._pass()
            if not self.writes & self._form.unwritten().keys():
                return

    def _pass(self) -> None:
        raise NotImplementedError

    def _is_spent(self, stop: int) -> bool:
        """Whether a thing is known to write something, and all of that is as it shall be."""
        owned = self._owned.get(stop, set())
        return bool(owned) and not owned & self._form.unwritten().keys()

    def _note(self, stop: int, before: Written) -> set[str]:
        """See what has changed since, and take down that this thing writes it."""
        self._form.look()
        after = self._form.written()
        changed = {name for name in self._form.goals if after.get(name) != before.get(name)}
        self._owned.setdefault(stop, set()).update(changed)
        return changed

    def _box(self) -> tuple[float, float, float, float] | None:
        return self._page_input.box(self._number)


class _ByKeys(_Frame):
    def _pass(self) -> None:
        box = self._box()
        if box is None or not self._form.act.click(box[0] + _CORNER, box[1] + _CORNER).ok:
            return
        for stop in range(MAX_STOPS):
            before = self._form.written()
            self._form.act.press("Tab")
            if stop:
                self._note(stop - 1, before)  # a text may be taken when it is left
            if not look(self._form.probe, "hasFocus", self._number) or not self._form.unwritten():
                return
            if not self._is_spent(stop):
                self._use(stop)

    def _use(self, stop: int) -> None:
        """Use what has the focus as far as it writes what is sought: arrow keys first, which open no list."""
        moved = self._go_along(stop, "ArrowDown")
        if not self._is_spent(stop):
            moved = self._go_along(stop, "ArrowUp") or moved
        if not moved and not self._toggle(stop):
            self._type(stop)

    def _go_along(self, stop: int, key: str) -> bool:
        """Go through the options of a list or of a group, or along a slider; whether it is one of these."""
        seen: list[Written] = []
        for _ in range(MAX_ARROWS):
            before = self._form.written()
            self._form.act.press(key)
            changed = self._note(stop, before)
            after = self._form.written()
            if not changed or self._is_spent(stop) or after in seen:
                return bool(changed or seen)
            seen.append(after)
        return True

    def _toggle(self, stop: int) -> bool:
        """Press what has the focus, twice if that leads away; whether it is pressed for what it writes."""
        before, closeness = self._form.written(), self._form.closeness()
        self._form.act.press("Space")
        changed = self._note(stop, before)
        if self._form.closeness() < closeness:
            self._form.act.press("Space")  # as a box is ticked and unticked again
            self._note(stop, before)
        return bool(changed) and not any(set(self._form.written()[name]) & {" "} for name in changed)

    def _type(self, stop: int) -> None:
        """Type an answer, the one that is known to be written here if any is."""
        owned = self._owned.get(stop)
        sought = [goal for name, goal in self._form.unwritten().items() if not owned or name in owned]
        for text in [goal.targets[0] for goal in sought if not is_structured(goal.targets[0])][:MAX_TYPED]:
            before = self._form.written()
            self._form.act.press("Control+a")
            self._form.act.type(text)
            if self._note(stop, before) and self._is_spent(stop):
                return


class _ByPresses(_Frame):
    def _pass(self) -> None:
        for stop, (x, y) in enumerate(self._points()):
            if not self._form.unwritten():
                return
            if self._is_spent(stop) or self._owned.get(stop) == set():
                continue
            before, closeness = self._form.written(), self._form.closeness()
            self._form.act.click(x, y)
            self._note(stop, before)
            if self._form.closeness() < closeness:
                self._form.act.click(x, y)
                self._note(stop, before)

    def _points(self) -> Iterator[tuple[float, float]]:
        """Points all over the part of the frame that is in view, line by line."""
        box = self._box()
        if box is None:
            return
        left, top, width, height = box
        count = 0
        y = max(top, 0) + _DOWN / 2
        while y < min(top + height, SCREEN[1]):
            x = max(left, 0) + _RIGHT / 2
            while x < min(left + width, SCREEN[0]):
                yield x, y
                count += 1
                if count == MAX_POINTS:
                    return
                x += _RIGHT
            y += _DOWN
