"""The ceiling: enter what the workers answered (TurkingBench, appendix B)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from harness.browser.form.fields import Field
from harness.catalog.kinds import TYPED, KindName
from harness.catalog.labels import number
from harness.episode.assignment import Assignment
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe
from oracle.field_goal import FieldGoal, of_one_worker
from oracle.form import Form
from oracle.page_input import PageInput, look

if TYPE_CHECKING:
    from harness.episode.site_assignment import SiteAssignment


@dataclass(frozen=True)
class _Place:
    """Where a picture that submits is to be pressed, in pixels from its corner."""

    picture: int
    x: float
    y: float


class LastPress:
    """What is left to be done on a page when everything else has been entered."""

    def __init__(self, form: Form) -> None:
        """Look at the page; what only this press sends is sought no more."""
        self._form = form
        sought = form.sought()
        self._places: list[_Place] = []
        if any(name.endswith((".x", ".y")) or name in ("x", "y") for name in sought):
            for picture in look(form.probe, "pictures"):
                place = _place(picture["number"], picture["x"], picture["y"], sought)
                if place is not None:
                    self._places.append(place)
                    form.settle([picture["x"], picture["y"]], ())

    def do(self) -> None:
        """Press the button that is an answer, else a picture where the label says; nothing where there is neither."""
        if any(field.submits for field in self._form.fields):
            self._form.submit()
        page_input = PageInput(self._form.act, self._form.probe)
        for place in self._places:
            if not self._form.act.submitted and (box := page_input.box(place.picture)):
                self._form.act.click(box[0] + place.x, box[1] + place.y)
        if self._form.written().keys() & self._form.goals.keys() and not self._form.act.submitted:
            self._choose(page_input)

    def _choose(self, page_input: PageInput) -> None:
        """Press the one of several buttons by which the page's script writes most of what is sought."""
        missing: dict[int, int] = {}
        for button in look(self._form.probe, "choosing"):
            with self._form.kept_open():
                page_input.press(button)
            self._form.look()
            missing[button] = len(self._form.sought())
        if missing:
            page_input.press(min(missing, key=missing.__getitem__))


def _place(picture: int, x: str, y: str, sought: Mapping[str, FieldGoal]) -> _Place | None:
    """The place that two goals say together; None if they say none."""
    found = [number(sought[name].values[0]) if name in sought else None for name in (x, y)]
    return _Place(picture, float(found[0]), float(found[1])) if found[0] is not None and found[1] is not None else None


def enter_in_other_orders(form: Form) -> None:
    """Fill in what could be seen when the page had loaded, and what an answer has hidden since.

    What was entered counts even when the field is hidden again, unless the page throws it away. A choice that cannot be
    taken back is not tried here: ``oracle.reveal`` makes another one meanwhile.
    """
    for field in list(_to_take_back(form)):
        hidden = form.hidden()
        if not hidden:
            return
        if not fill(form.act, field, ()).ok:
            continue
        form.look()
        if back := hidden - form.hidden():
            form.fill_sought(back)
        form.fill_what_appears()


def _to_take_back(form: Form) -> Iterator[Field]:
    """Fields that hold an answer and can be emptied: those first that are known to have hidden something."""
    takers = {form.takers[name] for name in form.hidden() if name in form.takers}
    held = [field for field in form.fields if field.name in form.goals and field.initial and _can_be_emptied(field)]
    yield from sorted(held, key=lambda field: field.name not in takers)


def _can_be_emptied(field: Field) -> bool:
    return field.kind in TYPED | {"checkbox"} and field.visible and not field.disabled and not field.submits


class Oracle:
    """Gives every scored field the answer that reaches its ceiling, reaching fields as a worker would.

    It fills what is visible in page order and looks again, since answers bring out further fields. What an answer has
    hidden is filled in before it, in another order (``oracle.oracle``). Only where wanted
    fields are then still out of reach does it work the page's widgets (``oracle.widgets``), for answers that the page's
    script writes, and try what can be pressed (``oracle.reveal``), for fields that are not there yet. A press that is
    an answer and submits the form comes last (``oracle.oracle``).

    On a website it replays the task's reference trace.
    """

    kinds: ClassVar[tuple[KindName, ...]] = ("form", "site")

    def solve_with_key(self, assignment: Assignment | SiteAssignment, act: Actions, probe: Probe) -> None:
        """Fill in the page, or replay the trace.

        Raises:
            TraceFailed: the task has no trace, or a step of it cannot be done.
        """
        if not isinstance(assignment, Assignment):
            from harness.episode.trace_replay import follow  # noqa: PLC0415 - runs on forms do without

            follow(assignment, act, probe)
            return
        goals = [FieldGoal(answer, assignment.profile) for answer in assignment.answers if answer.scored]
        unseen = {field.name for field in assignment.page.fields if not field.visible and not field.options}
        if any(goal.name in unseen for goal in goals):
            goals = of_one_worker(goals)
        form = Form(act, probe, goals, assignment.page.fields)
        form.fill()
        form.fill_what_appears()
        last_press = LastPress(form)
        if form.sought():
            self._reach(form)
        last_press.do()

    def _reach(self, form: Form) -> None:
        # Imported here alone: most pages do without.
        from oracle.reveal import Reveal, hear  # noqa: PLC0415
        from oracle.widgets import write_by_widgets  # noqa: PLC0415

        if form.closed():
            hear(form)
        enter_in_other_orders(form)
        write_by_widgets(form)
        if form.sought():
            Reveal(form).run()
            write_by_widgets(form)
            form.fill_what_appears()
