"""Runs as training examples, preference pairs, plain tables or features of fields: ``python -m harness.export RUN``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.argument_types import positive
from harness.cli.boundary import error_boundary
from harness.cli.exit_codes import COMPLETE, INCOMPLETE
from harness.cli.program import program
from harness.cli.replay_arguments import add_browsers, add_pages, worked_pages_of
from harness.errors.user import UserError
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES as SCREENSHOTS
from harness.solvers.models.recipe import Recipe
from harness.solvers.options import FORM_PROTOCOLS
from harness.trajectory.export_summary import ExportSummary
from harness.trajectory.exported_runs import ExportChoice, open_all
from harness.trajectory.exporting import FORMATS, GOOD, WantedExport, write, write_features


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog=program("harness.export"),
        description=__doc__,
        epilog="exit codes: 0 done; 1 there was nothing to export, or it was interrupted; 2 wrong use",
    )
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directory")
    parse.add_argument(
        "--format",
        choices=list(FORMATS),
        help="sft: chat examples; preference: pairs of a better and a worse reply; jsonl, parquet: tables of episodes, "
        "fields, steps and turns",
    )
    parse.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="sft, preference: the file (default: standard output); jsonl, parquet: the folder of the tables",
    )
    parse.add_argument("--features", type=Path, metavar="DIR", help="dump picture, HTML and actions of every field")
    parse.add_argument(
        "--min-score",
        type=float,
        metavar="X",
        help=f"only episodes with at least this score, 0 to 1 (default for sft: {GOOD:g}, but all of the oracle's; "
        "else all)",
    )
    parse.add_argument("--solver", action="append", metavar="NAME", help="only runs of this solver (repeatable)")
    parse.add_argument("--split", action="append", metavar="NAME", help="only tasks of this split (repeatable)")
    _add_replaying(parse)
    return parse


def _add_replaying(parse: argparse.ArgumentParser) -> None:
    replayed = parse.add_argument_group(
        "episodes without a model, and --features", "They are done again in a browser, to see each page."
    )
    replayed.add_argument("--protocol", choices=FORM_PROTOCOLS, default="field", help="(default: %(default)s)")
    replayed.add_argument("--encoding", choices=[*ENCODINGS, "none"], default="relevant", help="(default: %(default)s)")
    replayed.add_argument(
        "--screenshot", choices=SCREENSHOTS, default="none", help="needs --out (default: %(default)s)"
    )
    replayed.add_argument(
        "--max-input-tokens",
        type=positive,
        default=Recipe.max_input_tokens,
        metavar="N",
        help="of an example's prompt; the page shrinks to fit (default: %(default)s)",
    )
    add_pages(replayed)
    add_browsers(replayed)


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    _check(arguments)
    wanted = WantedExport(
        arguments.format,
        arguments.out,
        ExportChoice(arguments.min_score, tuple(arguments.solver or ()), tuple(arguments.split or ())),
        Recipe(
            model="",
            protocol=arguments.protocol,
            encoding=arguments.encoding,
            screenshot=arguments.screenshot,
            max_input_tokens=arguments.max_input_tokens,
        ),
        {"pages": worked_pages_of(arguments), "workers": arguments.workers, "mode": arguments.progress},
    )
    summary = ExportSummary()
    sources = open_all(arguments.runs)
    if arguments.features:
        write_features(wanted, sources, arguments.features, summary)
    write(wanted, sources, summary)
    print(summary, file=sys.stderr)
    return COMPLETE if summary.count else INCOMPLETE


def _check(arguments: argparse.Namespace) -> None:
    """Refuse arguments that cannot be meant so.

    Raises:
        UserError: they cannot.
    """
    if not arguments.format and not arguments.features:
        raise UserError(f"give --format ({', '.join(FORMATS)}) or --features DIR")
    if arguments.format in ("jsonl", "parquet") and not arguments.out:
        raise UserError(f"--format {arguments.format} writes several tables: name their folder with --out")
    if arguments.screenshot != "none" and not arguments.out:
        raise UserError("--screenshot writes pictures beside the examples: name their file with --out")
    if arguments.encoding == "none" and arguments.screenshot == "none":
        raise UserError("--encoding none shows a page as a picture alone: give --screenshot, too")
    if arguments.screenshot == "element" and arguments.protocol == "form":
        raise UserError("--screenshot element shows one field: --protocol form needs another")


if __name__ == "__main__":
    sys.exit(main())
