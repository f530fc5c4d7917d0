"""A person's review of drawn answers, blind to the metric, and how far the two agree: ``turkbench people review``.

``draw`` draws fields of a run and makes a page on which they are judged, ``take`` reads what reviewers saved there,
``report`` puts verdicts and scores side by side, ``export`` writes both as a table. The run is not changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.replay_arguments import add_pages, pages_of
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import positive, share, whole
from harness.kit.errors import UserError
from harness.kit.text import aligned, counted, markdown_table

if TYPE_CHECKING:
    from harness.reports.reviews.review import ReviewFolder
    from harness.reports.reviews.review_numbers import ReviewedField, ReviewResults

FIELDS = 144
"""As many answers as the authors of TurkingBench reviewed (section 4.5)."""
EXIT_CODES = "exit codes: 0 done; 1 report, export: nothing has been judged; 2 wrong use, or a file that cannot be used"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("people review"), description=__doc__, epilog=EXIT_CODES)
    commands = parse.add_subparsers(dest="command", required=True, metavar="COMMAND")
    drawing = _add(commands, "draw", _draw, "draw fields, and make the page on which they are judged")
    drawing.add_argument(
        "--fields", type=positive, default=FIELDS, metavar="N", help="number of fields to draw (default: %(default)s)"
    )
    drawing.add_argument("--seed", type=whole, default=0, help="seed of the draw (default: %(default)s)")
    add_other_profile(drawing, "profile that says which fields are scored (default: the run's own)")
    add_pages(drawing)
    taking = _add(commands, "take", _take, "read what reviewers saved")
    taking.add_argument("files", type=Path, nargs="+", metavar="FILE", help="saved on the page of the review")
    reporting = _add(commands, "report", _report, "put verdicts and scores side by side")
    reporting.add_argument(
        "--examples",
        type=positive,
        default=5,
        metavar="N",
        help="answers of each kind of disagreement (default: %(default)s)",
    )
    form = reporting.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of tables")
    form.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    exporting = _add(commands, "export", _export, "write verdicts and scores as a table")
    exporting.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="output file; its suffix says the format: .csv or .json"
    )
    for each in (reporting, exporting):
        each.add_argument(
            "--threshold",
            type=share,
            default=0.5,
            metavar="X",
            help="least score, from 0 to 1, at which the metric accepts an answer (default: %(default)s)",
        )
    return parse


def _add(
    commands: argparse._SubParsersAction[CommandLine],
    name: str,
    run: Callable[[argparse.Namespace], int],
    words: str,
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.", epilog=EXIT_CODES)
    command.set_defaults(run_command=run)
    command.add_argument("run", type=Path, metavar="RUN", help="run directory")
    command.add_argument(
        "--review", type=Path, metavar="DIR", help="folder of the review (default: RUN_review, beside the run)"
    )
    return command


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.run_command(arguments)
    except OSError as error:
        raise UserError(f"{error.filename or arguments.run} cannot be written: {error.strerror or error}") from error
    return code


def _folder(arguments: argparse.Namespace) -> ReviewFolder:
    from harness.reports.reviews.review import ReviewFolder  # noqa: PLC0415 - slow to import, and for work only

    return ReviewFolder(arguments.review) if arguments.review else ReviewFolder.beside(arguments.run)


def _draw(arguments: argparse.Namespace) -> int:
    from harness.kit.files.writing import write_bytes  # noqa: PLC0415
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.reports.reviews.answers_given import draw_review, given_answers  # noqa: PLC0415
    from harness.reports.reviews.page_pictures import pictures_of_pages  # noqa: PLC0415
    from harness.reports.reviews.review_page import review_page  # noqa: PLC0415
    from harness.scoring.metrics import PROFILES  # noqa: PLC0415

    folder = _folder(arguments)
    if folder.exists():
        raise UserError(f"{folder.folder} holds a review already: name another folder with --review")
    run = RunDirectory(arguments.run)
    config = run.read().config
    review = draw_review(run, PROFILES[arguments.metrics or config.metrics], arguments.fields, arguments.seed)
    answers = given_answers(run, review)
    looks = pictures_of_pages(review, config, pages_of(arguments), _note)
    write_bytes(folder.page, review_page(review, answers, looks).encode("utf-8", "replace"))
    # Last: a folder with a draw has a page, too.
    folder.write(review)
    print_out(
        f"{counted(len(review.fields), 'field')} of {review.scored_fields} drawn. Open {folder.page} in a browser."
    )
    return COMPLETE


def _take(arguments: argparse.Namespace) -> int:
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.records.verdict import read_verdicts  # noqa: PLC0415
    from harness.reports.reviews.review import check  # noqa: PLC0415

    folder = _folder(arguments)
    review = folder.read(RunDirectory(arguments.run).read())
    saved = [(file, read_verdicts(file)) for file in arguments.files]
    for file, verdicts in saved:
        check(review, verdicts, file)
    for file, verdicts in saved:
        added, others = folder.take(review, verdicts)
        said = f"{file}: {counted(added, 'verdict')} of {verdicts.judge.name} taken."
        if others:
            said += f" {counted(others, 'other one')} left aside: what was said of the same answer first stands."
        print_out(said)
    return COMPLETE


def _report(arguments: argparse.Namespace) -> int:
    from harness.reports.reviews.review_text import as_json, examples_text, results_text  # noqa: PLC0415

    rows, results = _results(arguments)
    if arguments.json:
        print_out(as_json(rows, results).rstrip())
    elif rows:
        print_out(results_text(results, markdown_table if arguments.markdown else aligned))
        if examples := examples_text(rows, arguments.threshold, arguments.examples):
            print_out(f"\n{examples}")
    else:
        _note(f"Nothing has been judged: open {_folder(arguments).page}, and take what is saved there.")
    return COMPLETE if rows else INCOMPLETE


def _export(arguments: argparse.Namespace) -> int:
    from harness.kit.files.writing import write_bytes  # noqa: PLC0415
    from harness.reports.reviews.review_text import as_csv, as_json  # noqa: PLC0415

    if arguments.out.suffix not in {".csv", ".json"}:
        raise UserError(f"{arguments.out}: a table is written as .csv or .json")
    rows, results = _results(arguments)
    made = as_json(rows, results) if arguments.out.suffix == ".json" else as_csv(rows, arguments.threshold)
    write_bytes(arguments.out, made.encode("utf-8", "replace"))
    print_out(f"{counted(len(rows), 'verdict')}: {arguments.out}")
    return COMPLETE if rows else INCOMPLETE


def _results(arguments: argparse.Namespace) -> tuple[Sequence[ReviewedField], ReviewResults]:
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.reports.reviews.judged_review import judged_review  # noqa: PLC0415

    judged = judged_review(RunDirectory(arguments.run), _folder(arguments), arguments.threshold)
    return judged.rows, judged.results


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
