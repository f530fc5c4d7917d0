"""A solver evaluated by one call: what ``python -m harness.evaluate`` does for its command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from harness.api.run import Run
from harness.cli.task_arguments import checked, default_workers
from harness.episode.registry import find_solver
from harness.errors.user import UserError
from harness.files.codec import Malformed, plain, typed
from harness.files.places import BUNDLED_TASKS
from harness.run.new_folder import new_folder
from harness.run.pause import OnProviderFailure
from harness.run.progress import Mode, progress
from harness.run.runner import Run as Runner
from harness.runlog.config import RunConfig
from harness.solvers.options import NAMES
from harness.text.closest import did_you_mean
from harness.tracking.followers import Followers

_SETTINGS = frozenset(each.name for each in fields(RunConfig)) - {"solver", "options", "limits", "cube"}
_LIMITS = {"max_steps": "max_steps", "max_time": "max_seconds"}


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

    A run that was cut short is gone on with by ``python -m harness.evaluate --resume``.

    Args:
        solver: Its name (``oracle``, ``gpt-6-luna``; ``python -m harness.evaluate --list-solvers`` prints all), a class
            of yours, or where that is: ``package.module:Class``, ``path/to/file.py:Class``.
        tasks: Only these tasks: exact names, or globs.
        tasks_dir: The folder of task folders; by default the bundled tasks.
        split: Only tasks of this split, such as ``test``; None for all.
        max_instances: At most this many instances of a task, drawn by ``seed``.
        out: The run directory; by default a new one in ``runs/``.
        progress_as: How the run says on standard error how it gets on: ``bar``, ``plain``, ``json`` or ``quiet``.
        on_provider_failure: When the model's provider answers nobody any more: ``stop`` after some two minutes, or
            ``wait`` until it does.
        log_to: Trackers that the run is logged to as it goes (docs/tracking.md).
        options: All other options of the command, by their names with underscores: ``seed=1``, ``workers=4``,
            ``network="none"``, ``max_cost=2.5``, ``encoding="axtree"``.

    Returns:
        The run; ``status`` is ``incomplete`` where instances have no score.

    Raises:
        UserError: it cannot be done as asked; the message says why, and what to do.
    """
    chosen = {"tasks": tasks, "tasks_dir": tasks_dir, "split": split, "max_instances": max_instances}
    config = run_config(solver if isinstance(solver, str) else name_of(solver), {**chosen, **options})
    tell = progress(progress_as)
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


def run_config(solver: str, settings: Mapping[str, Any]) -> RunConfig:
    """What a run is asked for.

    Args:
        solver: Its name.
        settings: Options of the command by their names; those that are not the run's are the solver's.

    Raises:
        UserError: there is no such solver or option, or its value is none.
    """
    known = _SETTINGS | set(_LIMITS) | set(NAMES)
    if unknown := next((each for each in settings if each not in known), None):
        raise UserError(f"no option is called {unknown!r}.{did_you_mean(unknown, sorted(known))}")
    entry = find_solver(solver)
    given = {name: value for name, value in settings.items() if value is not None}
    how = Namespace(headed=given.get("headed", False), input=given.get("input", "devtools"))
    usual = {"workers": default_workers(solver, how), "film": "steps" if entry.is_filmed else "none"}
    own = {name: value for name, value in given.items() if name in _SETTINGS}
    if isinstance(own.get("tasks"), str):
        own["tasks"] = (own["tasks"],)
    limits = {_LIMITS[name]: value for name, value in given.items() if name in _LIMITS}
    options = {name: value for name, value in given.items() if name in NAMES}
    record = {"solver": solver, "tasks_dir": BUNDLED_TASKS, "options": options, "limits": limits, **usual, **own}
    try:
        config = typed(plain(record), RunConfig)
    except Malformed as error:
        raise UserError(f"an option is none of its values: {str(error).removeprefix('$.')}") from error
    # What is made of JSON lacks the attributes that it leaves open, and would be written without them.
    return checked(replace(config, limits=replace(config.limits)))
