"""Pages as an environment server of OpenEnv: ``turkbench page openenv --port 8000``.

Its clients reset, step and ask for the state; each has a browser of its own. docs/how-to/other-frameworks.md has the
details.
"""

from __future__ import annotations

import argparse
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.arguments import positive, seconds, whole
from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.records.config import RunConfig

EXIT_CODES = "exit codes: 0 the server was ended; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("page openenv"),
        description=(__doc__ or "").splitlines()[0],
        epilog=EXIT_CODES,
    )
    parse.add_argument(
        "--kind", choices=("form", "site"), default="form", help="kind of the tasks (default: %(default)s)"
    )
    parse.add_argument("--task", metavar="NAME", help="only this task, by name or glob")
    parse.add_argument("--split", metavar="NAME", help="only tasks of this split")
    parse.add_argument(
        "--tasks-dir", type=Path, metavar="DIR", help="folder of task folders (default: the bundled tasks)"
    )
    parse.add_argument("--overlay", type=Path, metavar="FILE", help="further facts about the tasks")
    parse.add_argument("--metrics", default=RunConfig.metrics, metavar="NAME", help="scoring profile")
    parse.add_argument(
        "--encoding", default="simplified", metavar="NAME", help="encoding of a page as text (default: %(default)s)"
    )
    parse.add_argument(
        "--max-steps", type=positive, default=100, metavar="N", help="most steps of an episode (default: %(default)s)"
    )
    parse.add_argument(
        "--max-time", type=seconds, default=300.0, metavar="S", help="most seconds of an episode (default: 300)"
    )
    parse.add_argument(
        "--sessions",
        type=positive,
        default=4,
        metavar="N",
        help="most sessions at a time, each with its own browser (default: %(default)s)",
    )
    parse.add_argument(
        "--idle",
        type=seconds,
        default=600.0,
        metavar="S",
        help="close a session that is idle for so many seconds (default: 600)",
    )
    parse.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen at (default: %(default)s)"
    )
    parse.add_argument(
        "--port",
        type=whole,
        default=8000,
        metavar="N",
        help="port to listen at (default: %(default)s; 0 takes a free one)",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Serve until it is ended; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        import uvicorn  # noqa: PLC0415 - an extra

        from harness.integrations.adapters.openenv.server import application  # noqa: PLC0415
    except ImportError as error:
        install = installing("openenv")
        raise UserError(f"{error.name} is not installed; install it with: {install}") from error
    config = stage_config(
        "openenv",
        arguments.kind,
        task=arguments.task,
        split=arguments.split,
        tasks_dir=arguments.tasks_dir,
        overlay=arguments.overlay,
        metrics=arguments.metrics,
        max_steps=arguments.max_steps,
        max_seconds=arguments.max_time,
    )
    served = application(config, encoding=arguments.encoding, sessions=arguments.sessions, idle_seconds=arguments.idle)
    try:
        listening = socket.create_server((arguments.host, arguments.port))
    except OSError as error:
        raise UserError(f"cannot listen at {arguments.host} port {arguments.port}: {error.strerror}") from error
    with listening, suppress(KeyboardInterrupt):
        print_out(f"http://{arguments.host}:{listening.getsockname()[1]}")
        uvicorn.Server(uvicorn.Config(served, log_level="warning")).run(sockets=[listening])
    return COMPLETE
