"""Floors that need no understanding: the form as it is, the most frequent answer, the longest text copied."""

from __future__ import annotations

from typing import ClassVar

from harness.catalog.kinds import TYPED, KindName
from harness.episode.assignment import Assignment, Page
from harness.episode.library import Actions, fill
from harness.episode.probe import Probe
from harness.scoring.answers.baselines import longest_input


class DoNothing:
    """Leaves every field as the page shows it (TurkingBench, section 4), and a website as it has opened."""

    def solve(self, page: Page, act: Actions) -> None:
        """Do nothing."""


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
