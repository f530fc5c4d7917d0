"""What help does, in words and numbers for people: a row a measure, for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.catalog.annotations.help_effect import HelpEffect, MeasuredHelp
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, aligned, percent, points

HEADINGS = ("measure", "with help", "without", "difference", "95 % interval", "workers")


@dataclass(frozen=True)
class HelpRow:
    """One measure as text.

    Attributes:
        measure: What is measured, and in what.
        helped: Mean over workers with help.
        alone: Mean over them without.
        difference: With help less without.
        interval: Of the difference.
        workers: On how many workers it rests.
    """

    measure: str
    helped: str
    alone: str
    difference: str
    interval: str
    workers: str

    @property
    def cells(self) -> tuple[str, ...]:
        """Its cells under ``HEADINGS``."""
        return (self.measure, self.helped, self.alone, self.difference, self.interval, self.workers)


def help_rows(effect: HelpEffect) -> list[HelpRow]:
    """The measures of what help does."""
    return [
        _row("seconds an assignment", effect.seconds, _seconds, lambda value: _seconds(value, sign="+")),
        _row("answers as others', who had no help, %", effect.with_people, percent, points),
        _row("answers as the run's, %", effect.with_run, percent, points),
    ]


def help_text(effect: HelpEffect) -> str:
    """The measures as a table for a terminal."""
    return aligned([HEADINGS, *(row.cells for row in help_rows(effect))])


def _row(
    measure: str,
    found: MeasuredHelp,
    mean: Callable[[float | None], str],
    difference: Callable[[float | None], str],
) -> HelpRow:
    return HelpRow(
        measure,
        mean(found.helped.value),
        mean(found.alone.value),
        difference(found.difference.value),
        _interval(found.difference, difference),
        str(found.workers),
    )


def _interval(estimate: Estimate, write: Callable[[float | None], str]) -> str:
    return NOTHING if estimate.low is None else f"{write(estimate.low)} to {write(estimate.high)}"


def _seconds(value: float | None, sign: str = "") -> str:
    return NOTHING if value is None else f"{value:{sign}.1f}"
