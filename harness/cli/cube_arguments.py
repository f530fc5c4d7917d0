"""Arguments that choose a benchmark of CUBE instead of a folder of tasks."""

from __future__ import annotations

import argparse
import json
from typing import Any

from harness.errors.user import UserError
from harness.files.places import BUNDLED_TASKS
from harness.runlog.config import CubeChoice


def add_cube(parse: argparse.ArgumentParser) -> None:
    """Add them, in a group of their own."""
    cube = parse.add_argument_group("a benchmark of CUBE")
    cube.add_argument(
        "--cube",
        metavar="NAME",
        help="play the tasks of an installed benchmark of CUBE that wants a browser: its name in `cube list`, or "
        "package.module:Class of its configuration; its code is run",
    )
    cube.add_argument(
        "--cube-origin",
        action="append",
        metavar="URL",
        help="where its pages are, e.g. http://localhost:8000: browsers go there and nowhere else; may be repeated",
    )
    cube.add_argument(
        "--cube-set",
        type=_setting,
        action="append",
        metavar="NAME=VALUE",
        help="an attribute of its configuration, e.g. port=8001: a number, true, false, null, a list of these as JSON, "
        "or else a text; may be repeated",
    )


def cube_of(arguments: argparse.Namespace) -> CubeChoice | None:
    """The benchmark that the arguments of ``add_cube`` choose; None for tasks of a folder.

    Raises:
        UserError: something is missing, or does not go with it.
    """
    if arguments.cube is None:
        for option in ("cube_origin", "cube_set"):
            if getattr(arguments, option):
                raise UserError(f"--{option.replace('_', '-')} goes with --cube")
        return None
    if arguments.tasks_dir != BUNDLED_TASKS:
        raise UserError("--cube has tasks of its own: leave --tasks-dir and --dataset out")
    if not arguments.cube_origin:
        raise UserError(
            "--cube: say with --cube-origin where its pages are, e.g. http://localhost:8000; browsers go nowhere else"
        )
    return CubeChoice(arguments.cube, tuple(arguments.cube_origin), dict(arguments.cube_set or ()))


def _setting(text: str) -> tuple[str, Any]:
    """The type of a setting: its name and its value."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
