"""Score a run again from its directory, without a browser: ``turkbench score RUN``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.analysis.people.label_aggregations import AGGREGATIONS, MAJORITY
from harness.cli.boundary import COMPLETE, INCOMPLETE, OF_A_RUN, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile
from harness.kit.errors import UserError
from harness.kit.files.writing import cache_folder
from harness.kit.text import counted


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("score"), description=__doc__, epilog=OF_A_RUN)
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    add_other_profile(parse)
    parse.add_argument(
        "--labels",
        choices=list(AGGREGATIONS),
        default=MAJORITY,
        help="replace the labels of choices by one: "
        + "; ".join(f"{name}: {summary}" for name, summary in AGGREGATIONS.items())
        + " (default: %(default)s)",
    )
    parse.add_argument(
        "--judge",
        metavar="PRESET",
        help="for a run on websites: ask this model about everything that is compared by meaning, and "
        "write a judged copy of the run to --out",
    )
    parse.add_argument("--out", type=Path, metavar="DIR", help="with --judge: the folder of the copy")
    parse.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if (arguments.judge is None) != (arguments.out is None):
        raise UserError("--judge and --out go together: a run is not changed, and what a judge says stands in a copy")
    if arguments.judge:
        _judge(arguments.run, arguments.judge, arguments.out)
        arguments.run = arguments.out
    # What is slow to import is imported for work, not for help.
    from harness.analysis.people.aggregated_labels import NothingToAggregate  # noqa: PLC0415
    from harness.analysis.rescoring import score_run  # noqa: PLC0415
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.reports.headline_table import headlines_table  # noqa: PLC0415
    from harness.reports.label_effect import effect_table  # noqa: PLC0415
    from harness.reports.run_summary import summary_table  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    run = RunDirectory(arguments.run)
    with processes_for([arguments.run]) as pool:
        try:
            found = score_run(run, arguments.metrics, arguments.labels, pool)
        except NothingToAggregate as error:
            raise UserError(f"--labels {arguments.labels}: {arguments.run}: {error}") from error
        if changed := run.check_records(pool).in_words():
            print(f"{arguments.run}: {changed}", file=sys.stderr)
        exit_code = COMPLETE if found.record.status == "complete" else INCOMPLETE
        if arguments.json:
            print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
            return exit_code
        parts = [summary_table(found.record, found.endings, found.sites)]
        if results := found.record.results:
            parts.append(headlines_table(found.groups, pool))
            if found.labels:
                parts.append(effect_table(found.labels, results))
    print_out("\n\n".join(parts))
    return exit_code


def _judge(run: Path, preset: str, out: Path) -> None:
    """Write a copy of a run in which a judge has compared by meaning."""
    from harness.analysis.judged_run import judged_run  # noqa: PLC0415 - as above
    from harness.models.client import today  # noqa: PLC0415
    from harness.models.presets import resolve  # noqa: PLC0415
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.scoring.evaluators.model_judge import open_judge  # noqa: PLC0415

    if said := resolve(preset, {}).news(today(), agreed=False):
        print(said, file=sys.stderr)
    replies = cache_folder() / "judge"
    with naming_the_file(otherwise=out):
        found = judged_run(RunDirectory(run), out, preset, lambda folder: open_judge(preset, folder, replies))
    unknown = f"; of {counted(found.unknown, 'episode')} it could not tell all" if found.unknown else ""
    print(f"{out}: judged {counted(found.judged, 'episode')}{unknown}", file=sys.stderr)
