"""How often what happened when: a grid of cells, the darker the more, each with its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, TableBlock
from harness.reports.html.plots.axes import WIDTH, without_frame
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import shortened

_ROW, _COLUMN = 0.26, 0.36
_NAME = 26
"""Characters of a row's name, at most."""
_LIGHTEST, _DARKEST = 0.1, 0.5
"""How much of the colour is over the paper: the number in the cell stays readable on both schemes."""


def heat_map(
    ident: str, caption: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]], data: TableBlock
) -> FigureBlock:
    """A cell for each row and column.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        columns: Their names.
        rows: Name, and a number for each column; at least one row.
        data: The numbers as a table.
    """
    texts = FigureTexts()
    left = 0.2 + 0.075 * min(_NAME, max(len(name) for name, _ in rows))
    width = min(WIDTH, left + _COLUMN * len(columns) + 0.2)
    height = len(rows) * _ROW + 0.6
    most = max((number for _, numbers in rows for number in numbers), default=0) or 1
    with drawing(width, height) as figure:
        axes = figure.add_axes((left / width, 0.5 / height, (width - left - 0.15) / width, len(rows) * _ROW / height))
        without_frame(axes)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xticks(range(len(columns)), [texts.add(name) for name in columns])
        axes.set_yticks(range(len(rows)), [texts.add(shortened(name, _NAME)) for name, _ in rows])
        axes.tick_params(axis="x", labelsize=7.5)
        axes.tick_params(axis="y", labelcolor=paint("ink"))
        axes.set_xlabel("step", color=paint("muted"), labelpad=1)
        for place, (_, numbers) in enumerate(rows):
            axes.axhline(place + 0.5, color=paint("rule"), linewidth=0.6, zorder=1)
            for column, number in enumerate(numbers):
                if number:
                    shade = _LIGHTEST + (_DARKEST - _LIGHTEST) * number / most
                    bar: dict[str, Any] = {"color": paint("series-1"), "alpha": shade, "linewidth": 0}
                    axes.barh(place, 0.94, left=column - 0.47, height=0.88, zorder=2, **bar)
                    axes.text(
                        column,
                        place,
                        str(number),
                        horizontalalignment="center",
                        verticalalignment="center",
                        fontsize=8,
                        color=paint("ink"),
                        zorder=3,
                    )
        described = (
            f"{counted(len(rows), 'row')} by {counted(len(columns), 'column')}. The numbers are in the table below."
        )
        picture = inline(figure, f"{ident}-1", caption, described, texts)
    return FigureBlock(ident, caption, [picture], data)
