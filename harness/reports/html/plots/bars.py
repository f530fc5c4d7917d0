"""How much of what there is: a bar for each, with its number beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, TableBlock
from harness.reports.html.plots.axes import WIDTH, without_frame
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import shortened

_ROW, _AROUND = 0.24, 0.16
"""Inches: of a bar with its gap, and above and below all of them."""
_NAME = 28
"""Characters of a name, at most."""


@dataclass(frozen=True)
class Bar:
    """One bar.

    Attributes:
        name: What is counted.
        value: How long it is; not below 0.
        words: What is written beside it.
    """

    name: str
    value: float
    words: str


def bars(ident: str, caption: str, rows: Sequence[Bar], data: TableBlock) -> FigureBlock:
    """A horizontal bar for each row, in their order.

    Args:
        ident: An id in the page.
        caption: What is to be seen.
        rows: At least one.
        data: The numbers as a table.
    """
    texts = FigureTexts()
    height = len(rows) * _ROW + 2 * _AROUND
    left = 0.25 + 0.075 * min(_NAME, max(len(row.name) for row in rows))
    most = max(row.value for row in rows) or 1
    with drawing(WIDTH, height) as figure:
        axes = figure.add_axes((left / WIDTH, _AROUND / height, (WIDTH - left - 1.3) / WIDTH, 1 - 2 * _AROUND / height))
        without_frame(axes)
        axes.set_xlim(0, most)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xticks([])
        axes.set_yticks(range(len(rows)), [texts.add(shortened(row.name, _NAME)) for row in rows])
        axes.tick_params(labelcolor=paint("ink"))
        axes.barh(range(len(rows)), [row.value for row in rows], height=0.72, color=paint("series-1"))
        axes.axvline(0, color=paint("muted"), linewidth=1.0)
        for place, row in enumerate(rows):
            where: Any = (row.value, place)
            axes.annotate(
                texts.add(row.words),
                where,
                (5, 0),
                textcoords="offset points",
                verticalalignment="center",
                color=paint("muted"),
                annotation_clip=False,
            )
        first = max(rows, key=lambda row: row.value)
        described = (
            f"{counted(len(rows), 'bar')}, the longest for {first.name}: {first.words}. "
            "The numbers are in the table that follows."
        )
        picture = inline(figure, f"{ident}-1", caption, described, texts)
    return FigureBlock(ident, caption, [picture], data)
