"""Arguments that choose a solver and its options, by which profile it is scored, and a benchmark of CUBE."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import Any, ClassVar

from harness.episode.solver import NoOptions
from harness.kit.arguments import add_options
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.options import flag, names_of, option
from harness.records.config import SCORING, CubeChoice, RunConfig, known_options, option_names
from harness.scoring.metrics import PROFILES


def add_profile(parse: argparse.ArgumentParser) -> None:
    """Add the profile of a run that is to be made."""
    add_options(parse, RunConfig, SCORING)


def add_other_profile(
    parse: argparse.ArgumentParser, explanation: str = "scoring profile (default: the run's own)"
) -> None:
    """Add a profile by which runs that are there are scored again; without it the value is None.

    Args:
        parse: The command line.
        explanation: What its help says.
    """
    parse.add_argument("--metrics", choices=list(PROFILES), help=explanation)


def add_solver_arguments(parse: argparse.ArgumentParser) -> None:
    """Add the options of all solvers that have a name; none has a default here."""
    for record in known_options():
        add_options(parse, record)


def options_of(arguments: argparse.Namespace, own: type[Any] = NoOptions) -> dict[str, Any]:
    """The options that were given, as JSON holds them.

    Args:
        arguments: The parsed command line.
        own: The record of a solver without a name, whose options were added, too.
    """
    names = dict.fromkeys([*option_names(argument=True), *names_of(own, argument=True)])
    found = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _setting(text: str) -> tuple[str, Any]:
    """The type of a setting: its name and its value."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@dataclass(frozen=True, kw_only=True)
class CubeOptions:
    """Which benchmark of CUBE is played."""

    GROUP: ClassVar[str] = "CUBE benchmarks"

    cube: str | None = option(
        metavar="NAME",
        help="play the tasks of an installed CUBE benchmark that uses a browser: its name in `cube "
        "list`, or package.module:Class of its configuration; its code is executed",
        on_resume="agree",
    )
    cube_origin: tuple[str, ...] | None = option(
        metavar="URL",
        help="address of its pages, e.g. http://localhost:8000; browsers can reach nothing else; may be repeated",
        on_resume="agree",
    )
    cube_set: tuple[tuple[str, Any], ...] | None = option(
        takes=_setting,
        metavar="NAME=VALUE",
        help="an attribute of its configuration, e.g. port=8001; the value is JSON, else a text; may be repeated",
        on_resume="agree",
    )


def cube_of(arguments: argparse.Namespace) -> CubeChoice | None:
    """The benchmark that the arguments of ``CubeOptions`` choose; None for tasks of a folder.

    Raises:
        UserError: something is missing, or does not go with it.
    """
    if arguments.cube is None:
        for name in ("cube_origin", "cube_set"):
            if getattr(arguments, name):
                raise UserError(f"{flag(name)} goes with --cube")
        return None
    if arguments.tasks_dir != BUNDLED_TASKS:
        raise UserError("--cube has tasks of its own: leave --tasks-dir and --dataset out")
    if not arguments.cube_origin:
        raise UserError(
            "--cube: say with --cube-origin where its pages are, e.g. http://localhost:8000; browsers go nowhere else"
        )
    return CubeChoice(arguments.cube, tuple(arguments.cube_origin), dict(arguments.cube_set or ()))
