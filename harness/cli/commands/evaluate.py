"""Evaluate a solver: ``turkbench evaluate --solver NAME``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from harness.catalog.kinds import FORM
from harness.cli.boundary import COMPLETE, INCOMPLETE, OF_A_RUN, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.config_file import add_config, named_in, with_config
from harness.cli.solver_arguments import CubeOptions, add_profile, add_solver_arguments, cube_of, options_of
from harness.cli.task_arguments import Shown, add_task_arguments, config_of
from harness.episode.registry import SOLVERS, UnknownSolver, find_solver
from harness.episode.solver import NoOptions
from harness.kit.arguments import add_options
from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.files.installation import to_type
from harness.kit.options import NamedOption, OnResume, flag, option, options_in
from harness.kit.registry import registry
from harness.kit.text import counted
from harness.records.config import ENGINE, Limits, RunConfig, known_options, solver_options
from harness.records.directory import RunDirectory
from harness.records.fatal import CannotWrite, FatalError
from harness.reports.run_summary import resuming, summary_table
from harness.run.foreign_tasks import foreign_tasks
from harness.run.new_folder import new_folder
from harness.run.pause import OnProviderFailure
from harness.run.progress import Progress, progress
from harness.run.run_result import NOBODY, RunResult, RunWatcher
from harness.run.runner import Run


@dataclass(frozen=True, kw_only=True)
class Conduct(Shown):
    """How a run goes on, whatever it is of: nothing of it is kept with the run."""

    GROUP: ClassVar[str] = "progress and failures"

    on_provider_failure: OnProviderFailure = option(
        "stop",
        help="what to do while the model's provider does not answer: stop retries for about two "
        "minutes, then stops the run (default); wait retries until it answers",
        changes="nothing",
        on_resume="free",
    )
    log_to: tuple[str, ...] = option(
        (),
        metavar="NAME",
        help=f"log the run to this tracker ({', '.join(registry('trackers'))}) as it goes, where its own environment "
        "variables say (repeatable); each needs an extra of its name; turkbench export log does it afterwards",
        changes="nothing",
        on_resume="free",
    )
    address: str | None = option(
        metavar="HOST:PORT",
        help="with --engine ray: the address of the cluster; this machine must be one of its nodes "
        "(default: the cluster of this machine, else a new one on this machine)",
        group=ENGINE,
        changes="nothing",
        on_resume="free",
    )
    yes: bool = option(
        False,
        help="with --resume: agree to everything that the run directory asks for, such as running a "
        "program, reaching the web or a model server, or reading files outside the run "
        "directory; without --yes you are asked, unless you give the same options again",
        changes="nothing",
        on_resume="free",
    )


def named_options() -> tuple[NamedOption, ...]:
    """All options of a run and of the solvers that have a name, each once."""
    records: tuple[type[Any], ...] = (RunConfig, Limits, CubeOptions, Conduct)
    return (*(each for record in records for each in options_in(record)), *solver_options())


def _on_resume(*which: OnResume) -> dict[str, str]:
    """The options of which that may be given when a run is gone on with -> their arguments."""
    return {each.name: each.flag for each in named_options() if each.about.on_resume in which}


_FIRST = ("--solver", "--list-solvers", "--dry-run", "--out", "--resume", "--config")
_EXAMPLES = (
    "--solver oracle --max-instances 5",
    "--solver gpt-4o --split test --max-instances 20 --max-cost 5 --dry-run",
    "--config runs/RUN/config.toml --out runs/again",
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("evaluate"), description=__doc__, epilog=OF_A_RUN)
    parse.add_argument(
        "--solver",
        metavar="NAME",
        help=f"{', '.join(SOLVERS)}; the preset of a model, e.g. gpt-6-luna (--list-solvers prints all); or "
        "package.module:Class or path/to/file.py:Class of your own",
    )
    parse.add_argument("--list-solvers", action="store_true", help="print all solvers and presets, and stop")
    parse.add_argument(
        "--dry-run",
        action="store_true",
        help="build every prompt and print its tokens and the expected cost, without calling a model",
    )
    add_config(parse)
    add_task_arguments(parse)
    add_profile(parse)
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_<solver>_<split>)")
    parse.add_argument(
        "--resume",
        type=Path,
        metavar="RUN",
        help="go on with a run that was cut short; what it is to do stands in it: only "
        f"{', '.join(_on_resume('free').values())} may be given, and higher budgets "
        f"({', '.join(_on_resume('raise').values())}), under which instances that ended for lack of them are played "
        "again",
    )
    add_options(parse, RunConfig)  # the rest, of whatever heading
    add_options(parse, CubeOptions)
    add_options(parse, Conduct)
    add_solver_arguments(parse)
    records: tuple[type[Any], ...] = (RunConfig, *known_options())
    first = [each.flag for record in records for each in options_in(record) if each.about.first]
    parse.begin_with([*_FIRST, *first], [to_type("evaluate", *words.split()) for words in _EXAMPLES])
    return parse


_FIRST_RUN = ("--solver", "oracle", "--max-instances", "1")
"""What is played where nothing was asked for: whether pages, browser and scores work, in a minute."""


@error_boundary(interrupted="interrupted before the run began")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    command, typed = parser(), sys.argv[1:] if argv is None else argv
    if not typed:
        own_run = to_type("evaluate", "--solver", "NAME")
        print(
            f"note: no options: the oracle, which knows the answers, fills in a page of each task; yours: `{own_run}`"
        )
        typed = _FIRST_RUN
    own = _own_options(typed)
    add_options(command, own)
    words = with_config(command, typed)
    arguments = command.parse_args(words)
    if arguments.list_solvers:
        print_out(solvers_table())
        return COMPLETE
    if arguments.dry_run:
        return _dry_run(arguments, own)
    watcher = _watcher(arguments.log_to or ())
    tell = progress(arguments.progress)
    if arguments.resume:
        return _play(_resumed(arguments, _given(command, words), tell), watcher, tell)
    config = _asked_for(arguments, own)
    try:
        with new_folder(config, arguments.out, "give another --out, or --resume it") as folder:
            how = arguments.on_provider_failure
            run = Run(config, folder, tell, on_provider_failure=how, engine_address=arguments.address)
            if said := _as_published(run.config):
                tell.note(said)
            return _play(run, watcher, tell)
    except CannotWrite as error:
        raise UserError(f"{error}; give another --out") from error


OpenWatcher = Callable[[Path, Callable[[str], None]], AbstractContextManager[RunWatcher]]
"""Gives a context in which a run is watched: of its run directory, and of what tells its user."""


def _watcher(trackers: Sequence[str]) -> OpenWatcher:
    """Who watches a run that is logged to trackers.

    Raises:
        NoTracker: one of them is not there.
    """
    if not trackers:
        return lambda _folder, _say: nullcontext(NOBODY)
    # Imported here alone: a run that nobody is told of does without.
    from harness.integrations.tracking.follower import Followers  # noqa: PLC0415
    from harness.integrations.tracking.tracker import check_tracker  # noqa: PLC0415

    for name in trackers:
        check_tracker(name)
    return partial(Followers, trackers)


def _play(run: Run, watch: OpenWatcher, tell: Progress) -> int:
    """Play a run, have it logged, and say what it came to; returns the exit code."""
    folder = run.directory.folder
    try:
        with watch(folder, tell.note) as watcher:
            result = run.execute(watcher)
    except FatalError as error:
        raise _with_advice(error, folder) from error
    finally:
        for problem in run.problems:
            print(f"problem: {problem}", file=sys.stderr)
    return say(result)


def say(result: RunResult) -> int:
    """Say what a run came to, and what can be done next; returns the exit code."""
    folder = result.folder
    print_out(summary_table(result.record, result.endings, result.sites))
    if result.unjudged and result.status != "interrupted":
        print_out(f"\n{_unjudged(result)}")
    print_out(f"\nRun directory: {folder}")
    if result.status == "complete":
        print_out(f"Intervals, people and mistakes on one page: {to_type('report', folder)}")
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
    judging = to_type("score", result.folder, "--judge", judge or "gpt-4o", "--out", out)
    return f"{what}; a judge can tell: {judging}"


def solvers_table() -> str:
    """All solvers as text: those with a name of their own, with what they do, and the presets of models."""
    from harness.models.presets import list_table  # noqa: PLC0415 - runs without a model do without
    from harness.papers.turkingbench.row_command import preset_remarks  # noqa: PLC0415

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


def _dry_run(arguments: argparse.Namespace, own: type[Any]) -> int:
    """Show what a model would be sent."""
    from harness.solvers.models.dry_run import dry_run  # noqa: PLC0415 - runs without a model do without

    if arguments.cube:
        raise UserError("--dry-run: the pages of a benchmark of CUBE are there while it is played; leave --cube out")
    dry_run(_asked_for(arguments, own), lambda line: print(line, flush=True))
    return COMPLETE


def _as_published(config: RunConfig) -> str:
    """Which row of the paper's tables a run of a model repeats, in words; empty if none."""
    if config.kind != FORM or config.solver in SOLVERS or ":" in config.solver:
        return ""
    from harness.papers.turkingbench.row_command import row_asked_by  # noqa: PLC0415 - runs without a model do without

    row, model = row_asked_by(config.solver, config.options)
    if row is None:
        return ""
    asks = f"asks as {row.place} ({row.label})"
    if model:
        return f"{asks} did, but asks {model}: its score is no score of the paper's"
    return f"{asks}, which scored {row.printed} there"


def _own_options(words: Sequence[str]) -> type[Any]:
    """The options of a solver that has no name, but a place; none of others.

    Raises:
        UnknownSolver: there is no such solver.
    """
    solver = named_in(words, "solver")
    return find_solver(solver).options if ":" in solver else NoOptions


def _asked_for(arguments: argparse.Namespace, own: type[Any]) -> RunConfig:
    """The new run of a command line.

    Raises:
        UserError: it asks for nothing, or for what cannot be.
    """
    if not arguments.solver:
        raise UserError(
            "give --solver: `oracle`, which needs no model; a model, such as `gpt-6-luna` (--list-solvers prints all); "
            "`FILE.py:CLASS` of your own; or --resume RUN to go on with a run"
        )
    cube = cube_of(arguments)
    config = config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments, own))
    return replace(config, cube=cube, tasks_dir=foreign_tasks(cube).folder()) if cube else config


def _given(command: argparse.ArgumentParser, argv: Sequence[str] | None) -> dict[str, Any]:
    """The arguments that stand on the command line, be they equal to their defaults."""
    blank = argparse.Namespace(**dict.fromkeys(vars(command.parse_args([]))))
    return {name: value for name, value in vars(command.parse_args(argv, blank)).items() if value is not None}


def _resumed(arguments: argparse.Namespace, given: Mapping[str, Any], tell: Progress) -> Run:
    """The run to go on with.

    Raises:
        UserError: an option was given that the run has decided already.
    """
    from harness.run.consent import Consent, asker  # noqa: PLC0415 - new runs do without

    agreeing, raising = {"solver", *_on_resume("agree")}, _on_resume("raise")
    if decided := [name for name in given if name not in {"resume", *agreeing, *raising, *_on_resume("free")}]:
        known = {each.name: each.flag for each in options_in(RunConfig)}
        arguments_given = ", ".join(known.get(name, flag(name)) for name in decided)
        raise UserError(f"{arguments_given}: a run that is resumed goes on as it began; leave the option out")
    consent = Consent({name: given[name] for name in given if name in agreeing}, arguments.yes, asker())
    return Run.resume(
        arguments.resume,
        tell,
        workers=arguments.workers,
        headed=arguments.headed,
        require_sandbox=arguments.require_sandbox,
        budgets={name: given[name] for name in raising if name in given},
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
