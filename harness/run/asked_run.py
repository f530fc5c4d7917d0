"""The run that somebody asks for, by the names of options: on a command line, in a file, or in a call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.browser.browser_choice import visitor_of
from harness.catalog.splits import is_file
from harness.episode.registry import find_solver
from harness.episode.solver import NoOptions
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.kit.files.installation import BUNDLED_TASKS, cores
from harness.kit.options import NamedOption, UnknownOption, flag, options_in, read_options
from harness.kit.text import did_you_mean
from harness.records.config import ONE_DESKTOP, Limits, RunConfig, solver_options

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
    if (split := asked.get("split")) == EVERY_SPLIT:
        del asked["split"]
    elif split and is_file(split):
        asked["split"] = str(Path(split).resolve())  # a run is gone on with from any folder
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


def arguments_of(config: RunConfig, own: type[Any] = NoOptions) -> dict[str, Any]:
    """What has to be given for the same run: argument without dashes in front -> text, path, number, truth, or a list.

    Args:
        config: What was asked for, with what was left open filled in.
        own: The record of options of a solver that has no name.
    """
    found: dict[str, Any] = {"solver": config.solver}
    found |= _given(options_in(RunConfig), vars(config))
    if config.cube:
        del found["tasks-dir"]
        settings = [f"{name}={json.dumps(value)}" for name, value in config.cube.settings.items()]
        found |= {"cube": config.cube.name, "cube-origin": list(config.cube.origins)}
        found |= {"cube-set": settings} if settings else {}
    elif config.tasks_dir == BUNDLED_TASKS:
        del found["tasks-dir"]
    of_solver = (*solver_options(), *options_in(own))
    return found | _given(options_in(Limits), vars(config.limits)) | _given(of_solver, config.options)


def _given(known: Iterable[NamedOption], values: Any) -> dict[str, Any]:
    """Those that are given and can be: a switch that is off by default is left out while it is."""
    found = {}
    for each in known:
        value = values.get(each.name)
        if each.about.argument and value not in (None, ()) and not (value is False and each.default is False):
            found[each.flag.removeprefix("--")] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, list | tuple) else value


def words_of(config: RunConfig) -> list[str]:
    """The same as words of a command line, without the number of workers: no score depends on it."""
    words: list[str] = []
    for name, value in arguments_of(config).items():
        if name == "workers":
            continue
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [
                word for each in (value if isinstance(value, list) else [value]) for word in (f"--{name}", str(each))
            ]
    return words


def config_toml(config: RunConfig, own: type[Any] = NoOptions) -> str:
    """The same as a file for ``--config``; the arguments are those of ``arguments_of``."""
    lines = [f"{name.replace('-', '_')} = {_toml(value)}" for name, value in arguments_of(config, own).items()]
    return "\n".join(["# turkbench evaluate --config FILE makes this run again", *lines, ""])


def _toml(value: Any) -> str:
    if isinstance(value, Path):  # the file is read from wherever
        return _toml(str(value.absolute()))
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # A text of JSON is one of TOML but for what JSON leaves as it is and TOML does not.
    return json.dumps(value).replace("\x7f", "\\u007f")
