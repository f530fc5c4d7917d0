"""A run beside the row of the paper that it repeats: its score as the paper's are formed, and what it did otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.aggregation import groups_of
from harness.analysis.scored_run import read_scored
from harness.episode.registry import find_solver
from harness.kit.errors import UserError
from harness.kit.options import names_of, view
from harness.kit.statistics.clustered import mean_of_clusters
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import counted, in_range
from harness.models.asking_options import PresetChange
from harness.papers.turkingbench.paper_rows import PaperRow, source
from harness.papers.turkingbench.row_command import INSTANCES, how_row_asks, preset_of
from harness.records.agent_name import agent_name
from harness.records.budgets import Budgets
from harness.records.config import RunConfig
from harness.records.directory import NotARun, RunDirectory
from harness.records.folder_lock import FolderInUse
from harness.records.run_record import RunRecord
from harness.run.progress import Progress
from harness.run.runner import Run

_MAY_DIFFER = frozenset({"limits", *names_of(RunConfig, changes="called")})
"""Parts of a run's configuration that change no number, and may be others when it is gone on with."""


class OtherRun(UserError):
    """The folder of a row holds a run of something else; the message says what differs."""


def run_row(config: RunConfig, folder: Path, progress: Progress) -> tuple[RunRecord, bool]:
    """Bring the run of a row to its end.

    Args:
        config: What its command asks for.
        folder: Its run directory, which need not be there.
        progress: Told how it gets on.

    Returns:
        The content of its ``run.json``, and whether anything was played.

    Raises:
        OtherRun: the folder holds a run of something else.
        FolderInUse: it holds something that is no run.
        harness.kit.errors.UserError: the run cannot be begun, gone on with or ended.
    """
    directory = RunDirectory(folder)
    if not directory.exists():
        if reason := directory.refusal():
            raise FolderInUse(f"{reason}; give another --out")
        return Run(config, folder, progress).execute().record, True
    before = directory.read()
    # A run keeps the kind that its tasks turned out to have; a command seldom names it.
    asked = config if config.kind else replace(config, kind=before.config.kind)
    if differing := _differing(before.config, asked):
        raise OtherRun(f"{folder} holds a run with another {' and '.join(differing)}; give another --out")
    if before.status == "complete":
        return before, False
    budgets = Budgets.of(config)
    given = {name: value for name in ("max_cost", "max_tokens") if (value := getattr(budgets, name)) is not None}
    run = Run.resume(
        folder,
        progress,
        workers=config.workers,
        require_sandbox=config.require_sandbox,
        budgets=given,
        allow=lambda _: None,  # It does what was asked for just now, which was compared above.
    )
    return run.execute().record, True


def _differing(before: RunConfig, now: RunConfig) -> list[str]:
    """The options by which two runs differ in what they measure."""
    first, second = _decisive(before), _decisive(now)
    names = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    return [f"--{name.replace('_', '-')} ({first.get(name)}, now {second.get(name)})" for name in names]


def _decisive(config: RunConfig) -> Mapping[str, Any]:
    config = replace(config, tasks_dir=config.tasks_dir.resolve())
    found = {name: getattr(config, name) for name in RunConfig.__dataclass_fields__ if name not in _MAY_DIFFER}
    solver = find_solver(config.solver)
    options = solver.check(found.pop("options"))
    decisive = {name for changes in ("asked", "nothing") for name in names_of(solver.options, changes=changes)}
    return found | {name: value for name, value in options.items() if name in decisive}


TASKS = 20
"""Tasks in the tables of the authors' runs on the test split (docs/notes/parity.md)."""


@dataclass(frozen=True)
class RowMeasurement:
    """What a run measured.

    Attributes:
        folder: Its run directory.
        row: The row that it repeats; None if it repeats none.
        agent: Whose answers were scored.
        score: The mean over tasks, the fields of a task pooled, by the rules of the original code.
        kinds: Kind of field -> the same over fields of that kind alone.
        tasks: Tasks that it scored.
        instances: Instances that it scored.
        differs: What it did otherwise than the row, in words.
        is_on_sites: Whether it is a run on websites, which repeats no row: these are of forms.
    """

    folder: Path
    row: PaperRow | None
    agent: str
    score: Estimate
    kinds: Mapping[str, float]
    tasks: int
    instances: int
    differs: tuple[str, ...]
    is_on_sites: bool = False


def runs_in(folders: Sequence[Path]) -> Iterator[Path]:
    """The run directories among folders, and in those that hold some.

    Raises:
        NotARun: a folder neither is one nor holds any.
    """
    for folder in folders:
        found = [folder] if RunDirectory(folder).exists() else _inside(folder)
        if not found:
            raise NotARun(f"{folder} is no run directory, and holds none")
        yield from found


def measured_row(folder: Path, rows: Sequence[PaperRow]) -> RowMeasurement:
    """A run beside its row.

    Args:
        folder: The run directory; it is not changed.
        rows: Those that it may repeat.

    Raises:
        NotARun: it cannot be read.
    """
    run = read_scored(folder, source("profile"))
    groups = groups_of(run.instances, run.fields)
    is_on_sites = bool((run.instances["site"] != "").any())
    row = None if is_on_sites else row_of(run.record, folder, rows)
    kinds = {kind: pooled(part.rows).value for kind, part in groups.kinds.items()}
    scored = run.instances[run.instances["score"].notna()]
    return RowMeasurement(
        folder=folder,
        row=row,
        agent=agent_name(run.record),
        score=pooled(groups.fields.rows),
        kinds={kind: value for kind, value in kinds.items() if value is not None},
        tasks=scored["task"].nunique(),
        instances=len(scored),
        differs=() if row is None else tuple(_differences(run.record, row, scored["task"].nunique())),
        is_on_sites=is_on_sites,
    )


def pooled(fields: pd.DataFrame) -> Estimate:
    """The mean over tasks of the means over their fields, whatever instance these are of.

    The interval draws tasks, and in them instances with all their fields. For that each instance enters as its part in
    the ratio of its task, linearised: the mean of these parts is the task's mean exactly.

    Args:
        fields: A row a scored field, with ``task_code``, ``instance`` and ``score``.
    """
    scored = fields[fields["score"].notna()]
    items = scored.groupby(["task_code", "instance"])["score"].agg(["sum", "count"])
    tasks = items.groupby(level="task_code")
    means = tasks["sum"].transform("sum") / tasks["count"].transform("sum")
    parts = means + (items["sum"] - means * items["count"]) / tasks["count"].transform("mean")
    return mean_of_clusters(parts.to_numpy(), items.index.get_level_values("task_code").to_numpy())


def _inside(folder: Path) -> list[Path]:
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return [each for each in inside if RunDirectory(each).exists()]


def row_of(record: RunRecord, folder: Path, rows: Sequence[PaperRow]) -> PaperRow | None:
    """The row whose preset, encoding and number of demonstrations a run has; of several that of its model or folder.

    Args:
        record: The run's ``run.json``.
        folder: Its directory.
        rows: Those that it may repeat.
    """
    config = record.config
    asked = view(PresetChange, config.options)
    alike = [row for row in rows if row.solver == config.solver and _shows(row, asked)]
    same_model = [row for row in alike if (preset := preset_of(row)) and preset.model == asked.model]
    named = [row for row in alike if row.name == folder.name]
    for found in (same_model, named, alike):
        if len(found) == 1:
            return found[0]
    return None


def _shows(row: PaperRow, asked: PresetChange) -> bool:
    wanted = view(PresetChange, row.options)
    return (wanted.encoding, wanted.demos) == (asked.encoding, asked.demos)


def _differences(record: RunRecord, row: PaperRow, tasks: int) -> Iterator[str]:
    config = record.config
    if row.model.preset:
        for name, wanted in how_row_asks(row).items():
            asked = getattr(view(PresetChange, config.options), name)
            if asked != wanted:
                yield f"{name.replace('_', ' ')} {'not set' if asked is None else asked}"
    shown = record.solver.get("demonstrations_shown")
    if shown and shown["fewest"] < shown["asked"]:
        yield f"{in_range(shown['fewest'], shown['most'])} of {counted(shown['asked'], 'demonstration')}"
    if origin := record.solver.get("demonstrations_from"):
        yield f"demonstrations from {origin['folder']}"
    if config.split != source("split"):
        yield f"split {config.split or 'all'}"
    if config.max_instances != INSTANCES:
        yield f"{counted(most, 'instance')} a task" if (most := config.max_instances) else "all instances of a task"
    if tasks != TASKS:
        yield f"{tasks} of {TASKS} tasks"
    if record.status != "complete":
        yield f"status {record.status}"
