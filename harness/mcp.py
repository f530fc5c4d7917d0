"""One page as an MCP server, for an assistant that you already have: ``python -m harness.mcp --task T --row R``.

The assistant starts this program and speaks the Model Context Protocol with it over standard input and output. Its
tools are the action library and observations of the page. When it calls ``finish``, or hangs up, the form is submitted
and the episode is written to a run directory; nothing that the assistant can see tells a score.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import error_boundary
from harness.cli.exit_codes import COMPLETE, INCOMPLETE
from harness.cli.profile_arguments import add_profile
from harness.cli.program import program
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.errors.user import UserError
from harness.run.runner import default_folder
from harness.runlog.directory import RunDirectory
from harness.runlog.fatal import NothingToDo
from harness.solvers.outside.mcp_player import play_row, speak_for

SOLVER = "harness.solvers.outside.mcp_socket:SocketSolver"
MAX_SECONDS = 3600.0
"""Time on the page, unless told otherwise: an assistant may ask its user, who may be at lunch."""
EXIT_CODES = "exit codes: 0 the episode is written; 1 it has no score, or was interrupted; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog=program("harness.mcp"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("--row", type=int, default=0, metavar="R", help="the instance's place in its file, from 0")
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_mcp_<split>)")
    parse.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="tell the assistant which fields there are (default)",
    )
    add_profile(parse)
    parse.add_argument("--at", type=Path, metavar="SOCKET", help=argparse.SUPPRESS)
    add_task_arguments(parse)
    parse.set_defaults(max_time=MAX_SECONDS)
    return parse


@error_boundary(interrupted="")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = sys.argv[1:] if argv is None else argv
    arguments = parser().parse_args(given)
    if len(arguments.task) != 1:
        raise UserError("give one task: --task NAME")
    if arguments.at is None:
        return speak_for(given)
    try:
        return _play(arguments, arguments.at)
    except NothingToDo as error:
        what = f"{arguments.task[0]!r} has no labelled instance at row {arguments.row}"
        raise UserError("\n".join([what, *(f"problem: {problem}" for problem in error.problems)])) from error
    finally:
        with contextlib.suppress(OSError):
            arguments.at.unlink(missing_ok=True)
            arguments.at.parent.rmdir()


def _play(arguments: argparse.Namespace, path: Path) -> int:
    arguments.workers = 1
    config = config_of(
        arguments, SOLVER, arguments.metrics, {"socket": str(path), "field_names": arguments.field_names}
    )
    folder = arguments.out or default_folder(config, datetime.datetime.now(datetime.UTC))
    if reason := RunDirectory(folder).refusal():
        raise UserError(f"{reason}; give another --out")
    result = play_row(config, folder, arguments.row)
    print(f"Run directory: {shlex.quote(str(result.folder))}", file=sys.stderr)
    return COMPLETE if result.status == "complete" else INCOMPLETE


if __name__ == "__main__":
    sys.exit(main())
