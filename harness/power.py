"""Plan a comparison: ``python -m harness.power RUN [RUN_B]`` says what size shows which difference."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from harness.analysis.comparison import NothingShared
from harness.analysis.planning import (
    CORRELATION,
    Basis,
    Design,
    Need,
    NoVariance,
    basis_of_one,
    basis_of_two,
    design,
    need,
)
from harness.analysis.seeds import Result, group
from harness.cli.program import program
from harness.compare import add_reading_arguments, read_runs, result_record
from harness.evaluate import COMPLETE, wrong_use
from harness.runlog.directory import NotARun
from harness.score import print_out
from harness.statistics.sample_size import LEVEL, POWER
from harness.statistics.significance import MIN_CLUSTERS
from harness.text.tables import aligned

EXIT_CODES = "exit codes: 0 planned; 2 wrong use, or runs that cannot be read or tell nothing of the variance"
PAPER_DESIGN = (20, 20)
"""Tasks and instances of each that the TurkingBench paper evaluates models on (section 5)."""
DIFFERENCES = (1.0, 2.0, 5.0, 10.0)
"""Points that are planned for unless others are asked for."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog=program("harness.power"),
        description="From one run, or from two whose solvers are to be compared, say how many instances or tasks show "
        "a difference, and which difference a design shows. docs/comparing.md explains the figures.",
        epilog=EXIT_CODES,
    )
    parse.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="run directories of one solver or of two, in any number of seeds",
    )
    add_reading_arguments(parse)
    parse.add_argument("--split", metavar="NAME", help="go by the tasks of this split alone")
    parse.add_argument(
        "--difference",
        type=_points,
        action="append",
        metavar="D",
        help="a difference of headlines to be shown, in points of per cent; may be repeated "
        f"(default: {', '.join(f'{points:g}' for points in DIFFERENCES)})",
    )
    parse.add_argument(
        "--design",
        type=_design,
        action="append",
        metavar="TxN",
        help="T tasks of N instances each, beside those at hand; may be repeated (default: the paper's "
        f"{PAPER_DESIGN[0]}x{PAPER_DESIGN[1]})",
    )
    parse.add_argument(
        "--correlation",
        type=_correlation,
        metavar="R",
        help=f"with one solver: of its scores with those of the other, below 1 (default: {CORRELATION})",
    )
    parse.add_argument(
        "--alpha", type=_share, default=LEVEL, metavar="A", help="level of the two-sided test (default: %(default)s)"
    )
    parse.add_argument(
        "--power",
        type=_share,
        default=POWER,
        metavar="P",
        help="chance of showing the difference (default: %(default)s)",
    )
    parse.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.power <= arguments.alpha:
        return wrong_use("--power is to be above --alpha: a test finds what is not there as often as that")
    try:
        runs, measure = read_runs(arguments.runs, arguments.metrics)
        results = group(runs)
        if len(results) > 2:
            return wrong_use(f"these runs are {len(results)} results; name those of one solver, or of two")
        if len(results) == 2 and arguments.correlation is not None:
            return wrong_use("--correlation is for one solver: two show how they go together")
        basis = _basis(results, measure, arguments)
    except (NotARun, NothingShared, NoVariance) as error:
        return wrong_use(str(error))
    how = {"wanted": arguments.power, "level": arguments.alpha}
    needs = [need(basis, points / 100, **how) for points in arguments.difference or DIFFERENCES]
    sizes = dict.fromkeys([(basis.tasks, basis.instances), *(arguments.design or [PAPER_DESIGN])])
    designs = [design(basis.parts, *size, **how) for size in sizes]
    if arguments.json:
        record = {
            "measure": measure,
            "split": arguments.split,
            **how,
            "results": list(map(result_record, results)),
            "basis": basis.to_json(),
            "needs": list(map(asdict, needs)),
            "designs": list(map(asdict, designs)),
        }
        print_out(json.dumps(record, ensure_ascii=False, indent=1))
    else:
        parts = [*_of_basis(results, basis), *_of_needs(basis, needs, arguments), *_of_designs(designs)]
        print_out("\n\n".join(parts))
    return COMPLETE


def _basis(results: Sequence[Result], measure: str, arguments: argparse.Namespace) -> Basis:
    if len(results) == 2:
        return basis_of_two(results[0], results[1], measure, arguments.split)
    correlation = CORRELATION if arguments.correlation is None else arguments.correlation
    return basis_of_one(results[0], measure, correlation, arguments.split)


def _of_basis(results: Sequence[Result], basis: Basis) -> Iterator[str]:
    between, within = (f"{100 * math.sqrt(variance):.1f}" for variance in (basis.parts.between, basis.parts.within))
    size = f"{basis.tasks} tasks of {basis.instances} instances each (harmonic mean)"
    known = "none" if basis.correlation is None else f"{basis.correlation:.2f}"
    if len(results) == 2:
        yield f"Paired differences of {results[0].name} and {results[1].name} on {size}; correlation {known}."
    else:
        yield (
            f"Scores of {results[0].name} on {size}, and a second solver that varies as much, correlation {known} "
            "(taken for granted; two runs would show it)."
        )
    if basis.dropped:
        yield "Instances left out: " + ", ".join(f"{count} {reason}" for reason, count in basis.dropped.items()) + "."
    yield f"Standard deviation of a difference: {between} points between tasks, {within} within a task."


def _of_needs(basis: Basis, needs: Sequence[Need], arguments: argparse.Namespace) -> Iterator[str]:
    rows = [
        ["difference, points", "instances a task, these tasks", "tasks like these", f"or tasks of {basis.instances}"]
    ]
    for each in needs:
        numbers = (_or_none(each.these_tasks), _or_none(each.like_these), _or_none(each.tasks))
        rows.append([f"{100 * each.difference:g}", *numbers])
    yield (
        f"To show a difference with a chance of {arguments.power:g} (two-sided test, level {arguments.alpha:g}) on "
        f"{basis.tasks} tasks:"
    )
    yield aligned(rows)
    if any(each.like_these is None for each in needs):
        few = f" (with fewer than {MIN_CLUSTERS} there is no test)" if basis.tasks < MIN_CLUSTERS else ""
        yield f"none: {basis.tasks} tasks are too few, however many instances they have{few}; it takes more tasks."


def _of_designs(designs: Sequence[Design]) -> Iterator[str]:
    rows = [["tasks x instances", "these tasks", "tasks like these"]]
    for each in designs:
        rows.append(
            [f"{each.tasks} x {each.instances}", _points_or_none(each.these_tasks), _points_or_none(each.like_these)]
        )
    yield "The smallest difference that a design shows as surely, in points:"
    yield aligned(rows)


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


def _points_or_none(difference: float | None) -> str:
    return "none" if difference is None else f"{100 * difference:.1f}"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _points(text: str) -> float:
    if not 0 < (points := _number(text)) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 100")
    return points


def _share(text: str) -> float:
    if not 0 < (share := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return share


def _correlation(text: str) -> float:
    if not -1 <= (correlation := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a correlation from -1 to below 1")
    return correlation


def _design(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 20x20")
    return int(found[1]), int(found[2])


if __name__ == "__main__":
    sys.exit(main())
