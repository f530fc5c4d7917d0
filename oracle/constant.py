"""A floor that knows the task and not the page: the most frequent answer."""

from __future__ import annotations

from typing import ClassVar

from harness.catalog.kinds import KindName
from harness.episode.assignment import Assignment
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe


class Constant:
    """Gives each field the most frequent answer of the other instances of its task."""

    kinds: ClassVar[tuple[KindName, ...]] = ("form",)

    def solve_with_key(self, assignment: Assignment, act: Actions, probe: Probe) -> None:  # noqa: ARG002 - it needs none
        """Fill every visible answer field."""
        by_name = {answer.name: answer for answer in assignment.answers if answer.told}
        for field in assignment.page.fields:
            if field.visible:
                values = assignment.constants.answer(assignment.instance, by_name[field.name])
                if values is not None:
                    fill(act, field, values)
