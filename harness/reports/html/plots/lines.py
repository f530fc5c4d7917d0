"""Scores over what was varied: dots with intervals, joined where results differ in nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, TableBlock
from harness.reports.html.plots.axes import SIGNS, WIDTH, Dot, Series, keys_of, score_axis
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 3.5
_APART = 0.011
"""How far dots of different series stand beside each other, as a share of the axis: intervals at one place overlap."""


@dataclass(frozen=True)
class JoinedDots:
    """A series that is joined by a line.

    Attributes:
        name: Whose.
        dots: Place on the axis -> score.
    """

    name: str
    dots: Sequence[tuple[float, Dot]]


@dataclass(frozen=True)
class VariedAxis:
    """What was varied.

    Attributes:
        words: What it is.
        ticks: Places, and what they are called.
        height: What the other axis has.
    """

    words: str
    ticks: Sequence[tuple[float, str]]
    height: str = "score, per cent"


def lines(
    ident: str, caption: str, axis: VariedAxis, series: Sequence[JoinedDots], data: TableBlock | None
) -> FigureBlock:
    """Scores over places on an axis.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        axis: What was varied.
        series: At most ``MOST_SERIES``.
        data: The numbers as a table; None if they are shown elsewhere.
    """
    words = FigureTexts()
    places = [place for place, _ in axis.ticks]
    wide = max(places) - min(places) or 1.0
    with drawing(WIDTH, _HEIGHT) as figure:
        axes = figure.add_axes((0.6 / WIDTH, 0.55 / _HEIGHT, (WIDTH - 0.85) / WIDTH, (_HEIGHT - 0.7) / _HEIGHT))
        score_axis(axes, "y")
        axes.set_xlim(min(places) - 0.08 * wide, max(places) + 0.08 * wide)
        axes.set_xticks(places, [words.add(name) for _, name in axis.ticks], color=paint("ink"))
        axes.set_xlabel(axis.words, color=paint("muted"))
        axes.set_ylabel(axis.height, color=paint("muted"))
        for number, each in enumerate(series):
            _draw(axes, each, number, (number - (len(series) - 1) / 2) * _APART * wide)
        picture = inline(figure, f"{ident}-1", caption, _described(series, dict(axis.ticks)), words)
    return FigureBlock(ident, caption, [picture], data, keys_of([Series(each.name, ()) for each in series]))


def _draw(axes: Axes, series: JoinedDots, number: int, aside: float) -> None:
    colour = paint(f"series-{number + 1}")
    known = [(place + aside, dot) for place, dot in series.dots if dot.value is not None]
    for place, dot in known:
        if dot.low is not None and dot.high is not None:
            axes.plot([place, place], [100 * dot.low, 100 * dot.high], color=colour, linewidth=1.4, zorder=3)
    look: dict[str, Any] = {"color": colour, "markeredgecolor": paint("paper"), "markeredgewidth": 0.8}
    heights = [100 * (dot.value or 0.0) for _, dot in known]
    axes.plot(
        [place for place, _ in known],
        heights,
        linewidth=1.6,
        marker=SIGNS[number][1],
        markersize=7,
        zorder=4,
        clip_on=False,
        **look,
    )


def _described(series: Sequence[JoinedDots], names: dict[float, str]) -> str:
    parts = []
    for each in series:
        scores = ", ".join(f"{percent(dot.value)} per cent at {names[place]}" for place, dot in each.dots)
        parts.append(f"{each.name}: {scores}.")
    return " ".join([f"{counted(len(series), 'series', 'series')}.", *parts, "The numbers are in the table below."])
