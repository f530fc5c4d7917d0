"""One page as an MCP server, for an assistant that you already have: ``turkbench page mcp --task T --row R``.

The assistant starts this program and speaks the Model Context Protocol with it over standard input and output. Its
tools are the action library and observations of the page. When it calls ``finish``, or hangs up, the form is submitted
and the episode is written to a run directory; nothing that the assistant can see tells a score.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.task_arguments import add_page_arguments, page_config
from harness.kit.arguments import add_options, whole
from harness.kit.errors import UserError
from harness.records.config import ACTIONS, FILMS, RunConfig
from harness.records.fatal import NothingToDo
from harness.run.forked import in_child
from harness.run.new_folder import new_folder
from harness.run.selection import one_instance
from harness.solvers.outside.mcp_player import play_row, speak_for

SOLVER = "harness.solvers.outside.mcp_socket:SocketSolver"
EXIT_CODES = "exit codes: 0 the episode is written; 1 it has no score, or was interrupted; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("page mcp"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument(
        "--task", required=True, metavar="NAME", help="name of the task, or a glob that only this task matches"
    )
    parse.add_argument("--row", type=whole, default=0, metavar="R", help="number of the instance in its table, from 0")
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_mcp_all)")
    parse.add_argument("--at", type=Path, metavar="SOCKET", help=argparse.SUPPRESS)
    add_page_arguments(parse)
    add_options(parse, RunConfig, ACTIONS)
    add_options(parse, RunConfig, FILMS, defaults={"film": "steps"})
    return parse


@error_boundary(interrupted="")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = sys.argv[1:] if argv is None else argv
    arguments = parser().parse_args(given)
    if arguments.at is None:
        return speak_for(given)
    try:
        return _play(arguments, arguments.at)
    finally:
        with contextlib.suppress(OSError):
            arguments.at.unlink(missing_ok=True)
            arguments.at.parent.rmdir()


def _play(arguments: argparse.Namespace, path: Path) -> int:
    options = {"socket": str(path), "field_names": arguments.field_names}
    config = page_config(arguments, SOLVER, arguments.task, options)
    task, index = in_child(lambda: _place_of(config, arguments.row))
    try:
        with new_folder(replace(config, solver="mcp"), arguments.out) as folder:
            result = play_row(config, folder, index)
    except NothingToDo as error:
        lack = "this cannot be played:" if error.problems else "nobody labelled"
        what = f"{lack} row {index} of {task!r}; choose another --row"
        raise UserError("\n".join([what, *(f"problem: {problem}" for problem in error.problems)])) from error
    print(f"Run directory: {shlex.quote(str(result.folder))}", file=sys.stderr)
    return COMPLETE if result.status == "complete" else INCOMPLETE


def _place_of(config: RunConfig, row: int) -> tuple[str, int]:
    """The task and the row of the page, without the labels of its table, which the solver's process is not to hold."""
    instance = one_instance(config, row)
    return instance.task, instance.index
