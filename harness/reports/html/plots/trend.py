"""Points over a logarithmic axis, with a line through them and the band in which the line may lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.reports.html.blocks import FigureBlock, FigureKey, TableBlock
from harness.reports.html.plots.axes import SIGNS, WIDTH, Series, keys_of, score_axis
from harness.reports.html.plots.scatter import Point
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.text.numbers import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 3.9


@dataclass(frozen=True)
class Trend:
    """Points and their line.

    Attributes:
        name: Whose.
        points: The points; x is an amount above 0, y a share of 1.
        line: Along the line: x, and its height; empty if there is none.
        band: The lowest and the highest that it may be at the same places; empty if it has no limits.
    """

    name: str
    points: Sequence[Point]
    line: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]]


def trend(ident: str, caption: str, axis: str, series: Sequence[Trend], data: TableBlock) -> FigureBlock:
    """Scores over amounts.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        axis: What the amounts are.
        series: At most ``MOST_SERIES``.
        data: The numbers as a table.
    """
    amounts = [point.x for each in series for point in each.points]
    with drawing(WIDTH, _HEIGHT) as figure:
        axes = figure.add_axes((0.6 / WIDTH, 0.55 / _HEIGHT, (WIDTH - 0.85) / WIDTH, (_HEIGHT - 0.7) / _HEIGHT))
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
        for place, each in enumerate(series):
            _draw(axes, each, place)
        described = f"{counted(len(amounts), 'point')}. The numbers are in the table that follows."
        picture = inline(figure, f"{ident}-1", caption, described, FigureTexts())
    keys = keys_of([Series(each.name, ()) for each in series]) if len(series) > 1 else []
    if any(each.line for each in series):
        keys.append(FigureKey("fit", "ink", "line of best fit"))
    if any(each.band for each in series):
        keys.append(FigureKey("band", "ink", "where the line may lie, 95 % at each place"))
    return FigureBlock(ident, caption, [picture], data, keys)


def _ticks(low: float, high: float) -> list[float]:
    """Round amounts, each about twice the one before or more."""
    spread = math.log10(high / low) if high > low else 0.0
    steps = (1, 2, 5) if spread > 1 else (1, 1.5, 2, 3, 4, 5, 7)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    found = [step * 10**power for power in powers for step in steps]
    return [tick for tick in found if low / 1.1 <= tick <= high * 1.1] or [low]


def _draw(axes: Axes, series: Trend, place: int) -> None:
    colour = paint(f"series-{place + 1}")
    if series.band:
        xs = [x for x, _ in series.line]
        lows, highs = (
            [min(max(100 * limit, -1.5), 101.5) for limit in limits] for limits in zip(*series.band, strict=True)
        )
        axes.fill_between(xs, lows, highs, color=colour, alpha=0.14, linewidth=0, zorder=2)
    if series.line:
        axes.plot([x for x, _ in series.line], [100 * y for _, y in series.line], color=colour, linewidth=1.8, zorder=3)
    axes.plot(
        [point.x for point in series.points],
        [100 * point.y for point in series.points],
        linestyle="none",
        marker=SIGNS[place][1],
        markersize=6,
        color=colour,
        markeredgecolor=paint("paper"),
        markeredgewidth=0.8,
        zorder=4,
        clip_on=False,
    )
