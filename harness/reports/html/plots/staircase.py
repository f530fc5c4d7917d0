"""Shares that grow step by step, with how many are still watched below the axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.kit.statistics.incidence import IncidencePoint
from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, TableBlock
from harness.reports.html.plots.axes import SIGNS, WIDTH, Series, keys_of, score_axis
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = 8
_ROW = 0.17
"""Inches of a row of numbers below the axis."""


@dataclass(frozen=True)
class Staircase:
    """A series.

    Attributes:
        name: Whose.
        points: By step, from 0; at least one.
    """

    name: str
    points: Sequence[IncidencePoint]


def staircases(
    ident: str, caption: str, series: Sequence[Staircase], data: TableBlock, *, small: bool = False
) -> FigureBlock:
    """Shares by step.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        series: At most ``MOST_SERIES``, and at least one.
        data: The numbers as a table.
        small: Half as wide as the page.
    """
    last = max(1, *(each.points[-1].at for each in series))
    below = 0.75 + _ROW * len(series)
    width, height = (WIDTH / 2, 2.3 + below) if small else (WIDTH, 2.9 + below)
    with drawing(width, height) as figure:
        axes = figure.add_axes((0.75 / width, below / height, (width - 0.95) / width, 1 - (below + 0.15) / height))
        score_axis(axes, "y")
        axes.set_xlim(-0.02 * last, 1.02 * last)
        ticks = _ticks(last)
        axes.set_xticks(ticks)
        axes.set_xlabel("step", color=paint("muted"), labelpad=1)
        axes.set_ylabel("key nodes met, per cent", color=paint("muted"))
        for number, each in enumerate(series):
            _draw(axes, each, number, last)
            _at_risk(axes, each, number, ticks)
        picture = inline(figure, f"{ident}-1", caption, _described(series), FigureTexts())
    return FigureBlock(ident, caption, [picture], data, keys_of([Series(each.name, ()) for each in series]))


def _ticks(last: int) -> list[int]:
    apart = max(1, -(-last // _TICKS))
    return list(range(0, last + 1, apart))


def _draw(axes: Axes, series: Staircase, number: int, last: int) -> None:
    colour = paint(f"series-{number + 1}")
    steps = [point.at for point in series.points]
    heights = [100 * point.share for point in series.points]
    # Who is still watched when nothing happens any more stays where it is.
    if steps[-1] < last and series.points[-1].at_risk > series.points[-1].happened + series.points[-1].censored:
        steps, heights = [*steps, last], [*heights, heights[-1]]
    axes.step(steps, heights, where="post", color=colour, linewidth=1.8, zorder=3, clip_on=False)
    look: dict[str, Any] = {"color": colour, "markeredgecolor": paint("paper"), "markeredgewidth": 0.8}
    rises = [(point.at, 100 * point.share) for point in series.points if point.happened]
    axes.plot(
        [step for step, _ in rises],
        [height for _, height in rises],
        linestyle="none",
        marker=SIGNS[number][1],
        markersize=5.5,
        zorder=4,
        clip_on=False,
        **look,
    )
    cuts = [(point.at, 100 * point.share) for point in series.points if point.censored]
    axes.plot(
        [step for step, _ in cuts],
        [height for _, height in cuts],
        linestyle="none",
        marker="|",
        markersize=9,
        color=colour,
        zorder=5,
        clip_on=False,
    )


def _at_risk(axes: Axes, series: Staircase, number: int, ticks: Sequence[int]) -> None:
    """A row below the axis: how many key nodes can still be met at each step that is named."""
    by_step = {point.at: point.at_risk for point in series.points}
    end = series.points[-1]
    after = end.at_risk - end.happened - end.censored
    row = -34 - 12.5 * number
    for tick in ticks:
        where: Any = (tick, 0)
        axes.annotate(
            str(by_step.get(tick, after)),
            where,
            (0, row),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            horizontalalignment="center",
            color=paint(f"series-{number + 1}"),
            fontsize=8,
            annotation_clip=False,
        )
    if not number:
        axes.annotate(
            "left",
            (0, 0),
            (-40, row),
            xycoords="axes fraction",
            textcoords="offset points",
            color=paint("muted"),
            fontsize=8,
            annotation_clip=False,
        )


def _described(series: Sequence[Staircase]) -> str:
    parts = [f"{each.name}: {percent(each.points[-1].share)} per cent at step {each.points[-1].at}." for each in series]
    return " ".join([f"{counted(len(series), 'series', 'series')}.", *parts, "The numbers are in the table below."])
