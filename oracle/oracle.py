"""The ceiling: enter what the workers answered (TurkingBench, appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.catalog.kinds import KindName
from harness.episode.assignment import Assignment
from harness.episode.library import Actions
from harness.episode.probe import Probe
from oracle.field_goal import FieldGoal, of_one_worker
from oracle.form import Form
from oracle.last_press import LastPress

if TYPE_CHECKING:
    from harness.episode.site_assignment import SiteAssignment


class Oracle:
    """Gives every scored field the answer that reaches its ceiling, reaching fields as a worker would.

    It fills what is visible in page order and looks again, since answers bring out further fields. What an answer has
    hidden is filled in before it, in another order (``oracle.orders``). Only where wanted
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
            from oracle.reference_trace import follow  # noqa: PLC0415 - runs on forms do without

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
        from oracle.clips import hear  # noqa: PLC0415
        from oracle.orders import enter_in_other_orders  # noqa: PLC0415
        from oracle.reveal import Reveal  # noqa: PLC0415
        from oracle.widgets import write_by_widgets  # noqa: PLC0415

        if form.closed():
            hear(form)
        enter_in_other_orders(form)
        write_by_widgets(form)
        if form.sought():
            Reveal(form).run()
            write_by_widgets(form)
            form.fill_what_appears()
