"""Compare runs on the instances that they share: ``python -m harness.compare RUN_A RUN_B [...]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.analysis.comparison import LEFT_OUT, SCORE, NothingShared, compare
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import Result, group
from harness.episode.registry import SOLVERS
from harness.evaluate import COMPLETE, positive, wrong_use
from harness.metrics import PROFILES
from harness.reports.comparison_text import comparison_text, results_text
from harness.runlog.directory import NotARun, RunDirectory
from harness.score import print_out
from harness.statistics.clustered import DRAWS
from harness.text.tables import aligned, markdown_table

EXIT_CODES = "exit codes: 0 compared; 2 wrong use, a run that cannot be read, or no scored instance in common"


def read_runs(folders: Sequence[Path], profile: str | None) -> tuple[list[ScoredRun], str]:
    """Read runs, and say what of them can be compared.

    Args:
        folders: Run directories.
        profile: The profile to score them by; None for their own.

    Returns:
        The runs; and the measure: ``LEFT_OUT`` if one of them is the workers themselves, else ``SCORE``.

    Raises:
        NotARun: one of them cannot be read.
    """
    solvers = {RunDirectory(folder).read().config.solver for folder in folders}
    people = bool(solvers & {"crowd", SOLVERS["crowd"]})
    runs = [read_scored(folder, profile, people=people) for folder in folders]
    return runs, LEFT_OUT if people else SCORE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python -m harness.compare",
        description="Compare runs with the first of them, on the instances that they share. Runs of one solver that "
        "differ in its seed alone are one result. docs/comparing.md explains every number.",
        epilog=EXIT_CODES,
    )
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directories, at least two")
    add_reading_arguments(parse)
    parse.add_argument(
        "--worst",
        type=positive,
        default=10,
        metavar="N",
        help="list the N tasks and the N instances that differ most (default: %(default)s)",
    )
    parse.add_argument(
        "--draws", type=positive, default=DRAWS, metavar="N", help="of the bootstrap (default: %(default)s)"
    )
    parse.add_argument("--seed", type=whole, default=0, help="of bootstrap and permutations (default: %(default)s)")
    form = parse.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of tables")
    form.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    return parse


def add_reading_arguments(parse: argparse.ArgumentParser) -> None:
    """Arguments about how runs are scored; harness.power shares them."""
    parse.add_argument("--metrics", choices=list(PROFILES), help="score all runs by this profile (default: their own)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if len(arguments.runs) < 2:
        return wrong_use("one run is nothing to compare: name at least two")
    try:
        runs, measure = read_runs(arguments.runs, arguments.metrics)
        results = group(runs)
        if len(results) < 2:
            return wrong_use(
                f"all of these runs are seeds of one result, {results[0].name}: name a run of another solver, too"
            )
        made = compare(results, measure=measure, draws=arguments.draws, seed=arguments.seed, farthest=arguments.worst)
    except (NotARun, NothingShared) as error:
        return wrong_use(str(error))
    if arguments.json:
        how = {"measure": measure, "draws": arguments.draws, "seed": arguments.seed}
        record = {**how, "results": list(map(result_record, results)), "comparisons": [each.to_json() for each in made]}
        print_out(json.dumps(record, ensure_ascii=False, indent=1))
    else:
        table = markdown_table if arguments.markdown else aligned
        print_out(
            "\n\n".join([results_text(results), *(comparison_text(each, table, arguments.worst) for each in made)])
        )
    return COMPLETE


def whole(text: str) -> int:
    """An argument that is a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def result_record(result: Result) -> dict[str, Any]:
    """Which runs a result is made of, as a JSON object."""
    return {
        "name": result.name,
        "runs": [str(run.folder) for run in result.runs],
        "profile": result.runs[0].profile,
        "comparability_id": result.runs[0].comparability_id,
        "seeds": list(result.seeds),
        "headlines": list(result.headlines),
        "between_seeds": result.between_seeds,
        "dropped": dict(result.dropped),
    }


if __name__ == "__main__":
    sys.exit(main())
