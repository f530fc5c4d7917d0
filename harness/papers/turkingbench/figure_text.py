"""The paper's Figures 5 and 6 over runs: as text, and as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, UNKNOWN, aligned, counted, percent, points
from harness.papers.turkingbench.figure_results import AXES, FigureData, FigureResult
from harness.reports.html.blocks import FigureBlock
from harness.reports.html.plots.axes import MOST_SERIES, Dot, Series
from harness.reports.html.plots.forest import forest
from harness.reports.html.plots.lines import JoinedDots, VariedAxis, lines

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
