"""How many instances have which score."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, TableBlock
from harness.reports.html.plots.axes import WIDTH, without_frame
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint

BINS = 20


def histogram(ident: str, caption: str, counts: Sequence[int], data: TableBlock) -> FigureBlock:
    """How many instances have which score.

    Args:
        ident: An id in the page.
        caption: What is to be seen.
        counts: Instances in each of ``BINS`` bins of equal width; the last one holds 1, too.
        data: The numbers as a table.
    """
    with drawing(WIDTH, 2.1) as figure:
        axes = figure.add_axes((0.6 / WIDTH, 0.45 / 2.1, (WIDTH - 0.75) / WIDTH, 1.5 / 2.1))
        without_frame(axes)
        axes.set_xlim(-0.5, 100.5)
        axes.set_xticks(range(0, 101, 10))
        axes.set_ylim(0, max(1, *counts) * 1.04)
        axes.locator_params(axis="y", nbins=4, integer=True)
        axes.grid(axis="y", color=paint("rule"), linewidth=0.8)
        width = 100 / BINS
        lefts = [place * width + width / 2 for place in range(BINS)]
        axes.bar(lefts, counts, width=width * 0.86, color=paint("series-1"))
        axes.axhline(0, color=paint("muted"), linewidth=1.0)
        axes.set_xlabel("score of an instance, per cent", color=paint("muted"))
        axes.set_ylabel("instances", color=paint("muted"))
        most = max(range(BINS), key=lambda place: counts[place])
        described = (
            f"{counted(sum(counts), 'instance')}; most, {counts[most]}, between {most * width:.0f} and "
            f"{(most + 1) * width:.0f} per cent. The numbers are in the table that follows."
        )
        picture = inline(figure, f"{ident}-1", caption, described, FigureTexts())
    return FigureBlock(ident, caption, [picture], data)
