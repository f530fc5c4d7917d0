"""A person's answers put into the open page: filled in, and brought out by presses where they cannot be seen."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harness.browser.form.fields import Field
from harness.catalog.kinds import SETTERS
from harness.catalog.labels import clean, is_blank, match_option, number, ticked
from harness.episode.assignment import Page
from harness.episode.library import Actions, fill
from harness.episode.solver import WrongOptions

_PAGE = re.compile(r"/page/([^/]+)/(\d+)/")


def instance_at(page: Page) -> tuple[str, int] | None:
    """The task and the index of the instance that a page shows; None if its address is that of no instance."""
    match = _PAGE.fullmatch(urlsplit(page.url).path)
    return (unquote(match[1]), int(match[2])) if match else None


def unchanged_digest(path: Path, digest: str | None) -> str:
    """The SHA-256 of a file, in hex.

    Args:
        path: The file.
        digest: What it was when the run began; None if it has not begun.

    Raises:
        WrongOptions: the file is another than when the run began.
    """
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest not in (None, found):
        raise WrongOptions(f"{path} has changed since the run began: begin a new run")
    return found


MAX_ROUNDS = 20
"""How often it looks for fields that answers have brought out."""
MAX_PRESSES = 100
"""How often something is pressed in search of fields that cannot be seen."""

Values = tuple[str, ...]


class EnteredPage:
    """The open page, and what a person left in its fields.

    Attributes:
        fields: All fields as they were at the last look.
    """

    def __init__(
        self, act: Actions, cells: Mapping[str, str], names: Sequence[str], known: Sequence[Field] = ()
    ) -> None:
        """Look at the page.

        Args:
            act: The actions on it.
            cells: Field -> what the person sent, several values joined by ``|``.
            names: The answer fields of the page, on which it is to be complete.
            known: The fields that the reference pass found, those too that a script adds at the end.
        """
        self._added = {field.name for field in known if field.kind == "hidden"}
        self._act = act
        self._cells = cells
        self._wanted = [name for name in names if not is_blank(cells.get(name, ""))]
        self.fields = act.fields()
        self._is_ready = False

    def enter(self) -> None:
        """Fill in what can be seen, then what answers and presses bring out; press the button that is an answer last.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        self._fill()
        self._bring_out()
        self._work_customs()
        self._is_ready = True
        self._fill()

    @property
    def missing(self) -> list[str]:
        """The answer fields that a person sees and that do not hold the answer."""
        return [name for name in self._left() if not self._is_written(name)]

    @property
    def written(self) -> list[str]:
        """Those that only the page's script writes, if it does: perhaps not before the form is submitted."""
        return [name for name in self._left() if self._is_written(name)]

    def _left(self) -> list[str]:
        held = {field.name for field in self.fields if self._holds(field)}
        return [name for name in self._wanted if name not in held]

    def _is_written(self, name: str) -> bool:
        there = next((field for field in self.fields if field.name == name), None)
        return name in self._added if there is None else there.kind == "hidden"

    def _fill(self) -> None:
        for _ in range(MAX_ROUNDS):
            progress = [self._enter(field) for field in self.fields]
            self.fields = self._act.fields()
            if not any(progress):
                return

    def _bring_out(self) -> None:
        """Press what is there to press, what has brought something out first, until nothing is sought any more."""
        in_vain: set[str] = set()
        last = ""
        for _ in range(MAX_PRESSES):
            sought = set(self._unseen())
            buttons = [name for name in self._act.buttons() if name not in in_vain] if sought else []
            if not buttons:
                return
            button = last if last in buttons else buttons[0]
            place = self._act.locate_button(button)
            if place is not None:
                self._act.click(*place)
                self.fields = self._act.fields()
            if place is None or sought == set(self._unseen()):
                in_vain.add(button)
                continue
            last = button
            self._fill()

    def _work_customs(self) -> None:
        """Press what is in custom elements until they hold the answers; what undoes one is pressed back."""
        pressed: dict[str, str] = {}
        customs = {field.name for field in self.fields if field.is_custom}
        for button in self._act.buttons() if customs.intersection(self._left()) else ():
            before = customs.intersection(self._left())
            self._press(button)
            for lost in customs.intersection(self._left()) - before:
                if lost in pressed:
                    self._press(pressed[lost])
            left = customs.intersection(self._left())
            pressed |= dict.fromkeys(before - left, button)
            if not left:
                return

    def _press(self, button: str) -> None:
        if place := self._act.locate_button(button):
            self._act.click(*place)
            self.fields = self._act.fields()

    def _unseen(self) -> list[str]:
        """What is missing and not to be seen."""
        visible = {field.name for field in self.fields if field.visible}
        return [name for name in self.missing if name not in visible]

    def _enter(self, field: Field) -> bool:
        """Fill in a field that does not hold its answer; whether it took it."""
        if field.submits and not self._is_ready:
            return False
        if not field.visible or field.disabled or field.kind not in SETTERS or self._holds(field):
            return False
        values = wanted_values(field, self._cells.get(field.name, ""))
        if not values and field.kind in ("radio", "select", "range"):
            return False  # nobody can take a choice back
        return fill(self._act, field, values).ok

    def _holds(self, field: Field) -> bool:
        """Whether a field holds what the person left there."""
        wanted = wanted_values(field, self._cells.get(field.name, ""))
        return _comparable(field, field.answered(wanted)) == _comparable(field, field.initial)


def _comparable(field: Field, values: Values) -> list[str]:
    """Values as they are compared: blank ones are none, and numbers of a slider are numbers."""
    filled = [clean(value) for value in values if value]
    if field.kind == "range":
        return [str(number(value)) for value in filled]
    return sorted(filled)


def wanted_values(field: Field, cell: str) -> Values:
    """What a field is to hold so that it sends what a cell of a results file says.

    Args:
        field: Of the page as it is now.
        cell: The values that were sent, joined by ``|``; blank if none were.

    Returns:
        The values of the options that the cell means, in page order; of other fields its text. What no option matches
        stays as it is written.
    """
    if field.kind == "checkbox" or (field.kind == "select" and field.multiple):
        chosen = ticked(cell, field.values)
        return (*(value for value in field.values if value in chosen), *sorted(chosen - set(field.values)))
    if is_blank(cell):
        return ()
    if field.kind in ("radio", "select"):
        return (match_option(cell, field.values) or clean(cell),)
    return (clean(cell),)
