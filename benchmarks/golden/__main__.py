"""Record golden runs, and compare two recordings: the package's docstring says how."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.golden.comparison import compare
from benchmarks.golden.plan import steps
from benchmarks.golden.recorder import CHECKOUT, FACTS, record


def main() -> int:
    """Exit code: 0 recorded, or no difference; 1 differences; 2 wrong use."""
    parse = argparse.ArgumentParser(prog="python -m benchmarks.golden", description=__doc__)
    commands = parse.add_subparsers(required=True, metavar="COMMAND")
    only = argparse.ArgumentParser(add_help=False)
    only.add_argument("--only", action="append", default=[], metavar="GLOB", help="only these steps; may be repeated")

    recording = commands.add_parser("record", parents=[only], help="run all steps of the plan")
    recording.add_argument("out", type=Path, metavar="OUT", help="folder of the recording; is made")
    recording.add_argument("--tasks-dir", type=Path, default=_default_tasks(), metavar="DIR", help="real tasks")
    recording.add_argument("--workers", type=int, default=2, metavar="N", help="at a time (default: %(default)s)")
    recording.set_defaults(run=_record)

    comparing = commands.add_parser("compare", parents=[only], help="print what differs")
    comparing.add_argument("before", type=Path, metavar="BEFORE")
    comparing.add_argument("after", type=Path, metavar="AFTER")
    comparing.add_argument("--messages-may-differ", action="store_true", help="other words of results are no failure")
    comparing.add_argument("--show", type=int, default=10, metavar="N", help="of each kind (default: %(default)s)")
    comparing.set_defaults(run=_compare)

    arguments = parse.parse_args()
    try:
        code: int = arguments.run(arguments)
    except WrongUse as error:
        parse.error(str(error))
    return code


class WrongUse(Exception):
    """What the command was told to do cannot be done."""


def _record(arguments: argparse.Namespace) -> int:
    out = arguments.out.resolve()
    if out.exists() and any(out.iterdir()):
        raise WrongUse(f"{out} is not empty")
    if not arguments.tasks_dir.is_dir():
        raise WrongUse(f"{arguments.tasks_dir} is no folder; give --tasks-dir or set TURKINGBENCH_DIR")
    record(out, steps(tuple(arguments.only)), arguments.tasks_dir.resolve(), arguments.workers)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    for folder in (arguments.before, arguments.after):
        if not (folder / FACTS).is_file():
            raise WrongUse(f"{folder} is no recording: it has no {FACTS}")
    found = compare(arguments.before, arguments.after, tuple(arguments.only))
    print(found.text(arguments.show))
    return int(found.fails(messages_may_differ=arguments.messages_may_differ))


def _default_tasks() -> Path:
    """As of the other benchmarks: ``$TURKINGBENCH_DIR/tasks``, else beside the checkout."""
    named = os.environ.get("TURKINGBENCH_DIR")
    return (Path(named) if named else CHECKOUT.parent / "shared" / "turkingbench") / "tasks"


if __name__ == "__main__":
    sys.exit(main())
