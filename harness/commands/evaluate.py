"""Evaluate a solver: ``python -m harness.evaluate --solver NAME``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.cli.boundary import error_boundary
from harness.cli.browser_arguments import add_browsers
from harness.cli.cube_arguments import add_cube, cube_of
from harness.cli.engine_arguments import add_engine
from harness.cli.exit_codes import COMPLETE, INCOMPLETE, OF_A_RUN
from harness.cli.output import print_out
from harness.cli.profile_arguments import add_profile
from harness.cli.program import program
from harness.cli.solver_arguments import add_solver_arguments, options_of
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.episode.registry import SOLVERS, UnknownSolver, find_solver
from harness.errors.user import UnfinishedWork, UserError
from harness.files.command_hints import to_type
from harness.reports.run_summary import resuming, summary_table
from harness.run.consent import Consent, asker
from harness.run.foreign_tasks import foreign_tasks
from harness.run.new_folder import new_folder
from harness.run.pause import ON_PROVIDER_FAILURE
from harness.run.progress import Progress, progress
from harness.run.run_result import RunResult
from harness.run.runner import Run
from harness.runlog.config import RunConfig
from harness.runlog.directory import RunDirectory
from harness.runlog.fatal import CannotWrite, FatalError
from harness.text.numbers import counted
from harness.tracking.followers import Followers
from harness.tracking.trackers import TRACKERS, check_tracker

BUDGETS = {
    "max_cost": "max_cost",
    "max_tokens": "max_tokens",
    "max_time": "max_seconds",
    "concurrency": "concurrency",
}
"""Arguments that may be raised for a run that is resumed -> the attributes of its ``Budgets``."""
MAY_DIFFER = frozenset(
    {
        "resume", "workers", "headed", "require_sandbox", "progress", "on_provider_failure", "engine", "address", "yes",
        "log_to", "retired_anyway",
        *BUDGETS,
    }
)  # fmt: skip
"""Arguments that may be given for a run that is resumed."""
MAY_AGREE = frozenset(
    {
        "solver", "model", "network", "browser_url", "grid", "serve_at", "media", "server", "base_url", "command",
        "mcp_server", "pass_env", "pass_secret", "isolate",
        "isolate_image", "isolate_read", "isolate_write", "allow_host", "cache", "predictions",
        "answers", "demos_from", "ranker", "cube", "cube_origin", "cube_set",
    }
)  # fmt: skip
"""Arguments that may be given again as the run has them, which agrees to them: see ``harness.run.consent``."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog=program("harness.evaluate"), description=__doc__, epilog=OF_A_RUN)
    parse.add_argument(
        "--solver",
        metavar="NAME",
        help=f"{', '.join(SOLVERS)}; the preset of a model, e.g. gpt-6-luna (--list-solvers prints all); or "
        "package.module:Class or path/to/file.py:Class of your own",
    )
    parse.add_argument("--list-solvers", action="store_true", help="print all solvers and presets, and do nothing else")
    parse.add_argument(
        "--dry-run",
        action="store_true",
        help="build the prompts that a model would be sent, print their tokens and the expected cost, and call nothing",
    )
    add_task_arguments(parse)
    add_profile(parse)
    parse.add_argument(
        "--judge",
        metavar="PRESET",
        help="of websites: the model that is asked, once all episodes have ended, about what is compared by meaning; "
        "its calls are counted apart from the solver's, and have what is left of --max-cost and --max-tokens",
    )
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_<solver>_<split>)")
    parse.add_argument(
        "--resume",
        type=Path,
        metavar="RUN",
        help="go on with a run that was cut short; what it is to do stands in it: only --workers, --headed, "
        "--require-sandbox, --progress, --on-provider-failure, --engine, --address, --log-to and --retired-anyway may "
        "be given, and higher budgets (--max-cost, --max-tokens, --max-time, --concurrency), under which instances "
        "that ended for lack of them are played again",
    )
    add_engine(parse)
    add_browsers(parse)
    add_cube(parse)
    parse.add_argument(
        "--attended",
        action="store_true",
        help="of websites: what the solver asks its user, and the task's file does not answer, is put to you at this "
        "terminal, one question at a time; needs --actions autowebglm or all",
    )
    parse.add_argument(
        "--yes",
        action="store_true",
        help="with --resume: agree to what the run says it does: to run a program or code of one's own, to reach the "
        "web or a model's server of its own, to use files outside the run directory. Otherwise it is shown and asked; "
        "giving the same option again agrees to it, too",
    )
    parse.add_argument(
        "--log-to",
        choices=TRACKERS,
        action="append",
        default=[],
        help="log the run to this tracker as it goes, where its own environment variables say (repeatable); each needs "
        "an extra of its name; harness.log does it afterwards",
    )
    parse.add_argument(
        "--on-provider-failure",
        choices=ON_PROVIDER_FAILURE,
        default="stop",
        help="when the model's provider answers nobody any more: the run pauses, tries again later and later, and "
        "stops after some two minutes (default), or waits until it answers",
    )
    add_solver_arguments(parse)
    return parse


@error_boundary(interrupted="interrupted before the run began")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    command = parser()
    arguments = command.parse_args(argv)
    if arguments.list_solvers:
        print_out(solvers_table())
        return COMPLETE
    if arguments.dry_run:
        return _dry_run(arguments)
    for name in arguments.log_to:
        check_tracker(name)
    tell = progress(arguments.progress)
    if arguments.resume:
        return _play(_resumed(arguments, _given(command, argv), tell), arguments.log_to, tell)
    config = _asked_for(arguments)
    try:
        with new_folder(config, arguments.out, "give another --out, or --resume it") as folder:
            how = arguments.on_provider_failure
            run = Run(config, folder, tell, on_provider_failure=how, engine_address=arguments.address)
            if said := _as_published(config):
                tell.note(said)
            return _play(run, arguments.log_to, tell)
    except CannotWrite as error:
        raise UserError(f"{error}; give another --out") from error


def _play(run: Run, trackers: Sequence[str], tell: Progress) -> int:
    """Play a run, have it logged, and say what it came to; returns the exit code."""
    folder = run.directory.folder
    try:
        with Followers(trackers, folder, tell.note) as followers:
            result = run.execute(followers)
    except FatalError as error:
        raise _with_advice(error, folder) from error
    finally:
        for problem in run.problems:
            print(f"problem: {problem}", file=sys.stderr)
    print_out(summary_table(result.record, result.endings, result.sites))
    if result.unjudged and result.status != "interrupted":
        print_out(f"\n{_unjudged(result)}")
    print_out(f"\nRun directory: {folder}")
    if result.status == "complete":
        print_out(f"Intervals, people and mistakes on one page: {to_type('harness.report', folder)}")
        return COMPLETE
    if not result.record.would_repeat:
        print_out(f"Go on with: {resuming(folder, result.record)}")
    return INCOMPLETE


def _unjudged(result: RunResult) -> str:
    """What nobody has compared by meaning, and how to have it done."""
    what = f"Not known, since it is compared by meaning: {counted(result.unjudged, 'episode')}"
    if judge := result.record.config.judge:
        what += f", of which {judge} could not tell all (why stands in their evaluations)"
    out = result.folder.with_name(f"{result.folder.name}-judged")
    judging = to_type("harness.score", result.folder, "--judge", judge or "gpt-4o", "--out", out)
    return f"{what}; a judge can tell: {judging}"


def solvers_table() -> str:
    """All solvers as text: those with a name of their own, with what they do, and the presets of models."""
    from harness.models.presets import list_table  # noqa: PLC0415 - runs without a model do without
    from harness.published.row_command import preset_remarks  # noqa: PLC0415

    rows = [["SOLVER", ""], *([name, _summary(name)] for name in SOLVERS)]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:{width}}  {text}".rstrip() for name, text in rows]
    return "\n".join([*lines, "", list_table(remarks=preset_remarks())])


def _summary(name: str) -> str:
    """What a solver does, or what has to be installed before it can do it."""
    try:
        return find_solver(name).summary
    except UnknownSolver as error:
        if not isinstance(error.__cause__, UserError):
            raise
        return f"({error.__cause__})"


def _dry_run(arguments: argparse.Namespace) -> int:
    """Show what a model would be sent."""
    from harness.solvers.models.dry_run import dry_run  # noqa: PLC0415 - runs without a model do without

    if arguments.cube:
        raise UserError("--dry-run: the pages of a benchmark of CUBE are there while it is played; leave --cube out")
    dry_run(_asked_for(arguments), lambda line: print(line, flush=True))
    return COMPLETE


def _as_published(config: RunConfig) -> str:
    """Which row of the paper's tables a run of a model repeats, in words; empty if none."""
    if config.solver in SOLVERS or ":" in config.solver:
        return ""
    from harness.published.row_command import row_asked_by  # noqa: PLC0415 - runs without a model do without

    row, model = row_asked_by(config.solver, config.options)
    if row is None:
        return ""
    asks = f"asks as {row.place} ({row.label})"
    if model:
        return f"{asks} did, but asks {model}: its score is no score of the paper's"
    return f"{asks}, which scored {row.printed} there"


def _asked_for(arguments: argparse.Namespace) -> RunConfig:
    """The new run of a command line.

    Raises:
        UserError: it asks for nothing, or for what cannot be.
    """
    if not arguments.solver:
        raise UserError("give --solver, or --resume RUN to go on with a run")
    cube = cube_of(arguments)
    config = config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))
    return replace(
        config,
        judge=arguments.judge,
        engine=arguments.engine,
        browser_url=arguments.browser_url,
        grid=arguments.grid,
        serve_at=arguments.serve_at,
        attended=arguments.attended,
        pages_per_browser=arguments.pages_per_browser,
        cube=cube,
        tasks_dir=foreign_tasks(cube).folder() if cube else config.tasks_dir,
    )


def _given(command: argparse.ArgumentParser, argv: Sequence[str] | None) -> dict[str, Any]:
    """The arguments that stand on the command line, be they equal to their defaults."""
    blank = argparse.Namespace(**dict.fromkeys(vars(command.parse_args([]))))
    return {name: value for name, value in vars(command.parse_args(argv, blank)).items() if value is not None}


def _resumed(arguments: argparse.Namespace, given: Mapping[str, Any], tell: Progress) -> Run:
    """The run to go on with.

    Raises:
        UserError: an option was given that the run has decided already.
    """
    if decided := [name for name in given if name not in MAY_DIFFER | MAY_AGREE]:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in decided)
        raise UserError(f"{options}: a run that is resumed goes on as it began; leave the option out")
    consent = Consent({name: given[name] for name in given if name in MAY_AGREE}, arguments.yes, asker())
    return Run.resume(
        arguments.resume,
        tell,
        workers=arguments.workers,
        headed=arguments.headed,
        require_sandbox=arguments.require_sandbox,
        budgets={budget: given[name] for name, budget in BUDGETS.items() if name in given},
        on_provider_failure=arguments.on_provider_failure,
        allow=consent.check,
        engine=given.get("engine"),
        engine_address=arguments.address,
    )


def _with_advice(error: FatalError, folder: Path) -> UserError:
    """The same error with what to do about it: there may be nothing yet, or a run to go on with."""
    is_there = RunDirectory(folder).exists()
    if not is_there:
        if isinstance(error, CannotWrite):
            return UserError(f"{error}; give another --out")
        return UnfinishedWork(f"{error}; no page was played")
    first = {"disk": "make room, then ", "provider": "once it answers, "}.get(error.kind, "once that is mended, ")
    going_on = f"{first}go on with `{resuming(folder)}`"
    if error.advice:
        return UnfinishedWork(f"{error}\nWhat to try: {error.advice}.\n{going_on[0].upper()}{going_on[1:]}")
    return UnfinishedWork(f"{error}; {going_on}")


if __name__ == "__main__":
    sys.exit(main())
