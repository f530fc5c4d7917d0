"""Compare runs on the instances that they share: ``turkbench compare RUN_A RUN_B [...]``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile
from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.kit.statistics.estimate import DRAWS
from harness.kit.text import aligned, markdown_table

if TYPE_CHECKING:
    from harness.analysis.seeds import Result

EXIT_CODES = "exit codes: 0 compared; 2 wrong use, a run that cannot be read, or no scored instance in common"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("compare"),
        description="Compare runs with the first one, on the instances that they share. Runs that "
        "differ only in the solver's seed count as one result. "
        "docs/how-to/compare-runs.md explains every number.",
        epilog=EXIT_CODES,
    )
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="two or more run directories")
    add_other_profile(parse, "score all runs by this profile (default: their own)")
    parse.add_argument(
        "--worst",
        type=positive,
        default=10,
        metavar="N",
        help="list the N tasks and the N instances that differ most (default: %(default)s)",
    )
    parse.add_argument(
        "--draws", type=positive, default=DRAWS, metavar="N", help="draws of the bootstrap (default: %(default)s)"
    )
    parse.add_argument(
        "--seed", type=whole, default=0, help="seed of the bootstrap and of the permutation test (default: %(default)s)"
    )
    parse.add_argument(
        "--hybrid",
        action="store_true",
        help="do not compare: print one score that takes the best run for each kind of field, chosen "
        "on the other tasks",
    )
    form = parse.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of tables")
    form.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if len(arguments.runs) < 2:
        raise UserError("one run is nothing to compare: name at least two")
    # What is slow to import is imported for work, not for help.
    from harness.analysis.comparison import read_runs  # noqa: PLC0415
    from harness.analysis.seeds import group  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    with processes_for(arguments.runs) as pool:
        runs, measure = read_runs(arguments.runs, arguments.metrics, pool)
    results = group(runs)
    if len(results) < 2:
        raise UserError(
            f"all of these runs are seeds of one result, {results[0].name}: name a run of another solver, too"
        )
    (_print_hybrid if arguments.hybrid else _print_comparisons)(results, measure, arguments)
    return COMPLETE


def _print_comparisons(results: Sequence[Result], measure: str, arguments: argparse.Namespace) -> None:
    from harness.analysis.comparison import compare, result_record  # noqa: PLC0415
    from harness.reports.comparison_text import comparison_text, results_text  # noqa: PLC0415

    how = {"draws": arguments.draws, "seed": arguments.seed}
    made = compare(results, measure=measure, farthest=arguments.worst, **how)
    if arguments.json:
        said = {"results": list(map(result_record, results)), "comparisons": [each.to_json() for each in made]}
        _print_json({"measure": measure, **how, **said})
        return
    table = markdown_table if arguments.markdown else aligned
    print_out("\n\n".join([results_text(results), *(comparison_text(each, table, arguments.worst) for each in made)]))


def _print_hybrid(results: Sequence[Result], measure: str, arguments: argparse.Namespace) -> None:
    from harness.analysis.comparison import SCORE, result_record  # noqa: PLC0415
    from harness.analysis.hybrid import make_hybrid  # noqa: PLC0415
    from harness.reports.comparison_text import results_text  # noqa: PLC0415
    from harness.reports.hybrid_text import hybrid_text  # noqa: PLC0415

    if measure != SCORE:
        raise UserError("workers are nothing that a hybrid could be made of: leave the run of --solver crowd out")
    how = {"draws": arguments.draws, "seed": arguments.seed}
    made = make_hybrid(results, **how)
    if arguments.json:
        _print_json({**how, "results": list(map(result_record, results)), "hybrid": made.to_json()})
        return
    table = markdown_table if arguments.markdown else aligned
    print_out(f"{results_text(results)}\n\n{hybrid_text(made, table)}")


def _print_json(record: Mapping[str, Any]) -> None:
    print_out(json.dumps(record, ensure_ascii=False, indent=1))
