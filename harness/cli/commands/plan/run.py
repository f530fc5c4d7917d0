"""Plan a large run: ``turkbench plan run RUN --instances N`` says what machines, hours and dollars it takes."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import positive, seconds
from harness.kit.errors import UserError

if TYPE_CHECKING:
    from harness.analysis.load_plan import EpisodeLoad, PlayedRun

EXIT_CODES = "exit codes: 0 planned; 2 wrong use, or runs that cannot be read or tell no times"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("plan run"),
        description="Estimate time, tokens and cost of a larger run from episodes that were played, "
        "say what limits it, and simulate the plan. docs/how-to/scale.md explains the "
        "figures.",
        epilog=EXIT_CODES,
    )
    parse.add_argument(
        "runs",
        type=Path,
        nargs="*",
        metavar="RUN",
        help="run directories to estimate from (default: those of --solver in runs/)",
    )
    parse.add_argument("--solver", metavar="NAME", help="use only the episodes of this solver")
    parse.add_argument("--instances", type=positive, required=True, metavar="N", help="number of instances to play")
    parse.add_argument(
        "--times",
        type=positive,
        default=1,
        metavar="N",
        help="how often each is played, such as models times seeds (default: 1)",
    )
    machine = parse.add_argument_group("machines")
    machine.add_argument("--machines", type=positive, metavar="N", help="number of machines (default: 1)")
    machine.add_argument(
        "--hours", type=seconds, metavar="H", help="as many machines as are needed to end within H hours"
    )
    machine.add_argument(
        "--cores",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="cores of each machine (default: those of this machine)",
    )
    machine.add_argument(
        "--workers", type=positive, metavar="N", help="episodes in parallel on each machine (default: as in the runs)"
    )
    provider = parse.add_argument_group("provider")
    provider.add_argument(
        "--concurrency", type=positive, metavar="N", help="calls in parallel that the provider accepts"
    )
    provider.add_argument(
        "--tokens-per-minute",
        type=positive,
        metavar="N",
        help="tokens per minute, sent and received, that the provider accepts",
    )
    provider.add_argument(
        "--requests-per-minute", type=positive, metavar="N", help="calls per minute that the provider accepts"
    )
    parse.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.machines and arguments.hours:
        raise UserError("--machines and --hours: give one, the other follows from it")
    # What is slow to import is imported for work, not for help.
    from harness.analysis.load_plan import Means, loads_of, machines_for, plan_load, played_run  # noqa: PLC0415
    from harness.analysis.load_simulation import Calibration, LoadSimulation, calibrated  # noqa: PLC0415
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.reports.load_text import load_text  # noqa: PLC0415

    runs = [RunDirectory.open(folder) for folder in arguments.runs or _all_runs(arguments.solver)]
    runs = [run for run in runs if arguments.solver in (None, run.read().config.solver)]
    loads: list[EpisodeLoad] = []
    played: list[PlayedRun] = []
    for run in runs:
        episodes_of_it = list(run.episodes())
        if found := played_run(run.read(), episodes_of_it):
            played.append(found)
            loads += calibrated(found, os.cpu_count() or 1)
        else:
            loads += loads_of(episodes_of_it)
    if not loads:
        raise UserError(
            "no episode tells how long it takes: name runs of the solver whose replies did not come out of the cache"
        )
    means = Means(
        machines=arguments.machines or 1,
        cores=arguments.cores,
        in_flight=arguments.workers or max(run.read().config.workers for run in runs),
        concurrency=arguments.concurrency,
        tokens_per_minute=arguments.tokens_per_minute,
        requests_per_minute=arguments.requests_per_minute,
    )
    episodes = arguments.instances * arguments.times
    if arguments.hours:
        plan = machines_for(loads, episodes, means, arguments.hours)
    else:
        plan = plan_load(loads, episodes, means)
    simulated = LoadSimulation(plan.means, Calibration.of(played)).seconds(loads, episodes)
    if arguments.json:
        record = {**asdict(plan), "hours": plan.hours, "limit": plan.limit}
        record |= {"measured": len(loads), "calibrated_by": len(played), "simulated_hours": simulated / 3600}
        print_out(json.dumps(record, ensure_ascii=False, indent=1))
    else:
        print_out(load_text(plan, len(loads), simulated, len(played)))
    return COMPLETE


def _all_runs(solver: str | None) -> Iterator[Path]:
    """The runs of the folder in which runs are written if nobody says where.

    Raises:
        UserError: neither runs nor a solver are named.
    """
    from harness.records.directory import RUN_FILE  # noqa: PLC0415
    from harness.run.new_folder import RUNS  # noqa: PLC0415 - as above

    if solver is None:
        raise UserError("name run directories to go by, or --solver for its runs in runs/")
    return (file.parent for file in sorted(RUNS.glob(f"*/{RUN_FILE}")))
