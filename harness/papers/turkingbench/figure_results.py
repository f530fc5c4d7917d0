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
from harness.kit.text import counted
from harness.papers.turkingbench.paper_rows import paper_rows
from harness.papers.turkingbench.row_measurement import pooled, row_of, runs_in

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
