"""A floor that reads the page and understands nothing: its longest text, copied."""

from __future__ import annotations

from typing import ClassVar

from harness.catalog.kinds import TYPED, KindName
from harness.episode.assignment import Assignment
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe
from harness.scoring.answers.baselines import longest_input


class CopyInput:
    """Puts the text of the instance's longest input into every text field, and leaves all others alone."""

    kinds: ClassVar[tuple[KindName, ...]] = ("form",)

    def solve_with_key(self, assignment: Assignment, act: Actions, probe: Probe) -> None:  # noqa: ARG002 - it needs none
        """Fill every visible text field that is an answer."""
        text = longest_input(assignment.instance)
        if not text:
            return
        for field in assignment.page.fields:
            if field.visible and field.kind in TYPED:
                fill(act, field, (text,))
