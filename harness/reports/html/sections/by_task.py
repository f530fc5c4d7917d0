"""Sections about parts of the task set: tasks, splits, kinds of field, and the scores of single instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.analysis.aggregation import PartName
from harness.analysis.result_numbers import GroupNumbers
from harness.reports.html.blocks import (
    Block,
    FigureBlock,
    HeadingBlock,
    ParagraphBlock,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.axes import Dot, Series
from harness.reports.html.plots.forest import Marks, forest
from harness.reports.html.plots.histogram import BINS, histogram
from harness.reports.html.sections.headline import dot, floor_scores, series_of
from harness.reports.reported import Reported
from harness.reports.wording import count, interval, percent, plural, points, shortened

MOST_TASKS = 400
"""Tasks that are drawn and listed."""
_NO_DOT = Dot(None)


@dataclass(frozen=True)
class _Groups:
    """What one figure is of.

    Attributes:
        results: Whose numbers: as many as fit into a figure.
        key: Which of their groups.
        names: Its groups, in order.
        one: What a group is called.
        title: The caption of the table.
        words: Name -> how it is shown, if otherwise.
        more: What is not shown; empty if all is.
    """

    results: Sequence[Reported]
    key: PartName
    names: Sequence[str]
    one: str
    title: str
    words: Mapping[str, str] = field(default_factory=dict)
    more: str = ""

    def of(self, result: Reported) -> list[GroupNumbers | None]:
        """The numbers of one result."""
        groups = result.numbers.groups.parts(self.key)
        return [groups.get(name) for name in self.names]

    @property
    def labels(self) -> list[str]:
        """The names as they are shown."""
        return [self.words.get(name, name) for name in self.names]


def tasks(results: Sequence[Reported]) -> Section:
    """The section of the tasks, hardest first."""
    blocks: list[Block] = []
    order = _by_difficulty(results)
    shown = order[:MOST_TASKS]
    more = f"{plural(len(order) - len(shown), 'easier task')} not shown." if len(shown) < len(order) else ""
    words = {each.task: f"{each.place}. {each.task}" for each in results[0].numbers.rank if each.place is not None}
    first = " for the first solver" if len(results) > 1 else ""
    for number, part in enumerate(series_of(results), start=1):
        whose = f" ({', '.join(each.name for each in part)})" if len(results) > 1 else ""
        caption = (
            f"Tasks with 95 % intervals, from the hardest to the easiest{first}{whose}. A task's interval is over "
        )
        caption += f"its instances. {more}"
        groups = _Groups(part, "tasks", shown, "task", f"Tasks, hardest first, per cent{whose}", words, more)
        blocks.append(_figure(f"tasks-{number}", caption.rstrip(), groups))
    return Section("tasks", "Tasks", blocks)


def _by_difficulty(results: Sequence[Reported]) -> list[str]:
    """Tasks from the hardest for the first result to the easiest, then those that it has no score for."""
    ranked = [each.task for each in results[0].numbers.rank]
    others = sorted({name for each in results for name in each.numbers.groups.tasks} - set(ranked))
    return [*ranked, *others]


def splits(results: Sequence[Reported]) -> Section:
    """The section of the splits."""
    caption = "Means over the tasks of each split, with 95 % intervals."
    return Section("splits", "Splits", _parts(results, "splits", "split", caption))


def kinds(results: Sequence[Reported]) -> Section:
    """The section of the kinds of field."""
    caption = (
        "Means over all fields of a kind, with 95 % intervals. A task with many fields of a kind weighs more here than "
        "in the headline."
    )
    return Section("kinds", "Kinds of field", _parts(results, "kinds", "kind of field", caption))


def _parts(results: Sequence[Reported], key: PartName, one: str, caption: str) -> list[Block]:
    names = list(dict.fromkeys(name for each in results for name in each.numbers.groups.parts(key)))
    return [
        _figure(f"{key}-{number}", caption, _Groups(part, key, names, one, f"By {one}, per cent"))
        for number, part in enumerate(series_of(results), start=1)
    ]


def _figure(ident: str, caption: str, groups: _Groups) -> FigureBlock:
    results = groups.results
    single = len(results) == 1
    found = [groups.of(each) for each in results]
    series = [
        Series(
            "score" if single else result.name,
            [dot(group.estimates.score) if group else _NO_DOT for group in of_result],
        )
        for result, of_result in zip(results, found, strict=True)
    ]
    marks = []
    # Floors and people depend on the sample alone: one set of marks is right for all, or there is none.
    if len({each.comparability_id for each in results}) == 1:
        floors = [floor_scores(group.means) if group else {} for group in found[0]]
        marks = [Marks(what, [each.get(what) for each in floors]) for what in ("do_nothing", "copy", "constant")]
        marks.append(Marks("ceiling", [group.means.ceiling if group else None for group in found[0]]))
        marks.append(Marks("crowd", [group.estimates.crowd.value if group else None for group in found[0]]))
    score = results[0].score
    line = (score, "headline") if groups.key == "tasks" and single and score is not None else None
    data = _table_of_one(groups) if single else _table_of_many(groups)
    return forest(ident, caption, groups.labels, series, marks, data=data, line=line)


def _table_of_one(groups: _Groups) -> TableBlock:
    """All numbers of each group."""
    split = [TableColumn("split", "words")] if groups.key == "tasks" else []
    unit = "fields" if groups.key == "kinds" else "instances"
    headings = ("score", "95 % interval", "ceiling", "on crowd's sets", "crowd", "points from crowd")
    floors = ("constant", "copied input", "untouched", "skill over constant")
    columns = [
        TableColumn(groups.one, "words"),
        *split,
        TableColumn(unit),
        *map(TableColumn, headings),
        *map(TableColumn, floors),
    ]
    rows = []
    (result,) = groups.results
    for name, label, group in zip(groups.names, groups.labels, groups.of(result), strict=True):
        if group is None:
            continue
        means, estimates, sizes = group.means, group.estimates, group.sizes
        rows.append(
            [
                label,
                *([result.numbers.split_of[name]] if split else []),
                count(sizes.fields if unit == "fields" else sizes.instances),
                percent(estimates.score.value),
                interval(estimates.score),
                percent(means.ceiling),
                percent(estimates.own_left_out.value),
                percent(estimates.crowd.value),
                points(estimates.gap.value),
                percent(means.constant),
                percent(means.copy),
                percent(means.do_nothing),
                percent(means.skill_over_constant),
            ]
        )
    return TableBlock(groups.title, columns, rows, groups.more)


def _table_of_many(groups: _Groups) -> TableBlock:
    """Scores with intervals side by side."""
    columns = [TableColumn(groups.one, "words")]
    for each in groups.results:
        columns += [TableColumn(shortened(each.name, 40)), TableColumn("95 % interval")]
    columns.append(TableColumn("crowd"))
    rows = []
    for label, *found in zip(groups.labels, *map(groups.of, groups.results), strict=True):
        row = [label]
        for group in found:
            score = group.estimates.score if group else None
            row += [percent(score.value if score else None), interval(score)]
        crowds = [group.estimates.crowd.value for group in found if group]
        row.append(percent(next((crowd for crowd in crowds if crowd is not None), None)))
        rows.append(row)
    return TableBlock(groups.title, columns, rows, groups.more)


def instances(results: Sequence[Reported]) -> Section:
    """The section of how the instances' scores are distributed."""
    blocks: list[Block] = []
    for number, each in enumerate(results, start=1):
        if len(results) > 1:
            blocks.append(HeadingBlock(each.name, f"instances-of-{number}"))
        scores = each.scores
        total = sum(scores.bins)
        if not total:
            blocks.append(ParagraphBlock("No instance has a score."))
            continue
        width = 100 // BINS
        rows = [
            [
                f"{place * width} to {(place + 1) * width}{' (with 100)' if place == BINS - 1 else ''}",
                count(found),
                percent(found / total),
            ]
            for place, found in enumerate(scores.bins)
        ]
        columns = [TableColumn("score, per cent", "words"), TableColumn("instances"), TableColumn("share, per cent")]
        caption = (
            f"Scores of {plural(total, 'instance')}: {count(scores.nothing)} have 0 "
            f"({percent(scores.nothing / total)} %), {count(scores.full)} reach 100 ({percent(scores.full / total)} %)."
        )
        table = TableBlock("Instances by their score", columns, rows)
        blocks.append(histogram(f"instances-{number}", caption, scores.bins, table))
    return Section("instances", "Instances", blocks)
