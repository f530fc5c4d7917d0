"""The configuration of a stage, as adapters let their users choose it."""

from __future__ import annotations

from pathlib import Path

from harness.catalog.kinds import KindName
from harness.kit.files.installation import BUNDLED_TASKS, SITE_TASKS
from harness.records.config import Limits, RunConfig

"""The bundled tasks on websites."""


def stage_config(
    framework: str,
    kind: KindName,
    *,
    task: str | None = None,
    split: str | None = None,
    tasks_dir: str | Path | None = None,
    overlay: str | Path | None = None,
    metrics: str = RunConfig.metrics,
    max_steps: int = 100,
    max_seconds: float = 300.0,
    max_instances: int | None = None,
    headed: bool = False,
) -> RunConfig:
    """A configuration; what it means stands at ``RunConfig``.

    Args:
        framework: Who drives.
        kind: Of its tasks.
        task: Only this task, by its exact name or a glob; None for all.
        split: Only tasks of this split; None for all.
        tasks_dir: The folder of the tasks; None for the bundled ones of their kind.
        overlay: Further facts about them.
        metrics: The profile of scores.
        max_steps: Actions of an episode.
        max_seconds: Seconds of an episode.
        max_instances: At most so many instances of a task.
        headed: Show the browser's window.
    """
    return RunConfig(
        solver=framework,
        tasks_dir=Path(tasks_dir) if tasks_dir else SITE_TASKS if kind == "site" else BUNDLED_TASKS,
        overlay=Path(overlay) if overlay else None,
        split=split,
        tasks=(task,) if task else (),
        kind=kind,
        metrics=metrics,
        headed=headed,
        limits=Limits(max_steps, max_seconds),
        max_instances=max_instances,
    )
