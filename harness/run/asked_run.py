"""The run that somebody asks for, by the names of options: on a command line, in a file, or in a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.browser.browser_choice import visitor_of
from harness.episode.registry import find_solver
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.kit.files.installation import BUNDLED_TASKS, cores
from harness.kit.options import UnknownOption, flag, options_in, read_options
from harness.kit.text import did_you_mean
from harness.records.config import ONE_DESKTOP, Limits, RunConfig

WAITING_WORKERS = 4
"""Workers a core for a solver that waits for a model most of the time."""
EVERY_SPLIT = "all"


def asked_run(solver: str, asked: Mapping[str, Any]) -> RunConfig:
    """The run of a solver with options.

    Args:
        solver: A name as ``find_solver`` takes it.
        asked: Options of the run, its limits and the solver, by their names or those of their arguments, such as
            ``max_seconds`` or ``max_time``; None is as good as left out, and what is left out is as usual.

    Raises:
        harness.episode.registry.UnknownSolver: there is no such solver.
        UserError: there is no option of a name, it cannot have that value, or the run cannot be so.
    """
    found = find_solver(solver)
    options, limits, of_run = dict[str, Any](), dict[str, Any](), dict[str, Any](tasks_dir=BUNDLED_TASKS)
    places = {**_names(found.options, options), **_names(Limits, limits), **_names(RunConfig, of_run)}
    for name, value in asked.items():
        if name not in places:
            near = did_you_mean(name, places)
            raise UnknownOption(f"{flag(name)}: there is no such option{near and f'.{near}'}")
        where, called = places[name]
        if value is not None:
            where[called] = value
    if isinstance(tasks := of_run.get("tasks"), str):
        of_run["tasks"] = [tasks]
    return completed(solver, of_run, limits, plain(options))


def _names(record: type[Any], where: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """What a record's options can be called -> where their values go, and under which name."""
    called = [(each.name, (each.name, each.flag[2:].replace("-", "_"))) for each in options_in(record)]
    return {name: (where, own) for own, names in called for name in names}


def completed(
    solver: str, of_run: Mapping[str, Any], limits: Mapping[str, Any], options: Mapping[str, Any]
) -> RunConfig:
    """A run with what was left open filled in, as far as that depends on the solver.

    Args:
        solver: Its solver.
        of_run: What was asked for, by the attributes of ``RunConfig``.
        limits: By those of ``Limits``.
        options: Of the solver.

    Raises:
        UserError: it cannot be so.
    """
    found = find_solver(solver)
    asked = {name: value for name, value in of_run.items() if value is not None}
    if asked.get("split") == EVERY_SPLIT:
        del asked["split"]
    is_alone = bool(asked.get("headed")) or asked.get("input") == "desktop"
    usual = {
        "workers": 1 if is_alone else cores() * (WAITING_WORKERS if found.waits else 1),
        "film": "steps" if found.is_filmed else "none",
    }
    made = {"solver": solver, "options": options, "limits": plain(read_options(Limits, plain(dict(limits))))}
    config = read_options(RunConfig, plain({**usual, **asked}), others=made)
    if (config.browser_url or config.grid) and visitor_of(config.visitor).channel:
        raise UserError("--visitor channel starts a browser here: leave it, or --browser-url and --grid, out")
    if config.input == "desktop" and config.fresh_context:
        raise UserError("--fresh-context opens windows of its own, which --input desktop cannot show")
    if config.input == "webdriver" and found.drives_itself:
        raise UserError(
            f"--solver {solver} drives the browser itself: --input webdriver is for solvers that use the action library"
        )
    if config.input == "desktop" and config.workers > 1:
        raise UserError(ONE_DESKTOP)
    return config
