"""Have the trajectories of a run judged as a whole: ``turkbench judge run RUN --method webjudge --preset NAME``.

Success or failure, episode by episode, said by a model that sees what was done and pictures of the pages, or by a rule.
Verdicts are kept beside the run, in RUN_judges; the run is not changed. docs/how-to/judges.md has the details.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import add_options, positive, values_of
from harness.kit.errors import UserError
from harness.run.progress import MODES, progress
from harness.scoring.judges.judgements import JUDGES, RULE, JudgeOptions

if TYPE_CHECKING:
    from harness.scoring.judges.judging import JudgingResult
    from harness.scoring.judges.judging_job import JudgingJob

# What is slow to import is imported for work, not for help.
EXIT_CODES = (
    "exit codes: 0 all is judged; 1 some is not (interrupted, not answered, or lacking what the judge needs): the same "
    "command goes on; 2 wrong use"
)
AT_ONCE = 4


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("judge run"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument(
        "run", type=Path, metavar="RUN", help="a run directory with films, or a folder in Online-Mind2Web's layout"
    )
    parse.add_argument(
        "--method", choices=(*JUDGES, RULE), required=True, help="the method of judging; rule asks no model"
    )
    parse.add_argument(
        "--repeats",
        type=positive,
        default=1,
        metavar="K",
        help="how often each trajectory is judged (default: %(default)s)",
    )
    parse.add_argument("--dry-run", action="store_true", help="print the most that it can cost, and ask no model")
    parse.add_argument(
        "--progress", choices=MODES, help="how progress is shown (default: bar on a terminal, else plain)"
    )
    add_options(parse, JudgeOptions, defaults={"concurrency": AT_ONCE})
    parse.renamed("--model-id", "--model")
    parse.renamed("--judge", "--method")
    return parse


@error_boundary("interrupted: what was judged is kept, and the same command goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    from harness.records.folder_lock import FolderLock  # noqa: PLC0415
    from harness.scoring.judges.judging_job import JudgingJob  # noqa: PLC0415

    work = JudgingJob.of(arguments.run, arguments.method, JudgeOptions(**values_of(arguments, JudgeOptions)))
    if work.news:
        print(work.news, file=sys.stderr)
    for problem in work.problems:
        print(f"left out: {problem}", file=sys.stderr)
    if arguments.dry_run:
        return _dry_run(work, arguments.repeats)
    results = []
    with naming_the_file(otherwise=work.place), ExitStack() as threads:
        threads.callback(FolderLock(work.place).release)
        for repeat in range(1, arguments.repeats + 1):
            results.append(_judge(work, repeat, arguments, threads))
    return COMPLETE if all(each.is_complete for each in results) and not work.problems else INCOMPLETE


def _judge(work: JudgingJob, repeat: int, arguments: argparse.Namespace, threads: ExitStack) -> JudgingResult:
    from harness.reports.judging_text import judging_text  # noqa: PLC0415
    from harness.scoring.judges.judging import judge_trials  # noqa: PLC0415

    judging = work.judging(repeat, threads)
    shown = progress(arguments.progress)
    known = sum(map(judging.has_judged, work.trials))
    shown.start(work.judge(repeat).name, len(work.trials), known)
    try:
        found = judge_trials(judging, work.trials, lambda outcome: shown.advance(outcome or None, None))
    finally:
        shown.finish()
    print_out(judging_text(work.judge(repeat), found, judging.folder.verdicts_file))
    return found


def _dry_run(work: JudgingJob, repeats: int) -> int:
    if work.preset is None:
        raise UserError("--method rule asks no model: it costs nothing")
    from harness.reports.judging_text import cost_text  # noqa: PLC0415

    print_out(cost_text(len(work.trials), work.cost(repeats)))
    return COMPLETE
