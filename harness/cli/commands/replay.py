"""Do again what a run did, from its action text, and compare what came of it: ``turkbench replay RUN``.

Of a form that is what it sends; on a website all that happened, how the site stands, and what evaluators say.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.replay_arguments import add_browsers, add_pages, worked_pages_of
from harness.kit.arguments import add_some, whole
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.records.config import RunConfig


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("replay"),
        description=__doc__,
        epilog="exit codes: 0 all came out the same; 1 something differs; 2 wrong use",
    )
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    parse.add_argument("task", nargs="?", metavar="TASK", help="replay only this task (default: all episodes)")
    parse.add_argument(
        "index", nargs="?", type=whole, metavar="INDEX", help="number of the instance in its table, from 0"
    )
    add_pages(parse)
    add_browsers(parse)
    parse.add_argument(
        "--film", action="store_true", help="record a film for each episode that has none, and add it to the run"
    )
    add_some(parse, RunConfig, "film_pictures")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.run.replaying import replay  # noqa: PLC0415

    run = RunDirectory.open(arguments.run)
    film = arguments.film_pictures if arguments.film else None
    only = None
    if arguments.task is not None:
        if arguments.index is None:
            raise UserError(f"which instance of {arguments.task!r}? Name its place in its table, too")
        only = (arguments.task, arguments.index)
    found = replay(run, worked_pages_of(arguments), arguments.workers, arguments.progress, film=film, only=only)
    for difference in found.differences:
        print(difference)
    if arguments.film:
        print(f"{counted(found.filmed, 'film')} made")
    if found.unseen:
        what = counted(found.unseen, "episode")
        print(f"{what} of {arguments.run}: the solver worked past the action library, so that no actions are recorded")
    if found.count or found.differences:
        differences = counted(len(found.differences), "difference")
        print(f"{counted(found.count, 'episode')} replayed, {differences}")
    elif found.unseen:
        print("nothing to replay")
    else:
        print(f"nothing to replay: in no episode of {arguments.run} did anybody work on a page")
    return INCOMPLETE if found.differences else COMPLETE
