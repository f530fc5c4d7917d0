"""Score a run again from its directory, without a browser: ``python -m harness.score RUN``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import error_boundary
from harness.cli.exit_codes import COMPLETE, INCOMPLETE, OF_A_RUN
from harness.cli.output import print_out
from harness.cli.profile_arguments import add_other_profile
from harness.cli.program import program
from harness.errors.user import UserError
from harness.people.label_aggregations import AGGREGATIONS, MAJORITY


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog=program("harness.score"), description=__doc__, epilog=OF_A_RUN)
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
    parse.add_argument("--json", action="store_true", help="print the record as JSON instead of tables")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.analysis.rescoring import score_run  # noqa: PLC0415
    from harness.people.aggregated_labels import NothingToAggregate  # noqa: PLC0415
    from harness.reports.headline_table import headlines_table  # noqa: PLC0415
    from harness.reports.label_effect import effect_table  # noqa: PLC0415
    from harness.reports.run_summary import summary_table  # noqa: PLC0415
    from harness.runlog.directory import RunDirectory  # noqa: PLC0415

    try:
        found = score_run(RunDirectory(arguments.run), arguments.metrics, arguments.labels)
    except NothingToAggregate as error:
        raise UserError(f"--labels {arguments.labels}: {arguments.run}: {error}") from error
    exit_code = COMPLETE if found.record.status == "complete" else INCOMPLETE
    if arguments.json:
        print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
        return exit_code
    parts = [summary_table(found.record, found.endings)]
    if results := found.record.results:
        parts.append(headlines_table(found.groups))
        if found.labels:
            parts.append(effect_table(found.labels, results))
    print_out("\n\n".join(parts))
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
