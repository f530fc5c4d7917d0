"""A solver evaluated by one call: what ``turkbench evaluate`` does for its command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.api.run import Run
from harness.integrations.tracking.follower import Followers
from harness.integrations.tracking.tracker import check_tracker
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.run.asked_run import asked_run
from harness.run.new_folder import new_folder
from harness.run.pause import OnProviderFailure
from harness.run.progress import Mode, progress
from harness.run.runner import Run as Runner


def evaluate(
    solver: str | type,
    *,
    tasks: str | Sequence[str] = (),
    tasks_dir: Path | str = BUNDLED_TASKS,
    split: str | None = None,
    max_instances: int | None = None,
    out: Path | str | None = None,
    progress_as: Mode = "quiet",
    on_provider_failure: OnProviderFailure = "stop",
    log_to: Sequence[str] = (),
    **options: Any,
) -> Run:
    """Play a solver on tasks, score what it did, and keep all of it in a new run directory.

    A run that was cut short is gone on with by ``turkbench evaluate --resume``.

    Args:
        solver: Its name (``oracle``, ``gpt-6-luna``; ``turkbench evaluate --list-solvers`` prints all), a class
            of yours, or where that is: ``package.module:Class``, ``path/to/file.py:Class``.
        tasks: Only these tasks: exact names, or globs.
        tasks_dir: The folder of task folders; by default the bundled tasks.
        split: Only tasks of this split, such as ``test``; None for all.
        max_instances: At most this many instances of a task, drawn by ``seed``.
        out: The run directory; by default a new one in ``runs/``.
        progress_as: How the run says on standard error how it gets on: ``bar``, ``plain``, ``json`` or ``quiet``.
        on_provider_failure: When the model's provider answers nobody any more: ``stop`` after some two minutes, or
            ``wait`` until it does.
        log_to: Trackers that the run is logged to as it goes (docs/how-to/tracking.md).
        options: All other options of the command, by their names with underscores: ``seed=1``, ``workers=4``,
            ``network="none"``, ``max_cost=2.5``, ``encoding="axtree"``.

    Returns:
        The run; ``status`` is ``incomplete`` where instances have no score.

    Raises:
        UserError: it cannot be done as asked; the message says why, and what to do.
    """
    chosen = {"tasks": tasks, "tasks_dir": tasks_dir, "split": split, "max_instances": max_instances}
    config = asked_run(solver if isinstance(solver, str) else name_of(solver), {**chosen, **options})
    tell = progress(progress_as)
    for name in log_to:
        check_tracker(name)
    with new_folder(config, Path(out) if out else None, "give another `out`") as folder:
        runner = Runner(config, folder, tell, on_provider_failure=on_provider_failure)
        with Followers(log_to, folder, tell.note) as followers:
            runner.execute(followers)
    return Run(folder)


def name_of(solver: type) -> str:
    """The name under which the processes of a run find a class of a module, or of a notebook's cell.

    Raises:
        UserError: it is defined inside a function or another class.
    """
    if "." in solver.__qualname__:
        raise UserError(
            f"{solver.__qualname__} is defined inside {solver.__qualname__.rpartition('.')[0]}: define it at the top"
        )
    return f"{solver.__module__}:{solver.__qualname__}"
