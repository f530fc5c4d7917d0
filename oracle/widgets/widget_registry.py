"""Which widget routines there are, and when they are tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from oracle.form import Form
from oracle.widgets.bins import Bins
from oracle.widgets.calendar import Calendars
from oracle.widgets.cycling import Cycling
from oracle.widgets.diagram import Diagrams
from oracle.widgets.drawing import Drawing
from oracle.widgets.framed import Framed
from oracle.widgets.lists import Lists
from oracle.widgets.marking import Marking
from oracle.widgets.pairing import Pairing
from oracle.widgets.rich_text import RichText
from oracle.widgets.slider import Sliders
from oracle.widgets.sorting import Sorting
from oracle.widgets.tagging import Tagging
from oracle.widgets.ticking import Stepwise, Ticking
from oracle.widgets.typing_in import TypingIn


class Widget(Protocol):
    """A routine for one kind of widget, known by its structure and by what it does, never by a task's name."""

    def work(self, form: Form) -> bool:
        """Try to have goals written that are sought; whether it found its kind of widget and did anything."""


WIDGETS: Sequence[Widget] = (
    Sliders(),
    Calendars(),
    Lists(),
    RichText(),
    Tagging(),
    Marking(),
    Stepwise(),
    Ticking(),
    Diagrams(),
    Cycling(),
    Bins(),
    Drawing(),
    Sorting(),
    Pairing(),
    TypingIn(),
    Framed(),
)


def write_by_widgets(form: Form) -> None:
    """Let each routine work the page, as long as goals are sought that are there and cannot be entered."""
    if not form.sought():
        return
    if form.unwritten():
        form.rehearse()
    with form.kept_open():
        for widget in WIDGETS:
            if not form.sought():
                return
            if widget.work(form):
                form.fill_what_appears()
