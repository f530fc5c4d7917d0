"""Results as points: the solver's score over the crowd's, and the score over what it cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, FigureKey, TableBlock
from harness.reports.html.plots.axes import MOST_SERIES, SIGNS, WIDTH, Dot, Series, keys_of, score_axis
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import percent, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NUMBERED = 8
"""Points of a scatter that are named: those furthest from the diagonal."""
_FAR = 0.05


@dataclass(frozen=True)
class Point:
    """A point of a scatter.

    Attributes:
        name: Of what.
        x: Share of 1.
        y: Share of 1.
    """

    name: str
    x: float
    y: float


def against(
    ident: str,
    caption: str,
    axes_words: tuple[str, str],
    series: Sequence[tuple[str, Sequence[Point]]],
    data: TableBlock,
) -> FigureBlock:
    """Points over two scores with the diagonal where both are equal; those furthest from it are numbered and named."""
    words = FigureTexts()
    furthest = sorted(
        ((each, place) for place, (_, points) in enumerate(series) for each in points),
        key=lambda found: (-abs(found[0].y - found[0].x), found[0].name, found[1]),
    )
    named = [found for found in furthest[:NUMBERED] if abs(found[0].y - found[0].x) >= _FAR]
    with drawing(5.6, 5.1) as figure:
        axes = figure.add_axes((0.6 / 5.6, 0.5 / 5.1, 4.45 / 5.6, 4.45 / 5.1))
        score_axis(axes, "x")
        score_axis(axes, "y")
        axes.grid(axis="both", color=paint("rule"), linewidth=0.8)
        axes.plot([0, 100], [0, 100], color=paint("muted"), linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        axes.set_xlabel(axes_words[0], color=paint("muted"))
        axes.set_ylabel(axes_words[1], color=paint("muted"))
        for place, (_, points) in enumerate(series):
            _draw_points(axes, points, place)
        for number, (point, _) in enumerate(named, start=1):
            where: Any = (100 * point.x, 100 * point.y)
            axes.annotate(
                str(number), where, (6, 3), textcoords="offset points", fontsize=8, color=paint("ink"), zorder=6
            )
        below = sum(point.y < point.x for _, points in series for point in points)
        total = sum(len(points) for _, points in series)
        described = (
            f"{counted(total, 'point')}, {below} of them below the diagonal. The numbers are in the table that follows."
        )
        picture = inline(figure, f"{ident}-1", caption, described, words)
    keys = keys_of([Series(name, ()) for name, _ in series]) if len(series) > 1 else []
    whose = [f"{series[place][0]}, " if len(series) > 1 else "" for _, place in named]
    notes = [
        f"{point.name}: {who}{percent(point.y)} against {percent(point.x)}"
        for (point, _), who in zip(named, whose, strict=True)
    ]
    return FigureBlock(ident, caption, [picture], data, [*keys, FigureKey("line", "muted", "equal scores")], notes)


def _draw_points(axes: Axes, points: Sequence[Point], place: int) -> None:
    axes.plot(
        [100 * point.x for point in points],
        [100 * point.y for point in points],
        linestyle="none",
        marker=SIGNS[place][1],
        markersize=6,
        color=paint(f"series-{place + 1}"),
        markeredgecolor=paint("paper"),
        markeredgewidth=0.8,
        zorder=4,
        clip_on=False,
    )


def cost_against_score(
    ident: str, caption: str, points: Sequence[tuple[str, float, Dot]], data: TableBlock, unit: str
) -> FigureBlock:
    """Scores with intervals over what they cost.

    Args:
        ident: An id in the page.
        caption: What is to be seen.
        points: Name, US dollars, score.
        data: The numbers as a table.
        unit: What the dollars are for.
    """
    words = FigureTexts()
    costs = [cost for _, cost, _ in points]
    with drawing(WIDTH, 3.6) as figure:
        axes = figure.add_axes((0.6 / WIDTH, 0.5 / 3.6, (WIDTH - 1.0) / WIDTH, 3.0 / 3.6))
        score_axis(axes, "y")
        axes.grid(axis="x", color=paint("rule"), linewidth=0.8)
        if min(costs) > 0 and max(costs) > 10 * min(costs):
            axes.set_xscale("log")
            axes.set_xlim(
                10 ** math.floor(math.log10(min(costs) * 0.99)), 10 ** math.ceil(math.log10(max(costs) * 1.5))
            )
        else:
            axes.set_xlim(0, max(costs) * 1.3 or 1)
        # Numbers in plain text: an exponent would be set as a formula.
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:.6g}")
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.tick_params(which="both", length=0)
        axes.set_xlabel(f"US dollars {unit}", color=paint("muted"))
        axes.set_ylabel("score, per cent", color=paint("muted"))
        for place, (name, cost, dot) in enumerate(points):
            if dot.value is None:
                continue
            # Names stand beside the points, so that there may be more points than signs.
            look = place % MOST_SERIES
            colour = paint(f"series-{look + 1}")
            if dot.low is not None and dot.high is not None:
                axes.plot([cost, cost], [100 * dot.low, 100 * dot.high], color=colour, linewidth=1.8, zorder=3)
            axes.plot([cost], [100 * dot.value], marker=SIGNS[look][1], markersize=7, color=colour, zorder=4)
            where: Any = (cost, 100 * dot.value)
            axes.annotate(
                words.add(shortened(name, 30)),
                where,
                (8, 4),
                textcoords="offset points",
                color=paint("ink"),
                annotation_clip=False,
            )
        described = f"{counted(len(points), 'result')}. The numbers are in the table that follows."
        picture = inline(figure, f"{ident}-1", caption, described, words)
    return FigureBlock(ident, caption, [picture], data)
