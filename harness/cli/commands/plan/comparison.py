"""Plan a comparison: ``turkbench plan comparison RUN [RUN_B]`` says what size shows which difference."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import correlation, points_of_difference, share, tasks_by_instances
from harness.kit.errors import UserError
from harness.kit.statistics.estimate import ALPHA, CORRELATION, POWER

EXIT_CODES = "exit codes: 0 planned; 2 wrong use, or runs that cannot be read or tell nothing of the variance"
PAPER_DESIGN = (20, 20)
"""Tasks and instances of each that the TurkingBench paper evaluates models on (section 5)."""
DIFFERENCES = (1.0, 2.0, 5.0, 10.0)
"""Points that are planned for unless others are asked for."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("plan comparison"),
        description="Say how many instances or tasks are needed to show a difference, and which "
        "difference a design can show, from runs of one solver or of two. "
        "docs/how-to/compare-runs.md explains the figures.",
        epilog=EXIT_CODES,
    )
    parse.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="run directories of one or two solvers, with any number of seeds",
    )
    add_other_profile(parse, "score all runs by this profile (default: their own)")
    parse.add_argument("--split", metavar="NAME", help="use only the tasks of this split")
    parse.add_argument(
        "--difference",
        type=points_of_difference,
        action="append",
        metavar="D",
        help="a difference of headlines to be shown, in points of per cent; may be repeated "
        f"(default: {', '.join(f'{points:g}' for points in DIFFERENCES)})",
    )
    parse.add_argument(
        "--design",
        type=tasks_by_instances,
        action="append",
        metavar="TxN",
        help="T tasks of N instances each, beside those at hand; may be repeated (default: the paper's "
        f"{PAPER_DESIGN[0]}x{PAPER_DESIGN[1]})",
    )
    parse.add_argument(
        "--correlation",
        type=correlation,
        metavar="R",
        help=f"with one solver: of its scores with those of the other, below 1 (default: {CORRELATION})",
    )
    parse.add_argument(
        "--alpha",
        type=share,
        default=ALPHA,
        metavar="A",
        help="significance level of the two-sided test (default: %(default)s)",
    )
    parse.add_argument(
        "--power",
        type=share,
        default=POWER,
        metavar="P",
        help="power: the chance of showing the difference (default: %(default)s)",
    )
    parse.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.power <= arguments.alpha:
        raise UserError("--power is to be above --alpha: a test finds what is not there as often as that")
    # What is slow to import is imported for work, not for help.
    from harness.analysis.comparison import read_runs, result_record  # noqa: PLC0415
    from harness.analysis.planning import basis_of_one, basis_of_two, design, required_size  # noqa: PLC0415
    from harness.analysis.seeds import group  # noqa: PLC0415
    from harness.reports.planning_text import planning_text  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    with processes_for(arguments.runs) as pool:
        runs, measure = read_runs(arguments.runs, arguments.metrics, pool)
    results = group(runs)
    if len(results) > 2:
        raise UserError(f"these runs are {len(results)} results; name those of one solver, or of two")
    if len(results) == 2 and arguments.correlation is not None:
        raise UserError("--correlation is for one solver: two show how they go together")
    if len(results) == 2:
        basis = basis_of_two(results[0], results[1], measure, arguments.split)
    else:
        assumed = CORRELATION if arguments.correlation is None else arguments.correlation
        basis = basis_of_one(results[0], measure, assumed, arguments.split)
    how = {"wanted": arguments.power, "level": arguments.alpha}
    needs = [required_size(basis, points / 100, **how) for points in arguments.difference or DIFFERENCES]
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
        print_out(planning_text(results, basis, needs, designs, **how))
    return COMPLETE
