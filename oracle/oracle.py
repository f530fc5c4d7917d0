"""The ceiling: enter what the workers answered (TurkingBench, appendix B)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from harness.browser.form.fields import Field
from harness.catalog.kinds import TYPED, KindName
from harness.episode.assignment import Assignment
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe
from oracle.field_goal import FieldGoal, of_one_worker
from oracle.form import Form
from oracle.last_press import LastPress

if TYPE_CHECKING:
    from harness.episode.site_assignment import SiteAssignment


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
    an answer and submits the form comes last (``oracle.last_press``).

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
