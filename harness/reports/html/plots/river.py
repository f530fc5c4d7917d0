"""Ways through a site as a Sankey diagram: a bar for each stop, and bands as wide as many went on from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.analysis.site_flows import OTHERS, Flow, FlowStop, SiteFlows
from harness.kit.text import counted
from harness.reports.html.blocks import FigureBlock, FigureKey, TableBlock
from harness.reports.html.plots.axes import WIDTH, without_frame
from harness.reports.html.plots.svg import FigureTexts, drawing, inline, paint
from harness.reports.wording import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PAINTS = {"place": "series-1", "reached": "series-4", "missed": "series-2", "unknown": "muted"}
_BAR = 0.09
"""Width of a stop, in columns."""
_GAP = 0.275
"""Inches between stops of one column: room for the name of the lower one."""
_EPISODES = 1.7
"""Inches that all episodes are high."""
_NAME = 15


@dataclass(frozen=True)
class _Span:
    """Where a stop stands: its top and its bottom, in inches from the top."""

    top: float
    bottom: float


def river(ident: str, caption: str, shown: SiteFlows, data: TableBlock) -> FigureBlock:
    """The ways of episodes, from left to right.

    Args:
        ident: An id in the page.
        caption: What is to be seen, and how to read it.
        shown: At least one flow.
        data: The numbers as a table.
    """
    words = FigureTexts()
    sizes = _sizes(shown.flows)
    spans = _spans(sizes, shown.flows, _EPISODES / shown.episodes)
    columns = 1 + max(stop.column for stop in sizes)
    deepest = max(span.bottom for span in spans.values())
    height = deepest + 0.5
    width = min(WIDTH, 1.5 * columns)
    with drawing(width, height) as figure:
        axes = figure.add_axes((0.01, 0.0, 0.98, 1.0))
        without_frame(axes)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_xlim(0, columns)
        axes.set_ylim(deepest + 0.1, -0.4)
        _bands(axes, shown.flows, spans, _EPISODES / shown.episodes)
        for stop, span in spans.items():
            colour = paint(_PAINTS[stop.kind])
            axes.barh((span.top + span.bottom) / 2, _BAR, left=stop.column, height=span.bottom - span.top, color=colour)
            name = words.add(f"{shortened(stop.name, _NAME)} {sizes[stop]}")
            axes.text(stop.column, span.top - 0.06, name, fontsize=8, color=paint("ink"))
        described = (
            f"{counted(shown.episodes, 'episode')} and {counted(len(shown.flows), 'flow')}, which the table below has."
        )
        picture = inline(figure, f"{ident}-1", caption, described, words)
    kinds = {stop.kind for stop in sizes}
    keys = [("place", "a part of the site"), ("reached", "the goal was reached"), ("missed", "it was not")]
    keys.append(("unknown", "whether is not known"))
    signs = [FigureKey("square", _PAINTS[kind], said) for kind, said in keys if kind in kinds]
    return FigureBlock(ident, caption, [picture], data, signs)


def _sizes(flows: Sequence[Flow]) -> dict[FlowStop, int]:
    """How many episodes stop where."""
    out: dict[FlowStop, int] = {}
    into: dict[FlowStop, int] = {}
    for flow in flows:
        out[flow.start] = out.get(flow.start, 0) + flow.episodes
        into[flow.end] = into.get(flow.end, 0) + flow.episodes
    return {stop: max(out.get(stop, 0), into.get(stop, 0)) for stop in sorted({*out, *into})}


def _spans(sizes: Mapping[FlowStop, int], flows: Sequence[Flow], scale: float) -> dict[FlowStop, _Span]:
    """Each stop as high as where its episodes come from, so that few bands cross; then the others and the ends."""
    spans: dict[FlowStop, _Span] = {}

    def height_of_sources(stop: FlowStop) -> float:
        sources = [(spans[flow.start], flow.episodes) for flow in flows if flow.end == stop]
        episodes = sum(number for _, number in sources)
        return sum(span.top * number for span, number in sources) / episodes if episodes else 0.0

    for column in sorted({stop.column for stop in sizes}):
        stops = [stop for stop in sizes if stop.column == column]
        stops.sort(
            key=lambda each: (each.kind != "place", each.name == OTHERS, height_of_sources(each), -sizes[each], each)
        )
        top = 0.0
        for stop in stops:
            spans[stop] = _Span(top, top + scale * sizes[stop])
            top = spans[stop].bottom + _GAP
    return spans


def _bands(axes: Axes, flows: Sequence[Flow], spans: Mapping[FlowStop, _Span], scale: float) -> None:
    from matplotlib.patches import PathPatch  # noqa: PLC0415 - as in svg.py
    from matplotlib.path import Path  # noqa: PLC0415

    left = {stop: span.top for stop, span in spans.items()}
    right = dict(left)
    # In the order of where they lead, so that bands of one stop do not cross.
    for flow in sorted(flows, key=lambda each: (each.start.column, spans[each.start].top, spans[each.end].top)):
        thick = scale * flow.episodes
        x0, x1 = flow.start.column + _BAR, float(flow.end.column)
        y0, y1 = left[flow.start], right[flow.end]
        left[flow.start] += thick
        right[flow.end] += thick
        half = (x0 + x1) / 2
        corners = [
            *((x0, y0), (half, y0), (half, y1), (x1, y1)),
            *((x1, y1 + thick), (half, y1 + thick), (half, y0 + thick), (x0, y0 + thick), (x0, y0)),
        ]
        codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        colour = paint(_PAINTS[flow.end.kind])
        axes.add_patch(PathPatch(Path(corners, codes), facecolor=colour, alpha=0.28, linewidth=0, zorder=1))
