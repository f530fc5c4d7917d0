"""One page as an MCP server, for an assistant that you already have: ``python -m harness.mcp --task T --row R``.

The assistant starts this program and speaks the Model Context Protocol with it over standard input and output. Its
tools are the action library and observations of the page. When it calls ``finish``, or hangs up, the form is submitted
and the episode is written to a run directory; nothing that the assistant can see tells a score.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.browser.launch import NoBrowser
from harness.catalog.problems import CatalogError
from harness.catalog.task import Instance, Task
from harness.episode.registry import UnknownSolver
from harness.episode.solver import WrongOptions
from harness.evaluate import COMPLETE, INCOMPLETE, add_task_arguments, config_of, refused, wrong_use
from harness.files.places import PROJECT
from harness.metrics import PROFILES
from harness.mirror.store import MirrorError
from harness.run.progress import progress
from harness.run.runner import Run, default_folder
from harness.run.server import ServerRefused
from harness.runlog.directory import RunDirectory
from harness.runlog.problems import Hopeless, NothingToDo
from harness.solvers.outside.mcp_relay import SOCKET, relay

SOLVER = "harness.solvers.outside.mcp_socket:SocketSolver"
MAX_SECONDS = 3600.0
"""Time on the page, unless told otherwise: an assistant may ask its user, who may be at lunch."""
EXIT_CODES = "exit codes: 0 the episode is written; 1 it has no score, or was interrupted; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.mcp", description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("--row", type=int, default=0, metavar="R", help="the instance's place in its file, from 0")
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_mcp_<split>)")
    parse.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="tell the assistant which fields there are (default)",
    )
    parse.add_argument(
        "--metrics", choices=list(PROFILES), default="standard", help="scoring profile (default: %(default)s)"
    )
    parse.add_argument("--at", type=Path, metavar="SOCKET", help=argparse.SUPPRESS)
    add_task_arguments(parse)
    parse.set_defaults(max_time=MAX_SECONDS)
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = parser().parse_args(given)
    if len(arguments.task) != 1:
        return wrong_use("give one task: --task NAME")
    if arguments.at is None:
        return _speak_for(given)
    try:
        return _play(arguments, arguments.at)
    except NothingToDo:
        return wrong_use(f"{arguments.task[0]!r} has no labelled instance at row {arguments.row}")
    except (CatalogError, UnknownSolver, WrongOptions, ServerRefused, NoBrowser, MirrorError) as error:
        return wrong_use(str(error))
    except Hopeless as error:
        print(f"error: {error}", file=sys.stderr)
        return INCOMPLETE
    except KeyboardInterrupt:
        return INCOMPLETE
    finally:
        with contextlib.suppress(OSError):
            arguments.at.unlink(missing_ok=True)
            arguments.at.parent.rmdir()


def _play(arguments: argparse.Namespace, path: Path) -> int:
    arguments.workers = 1
    config = config_of(
        arguments, SOLVER, arguments.metrics, {"socket": str(path), "field_names": arguments.field_names}
    )
    if reason := refused(config):
        return wrong_use(reason)
    folder = arguments.out or default_folder(config, datetime.datetime.now(datetime.UTC))
    if reason := RunDirectory(folder).refusal():
        return wrong_use(f"{reason}; give another --out")

    def other_rows(_task: Task, instance: Instance) -> str:
        return "" if instance.index == arguments.row else "other rows"

    result = Run(config, folder, progress("quiet"), other_rows).execute()
    print(f"Run directory: {shlex.quote(str(result.folder))}", file=sys.stderr)
    return COMPLETE if result.status == "complete" else INCOMPLETE


def _speak_for(given: list[str]) -> int:
    """Let another process play the episode, and pass on what it and the assistant say to each other.

    Assistants kill what they have started as soon as they have hung up, or when they end. So this process is the one
    they know; the other, in a session of its own, submits the form and writes the episode however this one ends.
    """
    path = Path(tempfile.mkdtemp(prefix="hm-")) / SOCKET
    command = [sys.executable, "-m", "harness.mcp", "--at", str(path), *given]
    # The project is found from whichever folder this was started in.
    python_path = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": python_path},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),  # standard output belongs to the protocol
        start_new_session=True,
    ) as player:
        relay(str(path), lambda: player.poll() is None)
        return player.wait()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # A thread may still wait for standard input, which would hold up an ordinary end.
    os._exit(code)
