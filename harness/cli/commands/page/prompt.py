"""Print what a model would be sent about an instance: ``turkbench page prompt --task T --row R --solver S``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_solver_arguments, options_of
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.kit.errors import UserError
from harness.models.tokens.counting import counter
from harness.models.tokens.vocabulary import VOCABULARIES
from harness.run.run_tasks import fitted
from harness.run.selection import one_instance
from harness.solvers.models.dry_run import planning, reading
from harness.solvers.models.planned_request import PlannedRequest, as_json, as_text, keep_images

EPILOG = "Nothing is sent. Demonstrations are made if they are not in the cache. Exit codes: 0; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("page prompt"), description=__doc__, epilog=EPILOG)
    parse.add_argument("--solver", required=True, metavar="NAME", help="a preset (turkbench evaluate --list-solvers)")
    parse.add_argument(
        "--row", type=int, default=0, metavar="R", help="the instance, by its place in its table (default: %(default)s)"
    )
    parse.add_argument("--field", metavar="NAME", help="protocol field: what is asked about this field (default: all)")
    parse.add_argument("--json", action="store_true", help="one JSON object a request, a line each")
    parse.add_argument(
        "--count-by",
        choices=[vocabulary.name for vocabulary in VOCABULARIES],
        help="count the texts by this vocabulary, too: the lengths in the tables of TurkingBench's paper are by gpt2",
    )
    parse.add_argument("--images", type=Path, metavar="DIR", help="write the pictures there, named by their SHA-256")
    add_task_arguments(parse)
    add_solver_arguments(parse)
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    config = fitted(config_of(arguments, arguments.solver, "standard", options_of(arguments)))
    instance = one_instance(config, arguments.row)
    by = {arguments.count_by: counter(arguments.count_by)} if arguments.count_by else {}

    def note(text: str) -> None:
        print(text, file=sys.stderr)

    with planning(config, note) as solver, reading(config, note) as reader:
        opened = reader.open(instance)
        for planned in _wanted(list(solver.first_requests(opened.page, opened.act)), arguments.field):
            counts = {name: planned.text_tokens(count) for name, count in by.items()}
            print(as_json(planned, counts) if arguments.json else as_text(planned, solver.tokens, counts))
            if arguments.images:
                keep_images(planned.request, arguments.images)
    return COMPLETE


def _wanted(planned: list[PlannedRequest], field: str | None) -> list[PlannedRequest]:
    names = ", ".join(each.field for each in planned if each.field) or "none"
    if field is not None:
        planned = [each for each in planned if each.field == field]
    if not planned:
        raise UserError(f"nothing would be asked; fields that can be asked about: {names}")
    return planned
