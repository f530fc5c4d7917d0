"""Sections about how a model was asked: modality, demonstrations, encoding; and how long the pages were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from harness.analysis.length_effect import LengthEffect
from harness.analysis.variation import Alone, DimensionName, Line, Variation, variations
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING
from harness.reports.html.blocks import (
    Block,
    FigureBlock,
    FoldBlock,
    GridBlock,
    HeadingBlock,
    ParagraphBlock,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.axes import MOST_SERIES, Dot, Series
from harness.reports.html.plots.forest import forest
from harness.reports.html.plots.lines import JoinedDots, VariedAxis, lines
from harness.reports.html.plots.scatter import Point
from harness.reports.html.plots.trend import Trend, trend
from harness.reports.html.sections.by_task import MOST_TASKS
from harness.reports.html.sections.headline import dot
from harness.reports.reported import Reported
from harness.reports.wording import count, interval, percent, plural, points

_TITLES: dict[DimensionName, str] = {
    "modality": "Text and pictures, task by task",
    "demos": "Demonstrations",
    "encoding": "Encodings",
}
_AXES: dict[DimensionName, str] = {
    "modality": "modality",
    "demos": "demonstrations",
    "encoding": "encoding of the page",
}
_READ = (
    "A line joins results that differ in nothing but the {}. Dots stand beside each other where they would overlap. "
    "Lines up and down are 95 % intervals over tasks. All results of a line met the same tasks, so that a difference "
    "between two of its dots is surer than their intervals let it seem: the table has it, paired, with an interval of "
    "its own."
)
_READ_LENGTH = (
    "A point is a task: the geometric mean of the tokens of its pages as they were sent, and the mean score of the "
    "same instances. The axis doubles at equal distances. A line that falls says that longer tasks score lower, "
    "and not why: tasks with long pages differ from others in more, such as in their fields, their subjects and what "
    "they ask for. Intervals hold for tasks like these."
)
_PLACES = 60
"""Along a line of best fit."""


def ways(results: Sequence[Reported]) -> Section | None:
    """The section of how models were asked; None where results do not differ in it."""
    tables = [each.result for each in results if each.result is not None]
    if len(tables) < len(results):
        return None
    blocks: list[Block] = []
    for variation in variations(tables):
        name = variation.dimension
        blocks.append(HeadingBlock(_TITLES[name], f"ways-{name}"))
        if name == "modality":
            blocks += [_by_task(results, line, number) for number, line in enumerate(variation.lines, start=1)]
        else:
            blocks += _over(results, variation)
        blocks += _apart(results, variation)
    return Section("ways", "Ways of asking", blocks) if blocks else None


def _by_task(results: Sequence[Reported], line: Line, number: int) -> FigureBlock:
    """Each task's score in each modality of a line."""
    last = line.variants[-1]
    first = line.variants[0]
    shown = list(line.by_task)[:MOST_TASKS]
    more = f"{plural(len(line.by_task) - len(shown), 'task')} with a lower difference not shown." * (
        len(shown) < len(line.by_task)
    )
    series = []
    for variant in line.variants[:MOST_SERIES]:
        groups = results[variant.place].numbers.groups.tasks
        scores = [groups[task].estimates.score if task in groups else None for task in shown]
        series.append(Series(str(variant.value), [dot(each) if each else Dot(None) for each in scores]))
    caption = (
        f"{line.name}: scores by task and modality, sorted by what {last.value} is ahead of {first.value}, from the "
        "largest gain to the largest loss. Lines are 95 % intervals over a task's instances. The same instances stand "
        "behind both, so that differences are surer than these intervals let them seem: the table has them, paired."
    )
    return forest(
        f"modality-{number}",
        f"{caption} {more}".rstrip(),
        shown,
        series,
        [],
        data=_table_by_task(results, line, shown, more),
    )


def _table_by_task(results: Sequence[Reported], line: Line, shown: Sequence[str], more: str) -> TableBlock:
    columns = [TableColumn("task", "words"), TableColumn("instances")]
    for variant in line.variants:
        columns += [TableColumn(str(variant.value)), TableColumn("95 % interval")]
    columns += [TableColumn("points ahead"), TableColumn("95 % interval")]
    rows = []
    for task in shown:
        ahead = line.by_task[task]
        groups = [results[variant.place].numbers.groups.tasks.get(task) for variant in line.variants]
        scores = [cell for group in groups for cell in _cells(group.estimates.score if group else None)]
        rows.append([task, count(ahead.items), *scores, points(ahead.value), interval(ahead, points)])
    overall = [results[variant.place].overall.estimates.score for variant in line.variants]
    whole = line.variants[-1].from_first
    items = count(whole.items) if whole else NOTHING
    ahead_in_all = [points(whole.value if whole else None), interval(whole, points)]
    rows.append(["all tasks, mean", items, *(cell for each in overall for cell in _cells(each)), *ahead_in_all])
    title = f"{line.name}: scores by task, per cent; {line.variants[-1].value} less {line.variants[0].value} in points"
    return TableBlock(title, columns, rows, more, summed=1)


def _cells(estimate: Estimate | None) -> list[str]:
    return [percent(estimate.value if estimate else None), interval(estimate)]


def _over(results: Sequence[Reported], variation: Variation) -> Iterator[FigureBlock]:
    """Scores over the values of a dimension, as many lines in a figure as it can hold."""
    name = variation.dimension
    # Numbers stand at their place, and names side by side.
    places = {value: float(value) if isinstance(value, int) else place for place, value in enumerate(variation.values)}
    axis = VariedAxis(_AXES[name], [(float(place), str(value)) for value, place in places.items()])
    # Where nothing is joined there are points alone.
    shown = variation.lines or [_point(results, each) for each in variation.alone]
    for number, start in enumerate(range(0, len(shown), MOST_SERIES), start=1):
        part = shown[start : start + MOST_SERIES]
        series = [
            JoinedDots(
                line.name,
                [(places[each.value], dot(results[each.place].overall.estimates.score)) for each in line.variants],
            )
            for line in part
        ]
        caption = f"Scores by {_AXES[name]}."
        if number == 1:
            caption += f" {_READ.format(_AXES[name])}"
        yield lines(f"{name}-{number}", caption, axis, series, _table_over(results, part, name))


def _point(results: Sequence[Reported], alone: Alone) -> Line:
    return Line(results[alone.variant.place].name, (alone.variant,), {})


def _table_over(results: Sequence[Reported], part: Sequence[Line], name: DimensionName) -> TableBlock:
    columns = [
        TableColumn("line", "words"),
        TableColumn(_AXES[name], "words" if name == "encoding" else "number"),
        *map(
            TableColumn,
            ("score", "95 % interval", "tasks", "instances", "points from the line's first", "95 % interval"),
        ),
    ]
    rows = []
    for line in part:
        for variant in line.variants:
            overall = results[variant.place].overall
            ahead = variant.from_first
            sizes = [count(overall.sizes.tasks), count(overall.sizes.instances)]
            difference = [points(ahead.value if ahead else None), interval(ahead, points)]
            rows.append([line.name, str(variant.value), *_cells(overall.estimates.score), *sizes, *difference])
    return TableBlock(f"Scores by {_AXES[name]}, mean over tasks, per cent", columns, rows)


def _apart(results: Sequence[Reported], variation: Variation) -> Iterator[Block]:
    """Why some results are not joined with others, and why some are not there at all."""
    axis = _AXES[variation.dimension]
    if not variation.lines:
        yield ParagraphBlock(
            f"No two results differ in the {axis} alone: nothing is joined, and nothing can be said of it by itself."
        )
    if variation.alone:
        columns = [TableColumn(words, "words") for words in ("result", "most like it", "what else differs")]
        rows = [[results[each.variant.place].name, *_why(results, each)] for each in variation.alone]
        more = plural(len(rows), "result")
        table = TableBlock(f"Results that are not joined with one of another {axis}, since more differs", columns, rows)
        yield FoldBlock(f"Not joined: {more}, and why", [table])
    if variation.without:
        names = ", ".join(results[place].name for place in variation.without)
        yield ParagraphBlock(f"Not here, since nothing of the kind was chosen for them: {names}.")


def _why(results: Sequence[Reported], alone: Alone) -> tuple[str, str]:
    if alone.near is None:
        return NOTHING, NOTHING
    return results[alone.near].name, ", ".join(alone.differs) or "nothing, but that one is joined already"


def length(results: Sequence[Reported]) -> Section | None:
    """The section of how scores go with the lengths of pages; None where no length is known."""
    found = [(each.name, each.length) for each in results if each.length and each.length.tasks]
    if not found:
        return None
    figures = [
        _of_length(f"length-{number}", name if len(found) > 1 else "", effect)
        for number, (name, effect) in enumerate(found, start=1)
    ]
    blocks: list[Block] = [ParagraphBlock(_READ_LENGTH), *([GridBlock(figures)] if len(found) > 1 else figures)]
    if missing := [each.name for each in results if not (each.length and each.length.tasks)]:
        blocks.append(ParagraphBlock(f"Nothing is known of the lengths of pages in {', '.join(missing)}."))
    return Section("length", "Length of pages", blocks)


def _of_length(ident: str, name: str, effect: LengthEffect) -> FigureBlock:
    """One result's tasks with their line; what the line says is its caption."""
    caption = f"{f'{name}: ' if name else ''}{' '.join(_said(effect))}"
    rows = [[task.task, count(task.tokens), percent(task.score), count(task.instances)] for task in effect.tasks]
    columns = [TableColumn("task", "words"), *map(TableColumn, ("tokens of a page", "score, per cent", "instances"))]
    data = TableBlock("Tasks from the shortest pages to the longest", columns, rows)
    return trend(ident, caption, "tokens of the page as it was sent", _trend(effect), data, small=bool(name))


def _trend(effect: LengthEffect) -> Trend:
    tokens = [task.tokens for task in effect.tasks]
    dots = [Point(task.task, task.tokens, task.score) for task in effect.tasks]
    if effect.between is None:
        return Trend(dots, (), ())
    places = np.geomspace(min(tokens), max(tokens), _PLACES)
    heights = effect.between.at(np.log2(places))
    band = effect.between.band(np.log2(places))
    limits = [] if band is None else [(float(low), float(high)) for low, high in zip(*band, strict=True)]
    return Trend(dots, [(float(x), float(y)) for x, y in zip(places, heights, strict=True)], limits)


def _said(effect: LengthEffect) -> Iterator[str]:
    """What the data say of it, in sentences."""
    tasks = plural(len(effect.tasks), "task")
    if effect.between is None:
        yield f"The pages of {tasks} do not differ in their lengths."
    else:
        slope = effect.between.slope
        yield f"Where the pages of a task are twice as long, its score is {_changed(slope)}, over {tasks}."
        yield _judged(slope, "tasks with longer pages")
    if effect.within is not None:
        yield (
            "Where a page is twice as long as another of the same task, the score is "
            f"{_changed(effect.within.slope)}, over {plural(effect.within_tasks, 'task')}."
        )
    else:
        yield "Pages of the same task are too much alike in length to tell more."
    if effect.left_out:
        left = ", ".join(f"{count(number)} {why}" for why, number in effect.left_out.items())
        yield f"Instances left out: {left}."
    yield f"Tokens counted by: {effect.counted_by}."


def _changed(slope: Estimate) -> str:
    value = f"{_way(slope.value)}"
    if slope.low is None or slope.high is None:
        return f"{value} (no interval: too few tasks, or no scatter)"
    return f"{value} (95 %: from {_way(slope.low)} to {_way(slope.high)})"


def _way(change: float | None) -> str:
    amount = percent(abs(change or 0.0))
    if float(amount) == 0:
        return "the same"
    return f"{amount} points {'higher' if (change or 0.0) > 0 else 'lower'}"


def _judged(slope: Estimate, which: str) -> str:
    if slope.low is None or slope.high is None:
        return "How sure that is cannot be said."
    if slope.low <= 0 <= slope.high:
        return "That can be chance: no relation at all lies within the interval."
    return f"So {which} score {'lower' if slope.high < 0 else 'higher'} here, by more than chance would make likely."
