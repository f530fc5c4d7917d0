"""Running a row of the paper's tables into a folder of its own: begun, gone on with, or there already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.episode.registry import find_solver
from harness.kit.errors import UserError
from harness.kit.options import names_of
from harness.records.budgets import Budgets
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
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
