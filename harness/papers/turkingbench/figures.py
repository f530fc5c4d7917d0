"""Runs as the paper's Figures 5 and 6 put them beside each other: by modality and task, by number of demonstrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from harness.analysis.aggregation import groups_of
from harness.analysis.conditions import differing_conditions
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import Result, group
from harness.analysis.variation import DimensionName, Value, Variation, variations
from harness.kit.errors import UserError
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, UNKNOWN, aligned, counted, percent, points
from harness.papers.turkingbench.paper_rows import paper_rows
from harness.papers.turkingbench.row_measurement import pooled, row_of, runs_in
from harness.reports.html.blocks import FigureBlock
from harness.reports.html.plots.axes import MOST_SERIES, Dot, Series
from harness.reports.html.plots.forest import forest
from harness.reports.html.plots.lines import JoinedDots, VariedAxis, lines

FIGURES: Mapping[str, DimensionName] = {"figure5": "modality", "figure6": "demos"}
"""Names on command lines -> what differs between the runs of the figure."""
AXES: Mapping[DimensionName, str] = {"modality": "modality", "demos": "number of demonstrations"}
"""What that is in words."""
_SAME = ("task_set", "protocol", "sample")
"""What runs have to have in common before scores of theirs stand beside each other."""
_FEW = 50
"""Draws of a bootstrap whose intervals are not shown here."""


class NothingToDraw(UserError):
    """Runs that do not differ in what a figure is about; the message says in what."""


@dataclass(frozen=True)
class FigureResult:
    """A result in a figure.

    Attributes:
        name: The solver, with what tells it from the other results.
        line: What joins it with results that differ in nothing else; empty if it stands alone.
        value: Its modality, or its number of demonstrations.
        score: The mean over tasks, the fields of a task pooled.
        tasks: Task -> the mean over its fields; tasks without a score are not there.
        instances: How many have a score.
        without: How many have none.
        printed: What the paper prints for the row with its preset, encoding and demonstrations, in per cent; None if it
            has none.
        differs: In what else it differs from the result that is most like it, if it stands alone.
    """

    name: str
    line: str
    value: Value
    score: Estimate
    tasks: Mapping[str, float]
    instances: int
    without: int
    printed: float | None
    differs: tuple[str, ...] = ()


@dataclass(frozen=True)
class FigureData:
    """What a figure shows.

    Attributes:
        dimension: What differs.
        values: All that there are of it, in order.
        results: By value of a modality; else by line, those alone at the end.
        tasks: All tasks of the runs.
        remarks: Why results are left out, and what has to be known of those that are not: a sentence each.
    """

    dimension: DimensionName
    values: Sequence[Value]
    results: Sequence[FigureResult]
    tasks: Sequence[str]
    remarks: Sequence[str]


def figure_data(figure: str, folders: Sequence[Path], profile: str) -> FigureData:
    """Read runs, and put those that can be compared beside each other.

    Args:
        figure: One of ``FIGURES``.
        folders: Run directories, or folders of them; they are not changed.
        profile: The name of the scoring profile.

    Raises:
        harness.records.directory.NotARun: one cannot be read, or is none and holds none.
        NothingToDraw: there are no two results that can be compared and differ in what the figure is about.
    """
    dimension = FIGURES[figure]
    runs = [read_scored(folder, profile) for folder in runs_in(folders)]
    remarks = [*_unfit(runs)]
    fit = [run for run in runs if _is_fit(run, runs)]
    results = group(fit)
    found = next((each for each in variations(results, draws=_FEW) if each.dimension == dimension), None)
    if found is None:
        why = "".join(f"\n{each}" for each in remarks)
        raise NothingToDraw(
            f"of {counted(len(runs), 'run')} no two can be compared that differ in their {AXES[dimension]}{why}"
        )
    remarks += [f"{results[place].name}: has no {AXES[dimension]}, and is left out." for place in found.without]
    shown = _shown(results, found)
    remarks += [_without(each) for each in shown if each.without]
    remarks += differing_conditions(
        [run for place, each in enumerate(results) if place not in found.without for run in each.runs]
    )
    tasks = sorted({str(task) for run in fit for task in run.instances["task"].unique()})
    return FigureData(dimension, found.values, shown, tasks, remarks)


def _is_fit(run: ScoredRun, runs: Sequence[ScoredRun]) -> bool:
    return not _why_unfit(run, runs)


def _unfit(runs: Sequence[ScoredRun]) -> Iterator[str]:
    for run in runs:
        if why := _why_unfit(run, runs):
            yield f"{run.folder}: {why}, and is left out."


def _why_unfit(run: ScoredRun, runs: Sequence[ScoredRun]) -> str:
    """Why a run cannot stand beside the first one on forms; empty if it can."""
    if run.record.config.kind == "site":
        return "is on websites, of which the figure is not"
    first = next(each for each in runs if each.record.config.kind != "site")
    other = [name.replace("_", " ") for name in _SAME if getattr(run.record, name) != getattr(first.record, name)]
    return f"cannot be compared with {first.folder}: another {', '.join(other)}" if other else ""


def _without(result: FigureResult) -> str:
    said = f"{result.name}, {result.value}: {counted(result.without, 'instance')} without a score"
    return f"{said}, which count in no mean." if result.instances else f"{said}: it has none."


def _shown(results: Sequence[Result], found: Variation) -> list[FigureResult]:
    shown = [
        _result(results[variant.place], line.name, variant.value, ())
        for line in found.lines
        for variant in line.variants
    ]
    shown += [_result(results[each.variant.place], "", each.variant.value, each.differs) for each in found.alone]
    return sorted(shown, key=lambda each: found.values.index(each.value)) if found.dimension == "modality" else shown


def _result(result: Result, line: str, value: Value, differs: tuple[str, ...]) -> FigureResult:
    fields = groups_of(result.instances, result.fields).fields.rows
    names = result.instances["task"].astype(str).to_numpy()
    scored = fields[fields["score"].notna()]
    tasks = (
        scored["score"].groupby(names[scored["instance"].to_numpy()]).mean() if len(scored) else pd.Series(dtype=float)
    )
    run = result.runs[0]
    row = row_of(run.record, run.folder, paper_rows("Table 4"))
    with_score = int(result.instances["score"].notna().sum())
    return FigureResult(
        name=result.name,
        line=line,
        value=value,
        score=pooled(fields),
        tasks={str(task): float(mean) for task, mean in tasks.items()},
        instances=with_score,
        without=len(result.instances) - with_score,
        printed=row.printed if row else None,
        differs=differs,
    )


_PRINTED = "printed: the paper's Table 4, for the row with this preset, encoding and number of demonstrations."


def in_words(data: FigureData, profile: str) -> str:
    """The numbers of a figure as a table, and what has to be known of them.

    Args:
        data: What it shows.
        profile: By which the runs were scored.
    """
    table = _by_task(data) if data.dimension == "modality" else _over(data)
    notes = [
        f"Per cent, profile {profile}: means over tasks, the fields of a task pooled.",
        *_notes(data),
        *data.remarks,
    ]
    return "\n\n".join(
        [f"Score by {AXES[data.dimension]}{' and task' * (data.dimension == 'modality')}", table, "\n".join(notes)]
    )


def picture(data: FigureData) -> FigureBlock:
    """The figure itself. Where there are more results than it can show, the first."""
    return _bars(data) if data.dimension == "modality" else _curve(data)


def _columns(data: FigureData) -> list[str]:
    """A name for each result, by its modality; with the solver's where there are several of one."""
    values = [each.value for each in data.results]
    return [f"{each.value}: {each.name}" if values.count(each.value) > 1 else str(each.value) for each in data.results]


def _by_task(data: FigureData) -> str:
    results, names = data.results, _columns(data)
    table = [["task", *names, "last less first"]]
    for task in _sorted(data):
        cells = [each.tasks.get(task) for each in results]
        table.append([task, *map(percent, cells), points(_ahead(cells))])
    shared = [task for task in data.tasks if all(task in each.tasks for each in results)]
    means = [sum(each.tasks[task] for task in shared) / len(shared) if shared else None for each in results]
    table.append([f"mean over {counted(len(shared), 'task')} of all", *map(percent, means), points(_ahead(means))])
    table.append(["printed, over all tasks", *(_printed(each) for each in results), ""])
    return aligned(table)


def _ahead(cells: Sequence[float | None]) -> float | None:
    first, last = cells[0], cells[-1]
    return None if first is None or last is None else last - first


def _sorted(data: FigureData) -> list[str]:
    """Tasks from the largest gain to the largest loss, then those that lack a score."""
    gains = {task: _ahead([each.tasks.get(task) for each in data.results]) for task in data.tasks}
    return sorted(data.tasks, key=lambda task: (gains[task] is None, -(gains[task] or 0.0), task))


def _over(data: FigureData) -> str:
    table = [["line", "demonstrations", "score", "95 % interval", "tasks", "instances", "printed"]]
    for name, results in _lines(data):
        there = {each.value: each for each in results}
        for value in data.values if len(results) > 1 else there:
            table.append([name, str(value), *_numbers(there.get(value))])
    return aligned(table)


def _lines(data: FigureData) -> Iterator[tuple[str, list[FigureResult]]]:
    joined = dict.fromkeys(each.line for each in data.results if each.line)
    yield from ((line, [each for each in data.results if each.line == line]) for line in joined)
    yield from ((each.name, [each]) for each in data.results if not each.line)


def _numbers(result: FigureResult | None) -> list[str]:
    if result is None:
        return [UNKNOWN, *[NOTHING] * 4]
    sizes = [str(len(result.tasks)), f"{result.instances:,}"]
    return [percent(result.score.value), _interval(result.score), *sizes, _printed(result)]


def _interval(estimate: Estimate) -> str:
    return NOTHING if estimate.low is None else f"{percent(estimate.low)} to {percent(estimate.high)}"


def _printed(result: FigureResult) -> str:
    return NOTHING if result.printed is None else f"{result.printed:g}"


def _notes(data: FigureData) -> Iterator[str]:
    if any(each.printed is not None for each in data.results):
        yield _PRINTED
    for each in data.results:
        if not each.line:
            what = ", ".join(each.differs) or "nothing, but that one is joined already"
            yield f"{each.name}, {each.value}: differs from what is most like it also in: {what}."
    for each in data.results:
        if missing := [task for task in data.tasks if task not in each.tasks]:
            yield f"{each.name}, {each.value}: no score ({NOTHING}) in {', '.join(missing)}."
    if (series := len(data.results) if data.dimension == "modality" else len(list(_lines(data)))) > MOST_SERIES:
        yield f"A picture holds {MOST_SERIES} of these {series}: the first."
    if data.dimension == "demos" and any(
        len(results) > 1 and len(results) < len(data.values) for _, results in _lines(data)
    ):
        yield f"{UNKNOWN}: no run was given."


def _bars(data: FigureData) -> FigureBlock:
    tasks = _sorted(data)
    series = [
        Series(name, [Dot(each.tasks.get(task)) for task in tasks])
        for name, each in zip(_columns(data), data.results[:MOST_SERIES], strict=False)
    ]
    return forest("figure5", "Score by modality and task", tasks, series, [])


def _curve(data: FigureData) -> FigureBlock:
    axis = VariedAxis("demonstrations", [(float(value), str(value)) for value in data.values])
    series = [
        JoinedDots(name, [(float(each.value), _dot(each.score)) for each in results])
        for name, results in list(_lines(data))[:MOST_SERIES]
    ]
    return lines("figure6", "Score by number of demonstrations", axis, series, None)


def _dot(estimate: Estimate) -> Dot:
    return Dot(estimate.value, estimate.low, estimate.high)
