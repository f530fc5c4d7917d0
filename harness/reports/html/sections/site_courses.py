"""What the section about websites shows of the courses of episodes: key nodes by step, and ways through the sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.analysis.site_courses import EpisodeCourse, NodeCurve, NodeTiming, curve_of, timings_of
from harness.analysis.site_flows import SiteFlows, flows_of
from harness.analysis.site_groups import in_order
from harness.kit.text import NOTHING
from harness.reports.html.blocks import Block, FigureBlock, FoldBlock, GridBlock, HeadingBlock, TableBlock, TableColumn
from harness.reports.html.plots.axes import MOST_SERIES
from harness.reports.html.plots.heat import heat_map
from harness.reports.html.plots.river import river
from harness.reports.html.plots.staircase import Staircase, staircases
from harness.reports.wording import count, percent, plural

MOST_SITES = 8
"""Sites with figures of their own, those with the most episodes first."""
_MOST_COLUMNS = 20
"""Columns of a heat map for steps; more steps share one."""
_MOST_ROWS = 40
_MOST_FLOWS = 60


@dataclass(frozen=True)
class NamedCourses:
    """The episodes of a result, or some of them.

    Attributes:
        name: Whose.
        courses: How they went.
    """

    name: str
    courses: Sequence[EpisodeCourse]

    def of(self, site: str, level: str = "") -> NamedCourses:
        """Those on one site, and of one level if one is given."""
        chosen = [each for each in self.courses if each.site == site and (not level or each.level == level)]
        return NamedCourses(self.name, chosen)


def course_blocks(results: Sequence[NamedCourses]) -> Iterator[Block]:
    """Key nodes by step, and ways through the sites; nothing of the first where no task has key nodes.

    Args:
        results: At least one; those with the same name are told apart by their order.
    """
    sites = _sites(results)
    if any(course.nodes for each in results for course in each.courses):
        yield HeadingBlock("Key nodes by step", "sites-curves")
        yield from filter(None, [_curves("sites-curve", "on all sites", results)])
        yield from _curves_by_site(results, sites)
        yield from _heat_maps(results, sites)
    yield HeadingBlock("Ways through the sites", "sites-ways")
    yield from _rivers(results, sites)


def _sites(results: Sequence[NamedCourses]) -> list[str]:
    courses = [course.site for each in results for course in each.courses]
    return sorted(sorted({*courses}), key=courses.count, reverse=True)[:MOST_SITES]


def _levels(results: Sequence[NamedCourses], site: str) -> list[str]:
    return in_order(course.level for each in results for course in each.of(site).courses)


def _curves(ident: str, what: str, results: Sequence[NamedCourses], *, small: bool = False) -> FigureBlock | None:
    curves = [(each.name, curve_of(each.courses)) for each in results]
    shown = [Staircase(name, curve.points) for name, curve in curves if curve.points]
    if not shown:
        return None
    caption = f"Share of key nodes met by each step, {what}."
    if not small:
        caption += (
            " A node that was not met is cut off (a stroke) where a limit or an error ended its episode; where the "
            "agent itself ended it, it counts to the end as not met. Below the axis: how many are left that may still "
            "be met."
        )
    if len(shown) > MOST_SERIES:
        caption += f" Of {len(shown)} results the first {MOST_SERIES} are drawn; the table has all."
    return staircases(ident, caption, shown[:MOST_SERIES], _curve_table(what, curves), small=small)


def _curve_table(what: str, curves: Sequence[tuple[str, NodeCurve]]) -> TableBlock:
    columns = [TableColumn("step", "words")]
    for name, _ in curves:
        columns += [
            TableColumn(f"{name}: met, per cent"),
            TableColumn("left"),
            TableColumn("met"),
            TableColumn("cut off"),
        ]
    points = [{point.at: point for point in curve.points} for _, curve in curves]
    telling = {at for each in points for at, point in each.items() if point.happened or point.censored or at == 0}
    rows = []
    for step in sorted(telling):
        row = [str(step) if step else "before the first"]
        for each in points:
            point = each.get(step)
            row += (
                [percent(point.share), count(point.at_risk), count(point.happened), count(point.censored)]
                if point
                else [NOTHING] * 4
            )
        rows.append(row)
    left_out = [
        f"{name}: {count(curve.nodes)} key nodes, besides {count(curve.unknown)} that nobody could judge and "
        f"{count(curve.untimed)} that are not known by step."
        for name, curve in curves
    ]
    more = " ".join([*left_out, "Steps at which nothing changes are left out."])
    return TableBlock(f"Share of key nodes met by each step, {what}", columns, rows, more)


def _curves_by_site(results: Sequence[NamedCourses], sites: Sequence[str]) -> Iterator[Block]:
    for number, site in enumerate(sites, start=1):
        levels = _levels(results, site)
        parts = [("", f"on {site}")] if len(sites) > 1 else []
        parts += [(level, f"on {site}, level {level}") for level in levels] if len(levels) > 1 else []
        figures = [
            _curves(f"sites-curve-{number}-{place}", what, [each.of(site, level) for each in results], small=True)
            for place, (level, what) in enumerate(parts, start=1)
        ]
        if shown := [figure for figure in figures if figure]:
            yield FoldBlock(f"Key nodes by step on {site}, by level", [GridBlock(shown)])


def _heat_maps(results: Sequence[NamedCourses], sites: Sequence[str]) -> Iterator[Block]:
    for number, site in enumerate(sites, start=1):
        figures = []
        for place, each in enumerate(results, start=1):
            if timings := timings_of(each.of(site).courses):
                named = f"{site}: {each.name}" if len(results) > 1 else site
                figures.append(_heat_map(f"sites-heat-{number}-{place}", named, timings))
        if figures:
            yield FoldBlock(f"Which key node at which step on {site}", figures)


def _heat_map(ident: str, named: str, timings: Sequence[NodeTiming]) -> FigureBlock:
    last = max((step for timing in timings for step in timing.met), default=0)
    wide = -(-max(last, 1) // _MOST_COLUMNS)
    bins = [(0, 0), *((first, min(first + wide - 1, last)) for first in range(1, last + 1, wide))]
    names = ["0", *(str(low) if low == high else f"{low}–{high}" for low, high in bins[1:]), "never", "?"]
    rows = []
    for timing in timings[:_MOST_ROWS]:
        counts = [sum(n for step, n in timing.met.items() if low <= step <= high) for low, high in bins]
        rows.append((f"{timing.level}, node {timing.number}", [*counts, timing.missed, timing.unknown]))
    caption = (
        f"In how many episodes each key node was met first at which step, on {named}. Nodes are in the order of their "
        "task; 0 is before the first step, ? that it is not known whether or when."
    )
    if wide > 1:
        caption += f" A column holds {wide} steps, from the one that it names."
    columns = [TableColumn("key node", "words"), *map(TableColumn, names)]
    hidden = len(timings) - len(rows)
    more = f"{plural(hidden, 'key node')} not shown." if hidden else ""
    data = TableBlock(
        f"Steps of key nodes on {named}", columns, [[name, *map(count, each)] for name, each in rows], more
    )
    # In the picture there is no room for both ends of a range.
    return heat_map(ident, caption, ["0", *(str(low) for low, _ in bins[1:]), "never", "?"], rows, data)


def _rivers(results: Sequence[NamedCourses], sites: Sequence[str]) -> Iterator[Block]:
    for number, site in enumerate(sites, start=1):
        figures: list[Block] = []
        for place, each in enumerate(results, start=1):
            for level in _levels([each], site):
                flows = flows_of(each.of(site, level).courses)
                named = f"{site}, level {level}" + (f": {each.name}" if len(results) > 1 else "")
                if flows.flows:
                    figures.append(_river(f"sites-way-{number}-{place}-{len(figures)}", named, flows))
        if figures:
            yield FoldBlock(f"Ways through {site}, by level", figures)


def _river(ident: str, named: str, flows: SiteFlows) -> FigureBlock:
    caption = (
        f"From which part of the site to which, on {named}; by the first part of the address, from left to right, the "
        "number of episodes behind each name."
    )
    if flows.nowhere:
        caption += f" Of {plural(flows.nowhere, 'more episode')} no visit is known."
    columns = [TableColumn("from", "words"), TableColumn("visit"), TableColumn("to", "words"), TableColumn("episodes")]
    rows = [
        [flow.start.name, str(flow.start.column + 1), flow.end.name, count(flow.episodes)]
        for flow in flows.flows[:_MOST_FLOWS]
    ]
    hidden = len(flows.flows) - len(rows)
    more = f"{plural(hidden, 'flow')} not shown." if hidden else ""
    return river(ident, caption, flows, TableBlock(f"Ways through {named}", columns, rows, more))
