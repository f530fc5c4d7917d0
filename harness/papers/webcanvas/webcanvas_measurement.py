"""A run on websites beside the row of WebCanvas' tables that it repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.analysis.site_scores import SiteNumbers, site_numbers, site_score
from harness.episode.registry import find_solver
from harness.kit.options import given, names_of, view
from harness.models.asking_options import SiteAsking
from harness.papers.webcanvas.webcanvas_rows import WebCanvasRow, said, tasks_of
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.run_record import RunRecord
from harness.solvers.solver_options import ModelOptions

_ABLATIONS = tuple(name for name in names_of(SiteAsking) if name not in ("ocr", "reward_model"))


@dataclass(frozen=True)
class WebCanvasMeasurement:
    """What a run measured.

    Attributes:
        folder: Its run directory.
        row: The row that it repeats; None if it repeats none.
        agent: Whose work was judged.
        numbers: By key nodes.
        tasks: How many tasks were played.
        is_like: Whether all of them are of Mind2Web-Live, as the paper's: else nothing printed can stand beside it.
        differs: What it did otherwise than the row, in words.
    """

    folder: Path
    row: WebCanvasRow | None
    agent: str
    numbers: SiteNumbers
    tasks: int
    is_like: bool
    differs: tuple[str, ...]


def measured_run(folder: Path, rows: Sequence[WebCanvasRow]) -> WebCanvasMeasurement:
    """A run beside its row.

    Args:
        folder: The run directory; it is not changed.
        rows: Those that it may repeat.

    Raises:
        harness.records.directory.NotARun: it cannot be read.
    """
    run = RunDirectory.open(folder)
    record = run.read()
    tasks, scores = set(), []
    for episode in run.episodes():
        tasks.add(episode.task)
        scores.append(site_score(episode))
    row = _row_of(record, folder, rows)
    return WebCanvasMeasurement(
        folder=folder,
        row=row,
        agent=agent_name(record),
        numbers=site_numbers([each for each in scores if each]),
        tasks=len(tasks),
        is_like=bool(tasks) and all(name.startswith(said("task_names")) for name in tasks),
        differs=() if row is None else tuple(_differences(record, row, len(tasks))),
    )


def _row_of(record: RunRecord, folder: Path, rows: Sequence[WebCanvasRow]) -> WebCanvasRow | None:
    """The row with a run's preset and ablations; of several that of its folder's name, else of its model."""
    asked = given(view(ModelOptions, record.config.options))
    alike = [
        row
        for row in rows
        if row.solver == record.config.solver
        and all(asked.get(name) == value for name, value in _checked(row).items() if name in _ABLATIONS)
    ]
    named = [row for row in alike if row.name == folder.name]
    same_models = [
        row for row in alike if all(_checked(row).get(name) == asked.get(name) for name in ("model", "reward_model"))
    ]
    for found in (named, same_models):
        if len(found) == 1:
            return found[0]
    return None


def _checked(row: WebCanvasRow) -> dict[str, object]:
    """A row's options as a run keeps them, with those that it leaves as they are."""
    checked = find_solver(row.solver).check(row.options, "site")
    return {name: checked.get(name) for name in {*row.options, *_ABLATIONS}}


def _differences(record: RunRecord, row: WebCanvasRow, tasks: int) -> Iterator[str]:
    options = given(view(ModelOptions, record.config.options))
    for name, wanted in sorted(_checked(row).items()):
        asked = options.get(name)
        if asked != wanted:
            yield f"{name.replace('_', ' ')} {'not set' if asked is None else asked}"
    printed, _ = tasks_of(row.table)
    if tasks != printed:
        yield f"{tasks} tasks, of {printed} there"
    if record.status != "complete":
        yield f"status {record.status}"
