"""Comparisons as text for people. Scores are shown in per cent, differences in points of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from harness.analysis.comparison import (
    LEFT_OUT,
    Comparison,
    Contrast,
    DivergentInstance,
    ReachedGoals,
    RightFields,
    TaskContrast,
)
from harness.analysis.seeds import Result
from harness.kit.files.installation import to_type
from harness.kit.statistics.estimate import NO_INTERVAL, Estimate
from harness.kit.statistics.significance import MIN_CLUSTERS
from harness.kit.text import NOTHING, counted, percent, points, shorten
from harness.reports.wording import scored_by

Table = Callable[[Sequence[Sequence[str]]], str]
"""Makes text of rows, the first of which are headings."""
ORIGIN = "http://127.0.0.1:8000"
"""Where the task server shows pages unless it is told otherwise."""
_HEADING = 18
"""Characters of a result's name in a heading."""


def results_text(results: Sequence[Result]) -> str:
    """Which runs are compared, and what there is to say of the seeds of each."""
    return "\n".join(line for result in results for line in _result_lines(result))


def comparison_text(comparison: Comparison, table: Table, most: int) -> str:
    """One comparison.

    Args:
        comparison: What to show.
        table: Makes text of rows.
        most: At most how many tasks are listed.
    """
    first, second = comparison.first, comparison.second
    return "\n\n".join(
        [
            f"{second} (second) against {first} (first): a difference above 0 speaks for {second}.",
            *([_lines(f"warning: {warning}" for warning in comparison.warnings)] if comparison.warnings else []),
            table(list(_contrasts(comparison))),
            _lines(_notes(comparison)),
            *_goals(comparison.goals, first, second),
            *([] if comparison.goals and not comparison.kinds else _right(comparison.right, first, second)),
            *_tasks(comparison, table, most),
            *_farthest(comparison.farthest, first, second),
        ]
    )


def interval(estimate: Estimate) -> str:
    """The limits of a difference."""
    if estimate.low is None or estimate.high is None:
        return NOTHING
    return f"{points(estimate.low)} to {points(estimate.high)}"


def chance(p: float | None) -> str:
    """A p-value."""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _headings(comparison: Comparison) -> tuple[str, str]:
    """The names, unless they are long."""
    names = (comparison.first, comparison.second)
    return names if max(map(len, names)) <= _HEADING else ("first", "second")


def _lines(texts: Iterator[str]) -> str:
    return "\n".join(texts)


def _result_lines(result: Result) -> Iterator[str]:
    run, folders = result.runs[0], ", ".join(str(run.folder) for run in result.runs)
    by_what = scored_by(run.record.config, run.profile)
    yield f"{result.name}: {folders} · {by_what} · comparability id {run.comparability_id}"
    if len(result.runs) > 1:
        each = ", ".join(
            f"{seed}: {percent(headline)}" for seed, headline in zip(result.seeds, result.headlines, strict=True)
        )
        deviation = NOTHING if result.between_seeds is None else f"{100 * result.between_seeds:.2f} points"
        yield f"  mean over {counted(len(result.runs), 'seed')} ({each}); standard deviation between seeds {deviation}"
    if result.dropped:
        yield f"  left out, since not every seed has them: {_counts(result.dropped)}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in counts.items())


def _contrasts(comparison: Comparison) -> Iterator[list[str]]:
    yield ["", "tasks", "instances", *_headings(comparison), "difference", "95 % interval", "p", "p (Holm)"]
    yield _contrast("overall (mean over tasks)", comparison.overall)
    for name, contrast in comparison.splits.items():
        yield _contrast(f"split {name}", contrast)
    for name, contrast in comparison.kinds.items():
        yield _contrast(f"{name} (mean over fields)", contrast)
    for name, contrast in comparison.sites.items():
        yield _contrast(f"website {name}", contrast)
    for name, contrast in comparison.levels.items():
        yield _contrast(f"level {name}", contrast)


def _contrast(name: str, contrast: Contrast) -> list[str]:
    difference = contrast.difference
    return [
        name,
        str(difference.clusters),
        str(difference.items),
        percent(contrast.first),
        percent(contrast.second),
        points(difference.value),
        interval(difference),
        chance(contrast.p),
        chance(contrast.corrected),
    ]


def _notes(comparison: Comparison) -> Iterator[str]:
    if comparison.measure == LEFT_OUT:
        yield "Scores with each worker's labels left out in turn, for solvers and workers alike."
    parts = (comparison.splits, comparison.kinds, comparison.sites, comparison.levels)
    everything = [comparison.overall, *(contrast for part in parts for contrast in part.values())]
    if any(contrast.p is None for contrast in everything):
        yield f"p: fewer than {MIN_CLUSTERS} tasks can show nothing by a test, whatever they differ."
    if any(contrast.difference.method == NO_INTERVAL for contrast in everything):
        yield "Interval: one task does not tell how much tasks vary."
    if comparison.dropped:
        yield f"Instances left out: {_counts(comparison.dropped)}."
    tasks = counted(len(comparison.tasks), "task")
    yield (
        f"Of {tasks} {comparison.second} is ahead in {comparison.wins}, behind in {comparison.losses}, "
        f"and equal in {comparison.ties}."
    )


def _right(right: RightFields | None, first: str, second: str) -> Iterator[str]:
    if right is None:
        yield "Fields are not counted as right or wrong: a mean over seeds or workers is neither."
        return
    out = f" {right.out_of_reach} that no answer can get right are left out." if right.out_of_reach else ""
    yield (
        f"Fields that are right: both {right.both}, only {first} {right.only_first}, only {second} "
        f"{right.only_second}, neither {right.neither}.{out}\n"
        f"McNemar's exact test, as if fields were independent: p {chance(right.p)}; by tasks: p "
        f"{chance(right.p_by_task)}."
    )


def _goals(goals: ReachedGoals | None, first: str, second: str) -> Iterator[str]:
    if goals is None:
        return
    out = f" Of {goals.unknown} that is not known." if goals.unknown else ""
    yield (
        f"Goals reached on websites: both {goals.both}, only {first} {goals.only_first}, only {second} "
        f"{goals.only_second}, neither {goals.neither}.{out} By tasks: p {chance(goals.p_by_task)}."
    )


def _tasks(comparison: Comparison, table: Table, most: int) -> Iterator[str]:
    apart = sorted(comparison.tasks, key=lambda task: -abs(task.difference))
    shown = sorted(apart[:most], key=lambda task: -task.difference)
    rows = [["task", "split", "instances", *_headings(comparison), "difference"], *map(_task, shown)]
    yield table(rows)
    if len(apart) > most:
        rest = counted(len(apart) - most, "task that differs less", "tasks that differ less")
        yield f"{rest}: --worst N shows N, --json all."


def _task(task: TaskContrast) -> list[str]:
    scores = (percent(task.first), percent(task.second), points(task.difference))
    return [shorten(task.name), task.split, str(task.instances), *scores]


def _farthest(instances: Sequence[DivergentInstance], first: str, second: str) -> Iterator[str]:
    if not instances:
        yield "No instance differs."
        return
    lines = [f"Instances that differ most ({to_type('serve')}, with the runs' --tasks-dir, shows the pages):"]
    for each in instances:
        lines.append(f"- {points(each.second - each.first)}  {each.task}, instance {each.index} (id {each.id})")
        lines.append(f"  {ORIGIN}{each.page}")
        for name, score, files in ((first, each.first, each.episodes[0]), (second, each.second, each.episodes[1])):
            lines.append(f"  {percent(score)} {name}: {', '.join(files)}")
    yield "\n".join(lines)
