"""The forest plot: rows of scores with intervals, beside what they are judged by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, FigureKey, TableBlock
from harness.reports.html.plots.axes import SIGNS, WIDTH, Series, keys_of, score_axis
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import percent, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TALLEST = 8.0
"""Inches of one picture: with its heading it fits on a printed page."""
_AXIS = 0.55
"""Inches that the axis and the space above take."""
_LABEL_CHARACTERS = 42
_CHARACTER = 0.073
"""Inches that a character of a label takes, at most on average."""


@dataclass(frozen=True)
class Marks:
    """What a series is judged by: a value for each row, of one of the ``MARKS``."""

    what: str
    values: Sequence[float | None]


@dataclass(frozen=True)
class _Mark:
    words: str
    sign: str
    marker: str
    colour: str
    size: float
    hollow: bool = False


MARKS = {
    "crowd": _Mark("crowd: each worker against the others", "diamond", "D", "ink", 5.5, hollow=True),
    "ceiling": _Mark("ceiling", "bar", "|", "muted", 9),
    "constant": _Mark("constant answers", "cross", "x", "muted", 4.5),
    "copy": _Mark("copied input", "plus", "+", "muted", 5.5),
    "do_nothing": _Mark("doing nothing", "point", ".", "muted", 4.5),
}
"""What ``Marks`` can be."""


def forest(
    ident: str,
    caption: str,
    rows: Sequence[str],
    series: Sequence[Series],
    marks: Sequence[Marks],
    *,
    data: TableBlock | None = None,
    line: tuple[float, str] | None = None,
) -> FigureBlock:
    """Rows of dots with intervals, first row on top.

    Args:
        ident: An id in the page.
        caption: What is to be seen.
        rows: Names.
        series: At most ``MOST_SERIES``.
        marks: What stands beside them.
        data: The numbers as a table; None if the page shows them anyway.
        line: A value that all rows are compared with, and its words.
    """
    pictures = []
    labels = [shortened(row, _LABEL_CHARACTERS) for row in rows]
    # Of all pictures alike, so that their axes stand below each other.
    left = max(0.6, _CHARACTER * max(map(len, labels), default=0) + 0.15)
    a_picture = int((TALLEST - _AXIS) / _pitch(series))
    # As many pictures as it takes, and in each as many rows: none is left over by itself.
    a_picture = math.ceil(len(rows) / math.ceil(len(rows) / a_picture)) if rows else 1
    for start in range(0, len(rows), a_picture):
        part = slice(start, start + a_picture)
        number = start // a_picture + 1
        pictures.append(
            _forest(
                f"{ident}-{number}",
                caption,
                rows[part],
                labels[part],
                series=[Series(each.name, each.dots[part]) for each in series],
                marks=[Marks(each.what, each.values[part]) for each in marks],
                left=left,
                line=line[0] if line else None,
            )
        )
    keys = keys_of(series) if series[0].name else []
    if line:
        keys.append(FigureKey("line", "muted", line[1]))
    shown = {each.what for each in marks if any(value is not None for value in each.values)}
    keys += [FigureKey(mark.sign, mark.colour, mark.words) for what, mark in MARKS.items() if what in shown]
    return FigureBlock(ident, caption, pictures, data, keys)


def _pitch(series: Sequence[Series]) -> float:
    """Inches of a row."""
    return 0.22 if len(series) == 1 else 0.13 * len(series) + 0.12


def _forest(
    ident: str,
    title: str,
    rows: Sequence[str],
    labels: Sequence[str],
    *,
    series: Sequence[Series],
    marks: Sequence[Marks],
    left: float,
    line: float | None,
) -> str:
    pitch = _pitch(series)
    right = 1.45 if len(series) == 1 else 0.25
    height = pitch * len(rows) + _AXIS
    words = FigureTexts()
    with drawing(WIDTH, height) as figure:
        axes = figure.add_axes((left / WIDTH, 0.45 / height, (WIDTH - left - right) / WIDTH, 1 - _AXIS / height))
        score_axis(axes, "x")
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [words.add(label) for label in labels], color=paint("ink"))
        axes.tick_params(axis="y", length=0, pad=8)
        axes.set_xlabel("score, per cent", color=paint("muted"))
        if line is not None:
            axes.axvline(100 * line, color=paint("muted"), linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        for mark in marks:
            _draw_marks(axes, mark)
        for place, each in enumerate(series):
            offset = (place - (len(series) - 1) / 2) * 0.13 / pitch
            _draw_series(axes, each, place, offset)
        if len(series) == 1:
            _write_numbers(axes, series[0])
        return inline(figure, ident, title, _described(rows, series), words)


def _draw_marks(axes: Axes, marks: Marks) -> None:
    look = MARKS[marks.what]
    places = [place for place, value in enumerate(marks.values) if value is not None]
    axes.plot(
        [100 * value for value in marks.values if value is not None],
        places,
        linestyle="none",
        marker=look.marker,
        markersize=look.size,
        markeredgewidth=1.2,
        color=paint(look.colour),
        markerfacecolor=paint("paper") if look.hollow else paint(look.colour),
        zorder=3,
        clip_on=False,
    )


def _draw_series(axes: Axes, series: Series, place: int, offset: float) -> None:
    colour = paint(f"series-{place + 1}")
    for row, dot in enumerate(series.dots):
        if dot.low is not None and dot.high is not None:
            axes.plot([100 * dot.low, 100 * dot.high], [row + offset] * 2, color=colour, linewidth=1.8, zorder=4)
    found = [(100 * dot.value, row + offset) for row, dot in enumerate(series.dots) if dot.value is not None]
    axes.plot(
        [x for x, _ in found],
        [y for _, y in found],
        linestyle="none",
        marker=SIGNS[place][1],
        markersize=5.5,
        color=colour,
        markeredgecolor=paint("paper"),
        markeredgewidth=0.8,
        zorder=5,
        clip_on=False,
    )


def _write_numbers(axes: Axes, series: Series) -> None:
    """The values flush right beside their rows, then their intervals."""
    beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 8.5, "annotation_clip": False}
    for row, dot in enumerate(series.dots):
        edge: Any = (101.5, row)
        axes.annotate(percent(dot.value), edge, (33, 0), ha="right", color=paint("ink"), **beside)
        if dot.low is not None and dot.high is not None:
            interval = f"{percent(dot.low)}–{percent(dot.high)}"
            axes.annotate(interval, edge, (98, 0), ha="right", color=paint("muted"), **beside)


def _described(rows: Sequence[str], series: Sequence[Series]) -> str:
    parts = []
    for each in series:
        found = [(dot.value, row) for row, dot in zip(rows, each.dots, strict=True) if dot.value is not None]
        if not found:
            continue
        (low, lowest), (high, highest) = min(found), max(found)
        whose = f"{each.name}: " if each.name else ""
        parts.append(f"{whose}from {percent(low)} per cent ({lowest}) to {percent(high)} per cent ({highest}).")
    return " ".join([f"{counted(len(rows), 'row')}.", *parts, "The numbers are in the table that follows."])
