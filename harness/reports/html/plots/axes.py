"""What the figures of a report share: dots with intervals, signs and colours of series, the axis of scores.

Scores come in as 0 to 1, and are drawn in per cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.reports.html.blocks import FigureKey
from harness.reports.html.plots.svg import paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 9.0
"""Inches of a figure that fills the page."""
MOST_SERIES = 4

SIGNS = (("circle", "o"), ("square", "s"), ("triangle", "^"), ("wedge", "v"))
"""The shape of each series: its name in a key, and that of matplotlib."""


@dataclass(frozen=True)
class Dot:
    """A number with its interval, where there is one; nothing is drawn for a value of None."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """What is compared: a dot for each row.

    Attributes:
        name: Whose.
        dots: One a row.
    """

    name: str
    dots: Sequence[Dot]


def keys_of(series: Sequence[Series]) -> list[FigureKey]:
    """The key of the series' shapes and colours."""
    return [
        FigureKey(sign, f"series-{place}", each.name)
        for place, (each, (sign, _)) in enumerate(zip(series, SIGNS, strict=False), start=1)
    ]


def score_axis(axes: Axes, which: str) -> None:
    """An axis from 0 to 100 with light lines, and no frame."""
    limits, ticks = (-1.5, 101.5), range(0, 101, 20)
    if which == "x":
        axes.set_xlim(*limits)
        axes.set_xticks(ticks)
    else:
        axes.set_ylim(*limits)
        axes.set_yticks(ticks)
    without_frame(axes)
    axes.grid(axis="x" if which == "x" else "y", color=paint("rule"), linewidth=0.8)


def without_frame(axes: Axes) -> None:
    """Take away the frame and the ticks."""
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(color=paint("rule"), labelcolor=paint("muted"), length=0)
