"""Find out whether an agent may take workers' places, with as few items as that takes.

Items are drawn by chance and played in looks: 10, 20, 40 of them and so on. After each look every field that is not yet
decided is tested; the pilot ends once all are, or when the budget or the items are used up. All other arguments are
those of `evaluate`: --solver and what belongs to it, --tasks-dir, --network.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.commands import evaluate
from harness.cli.commands.replace import add_weighing, weighed, write
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.text import counted, did_you_mean

EXIT_CODES = "exit codes: 0 every field is decided; 1 some are not, and budget or items are used up; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line, but for the arguments of ``evaluate``."""
    parse = CommandLine(prog=program("pilot"), description=__doc__, epilog=EXIT_CODES, allow_abbrev=False)
    parse.add_argument("task", metavar="TASK", help="name of the task's folder")
    parse.add_argument("--solver", required=True, metavar="NAME", help="the solver, as for evaluate")
    parse.add_argument(
        "--tasks-dir",
        type=Path,
        default=BUNDLED_TASKS,
        metavar="DIR",
        help="the folder of task folders (default: the bundled tasks)",
    )
    parse.add_argument(
        "--budget",
        type=_dollars,
        metavar="DOLLARS",
        help="the most that all rounds together may cost (default: no limit)",
    )
    parse.add_argument("--most", type=positive, metavar="N", help="most items (default: all that have labels)")
    parse.add_argument("--seed", type=whole, default=0, help="seed of the draw of items (default: %(default)s)")
    parse.add_argument("--out", type=Path, metavar="DIR", help="output folder (default: runs/pilot_TASK_SOLVER)")
    add_weighing(parse)
    add_other_profile(parse)
    return parse


def _dollars(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except ArithmeticError:
        found = Decimal(0)
    if not found.is_finite() or found <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars above 0")
    return found


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments, others = parser().parse_known_args(argv)
    from harness.analysis.replacement.sequential import FIRST_LOOK, SequentialDecision, looks_up_to  # noqa: PLC0415 - slow to import
    from harness.kit.files.writing import path_name, write_bytes  # noqa: PLC0415
    from harness.reports.replacement_page import PAGE, text_of  # noqa: PLC0415

    items = _drawn(arguments)
    out = arguments.out or Path("runs") / path_name(f"pilot_{arguments.task}_{arguments.solver.rpartition(':')[2]}")
    if out.exists():
        raise UserError(f"{out} is there already: name another folder with --out")
    sizes = looks_up_to(len(items), FIRST_LOOK)
    decision, runs, said = SequentialDecision(sizes), list[Path](), ""
    for number, (before, size) in enumerate(zip((0, *sizes), sizes, strict=False), start=1):
        run = out / f"look-{number:02}"
        with naming_the_file(otherwise=out):
            write_bytes(_items(run), _table(arguments.task, items[before:size]).encode())
        code = evaluate.main([*_words(arguments, run, runs), *others])
        if code == WRONG_USE:
            return WRONG_USE
        runs.append(run)
        _, found = weighed(runs, arguments, decision.level(number))
        found = decision.after(number, found)
        with naming_the_file(otherwise=out):
            write(found, arguments.tasks_dir, out)
        said = text_of(found)
        print_out(f"\nLook {number}: {counted(size, 'item')}; {decision.told}\n")
        if decision.is_decided or code == INCOMPLETE:
            break
    print_out(f"{said}\n\n{out / PAGE}")
    return COMPLETE if decision.is_decided else INCOMPLETE


def _drawn(arguments: argparse.Namespace) -> list[str]:
    """The ids of the items, in the order in which they are played."""
    catalog = Catalog(arguments.tasks_dir)
    if arguments.task not in (names := catalog.names()):
        raise UserError(
            f"there is no task {arguments.task!r} in {arguments.tasks_dir}.{did_you_mean(arguments.task, names)}"
        )
    labelled = [each.id for each in catalog.task(arguments.task).instances if any(map(any, each.labels.values()))]
    if not labelled:
        raise UserError(f"nobody labelled an item of {arguments.task!r}: a pilot needs some that people answered")
    order = sorted(labelled, key=lambda each: hashlib.sha256(f"{arguments.seed}:{each}".encode()).digest())
    return order[: arguments.most]


def _items(run: Path) -> Path:
    """The file that names the items of a look; no pattern for the run directories meets it."""
    return run.with_name(f"items-{run.name.removeprefix('look-')}.csv")


def _words(arguments: argparse.Namespace, run: Path, before: Sequence[Path]) -> list[str]:
    """The command line of the run of one look."""
    words = ["--solver", arguments.solver, "--tasks-dir", str(arguments.tasks_dir), "--out", str(run)]
    words += ["--split", str(_items(run)), "--seed", str(arguments.seed)]
    if arguments.metrics:
        words += ["--metrics", arguments.metrics]
    if arguments.budget:
        words += ["--max-cost", str(arguments.budget - _spent(before))]
    return words


def _spent(runs: Sequence[Path]) -> Decimal:
    from harness.records.directory import RunDirectory  # noqa: PLC0415

    spent = [RunDirectory(run).read().spent for run in runs]
    return sum((Decimal(str(each.cost)) for each in spent if each and each.cost is not None), Decimal(0))


def _table(task: str, ids: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(("task", "id"))
    table.writerows((task, each) for each in ids)
    return text.getvalue()
