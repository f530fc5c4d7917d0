"""The arguments that make a run again: as a file for ``--config``, and as words of a command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.episode.solver import NoOptions
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.options import NamedOption, options_in
from harness.records.config import Limits, RunConfig, solver_options


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
    return "\n".join(["# python -m harness.evaluate --config FILE makes this run again", *lines, ""])


def _toml(value: Any) -> str:
    if isinstance(value, Path):  # the file is read from wherever
        return _toml(str(value.absolute()))
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # A text of JSON is one of TOML but for what JSON leaves as it is and TOML does not.
    return json.dumps(value).replace("\x7f", "\\u007f")
