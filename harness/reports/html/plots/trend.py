"""Points over a logarithmic axis, with a line through them and the band in which the line may lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, FigureKey, TableBlock
from harness.reports.html.plots.axes import WIDTH, score_axis
from harness.reports.html.plots.scatter import Point
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Trend:
    """Points and their line.

    Attributes:
        points: The points; x is an amount above 0, y a share of 1.
        line: Along the line: x, and its height; empty if there is none.
        band: The lowest and the highest that it may be at the same places; empty if it has no limits.
    """

    points: Sequence[Point]
    line: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]]


def trend(ident: str, caption: str, axis: str, shown: Trend, data: TableBlock, *, small: bool = False) -> FigureBlock:
    """Scores over amounts.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        axis: What the amounts are.
        shown: The points and their line.
        data: The numbers as a table.
        small: Half as wide as the page.
    """
    amounts = [point.x for point in shown.points]
    width, height = (WIDTH / 2, 3.2) if small else (WIDTH, 3.9)
    with drawing(width, height) as figure:
        axes = figure.add_axes((0.6 / width, 0.55 / height, (width - 0.85) / width, (height - 0.7) / height))
        score_axis(axes, "y")
        axes.set_xscale("log", base=2)
        axes.set_xlim(min(amounts) / 1.15, max(amounts) * 1.15)
        ticks = _ticks(min(amounts), max(amounts))
        axes.set_xticks(ticks, [f"{tick:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}") for tick in ticks])
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.tick_params(which="both", length=0)
        axes.grid(axis="x", which="major", color=paint("rule"), linewidth=0.8)
        axes.set_xlabel(axis, color=paint("muted"))
        axes.set_ylabel("score, per cent", color=paint("muted"))
        _draw(axes, shown)
        described = f"{counted(len(amounts), 'point')}. The numbers are in the table that follows."
        picture = inline(figure, f"{ident}-1", caption, described, FigureTexts())
    keys = [FigureKey("fit", "series-1", "line of best fit")] if shown.line else []
    if shown.band:
        keys.append(FigureKey("band", "series-1", "where it may lie: 95 % at each place"))
    return FigureBlock(ident, caption, [picture], data, keys)


def _ticks(low: float, high: float) -> list[float]:
    """Round amounts, each about twice the one before or more."""
    spread = math.log10(high / low) if high > low else 0.0
    steps = (1, 2, 5) if spread > 1 else (1, 1.5, 2, 3, 4, 5, 7)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    found = [step * 10**power for power in powers for step in steps]
    return [tick for tick in found if low / 1.1 <= tick <= high * 1.1] or [low]


def _draw(axes: Axes, shown: Trend) -> None:
    colour = paint("series-1")
    places = [x for x, _ in shown.line]
    if shown.band:
        # What is off the axis is cut, so that nothing is drawn over what stands beside it.
        low, high = ([min(max(100 * each, -1.5), 101.5) for each in limits] for limits in zip(*shown.band, strict=True))
        axes.fill_between(places, low, high, color=colour, alpha=0.14, linewidth=0, zorder=2)
    if shown.line:
        axes.plot(places, [100 * y for _, y in shown.line], color=colour, linewidth=1.8, zorder=3)
    axes.plot(
        [point.x for point in shown.points],
        [100 * point.y for point in shown.points],
        linestyle="none",
        marker="o",
        markersize=6,
        color=colour,
        markeredgecolor=paint("paper"),
        markeredgewidth=0.8,
        zorder=4,
        clip_on=False,
    )
