"""How far judges of trajectories can be trusted: ``turkbench judge agreement VERDICTS...``.

    agreement VERDICTS... [--run RUN]     judges against people, or against the tasks' evaluators
    corrected VERDICTS... [--run RUN]     success rates without a judge's bias, and the ranking before and after
    kinds VERDICTS...                     of which kinds failures are, by judges and by people
    efficiency RUN...                     steps of successes and failures, beside the reference's
    people human_label.json               success rates by people, and published verdicts beside theirs
    metrics results.json                  the published metrics of judges, from their recorded verdicts
    replies FILE...                       how recorded replies of WebJudge are read here
    folders DIR [--copy-to OUT]           trajectories in Online-Mind2Web's layout: which there are, what is missing
    published                             Tables 1 to 3 of the paper

docs/how-to/judges.md has the details.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import positive, share
from harness.kit.errors import UserError
from harness.kit.statistics.estimate import DRAWS

if TYPE_CHECKING:
    from harness.records.episode import Episode
    from harness.scoring.judges.human_labels import AgentLabels
    from harness.scoring.judges.judged_pairs import JudgedPair
    from harness.scoring.judges.verdict_pairs import EpisodeTruth, TruthSource, VerdictPool

# What is slow to import is imported for work, not for help.
TRUTHS = ("people", "evaluators", "final_state")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("judge"),
        description="How far judges of trajectories can be trusted",
        epilog="exit codes: 0 done; 1 something could not be read; 2 wrong use",
    )
    commands = parse.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, words in (
        ("agreement", "judges against people, or against the tasks' evaluators"),
        ("corrected", "success rates without a judge's bias, and the ranking before and after"),
    ):
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument(
            "verdicts", type=Path, nargs="+", metavar="VERDICTS", help="files of verdicts of judges and of people"
        )
        _add_runs(command, "people")
        if name == "agreement":
            _add_figure(command, "agreement by the length of trajectories")
    command = commands.add_parser("kinds", help=_KINDS, description=_KINDS)
    command.add_argument("verdicts", type=Path, nargs="+", metavar="VERDICTS", help="files of verdicts of judges")
    _add_figure(command, "shares of the kinds")
    command = commands.add_parser(
        "efficiency", help="count the steps of successes and of failures", description=_EFFICIENCY
    )
    command.add_argument("run", type=Path, nargs="+", metavar="RUN", help="run directories")
    command.add_argument(
        "--verdicts",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="file of people's verdicts, for --truth people",
    )
    _add_truth(command, "evaluators")
    _add_figure(command, "steps")
    for name, words, file in (
        ("people", "success rates by people", "human_label.json of Online-Mind2Web"),
        ("metrics", "the published metrics of judges, as CSV", "results.json of AgentRewardBench"),
    ):
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument("file", type=Path, metavar="FILE", help=file)
        if name == "metrics":
            command.add_argument(
                "--out", type=Path, metavar="DIR", help="write metrics_test.csv and success_rates_test.csv into it"
            )
        if name == "people":
            command.add_argument(
                "--levels",
                type=Path,
                metavar="FILE",
                help="the file Online_Mind2Web.json: also print rates by difficulty level",
            )
            _add_figure(command, "success by level, with --levels")
            command.add_argument(
                "--judged",
                action="append",
                default=[],
                metavar="AGENT=FILE",
                help="a judge's published verdicts on an agent (JSON lines), to be compared with "
                "people's; may be repeated",
            )
    command = commands.add_parser("replies", help=_REPLIES, description=_REPLIES)
    command.add_argument("file", type=Path, nargs="+", metavar="FILE", help="print JSON lines, one per judgement")
    command = commands.add_parser(
        "folders", help="check trajectories in Online-Mind2Web's layout", description=_FOLDERS
    )
    command.add_argument(
        "folder", type=Path, metavar="DIR", help="a folder with one folder per task, or a run directory"
    )
    command.add_argument(
        "--copy-to", type=Path, metavar="OUT", help="write them again in the first version of the layout"
    )
    commands.add_parser("published", help="Tables 1 to 3 of the paper", description="Tables 1 to 3 of the paper")
    return parse


def _add_figure(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--svg", type=Path, metavar="FILE", help=f"also draw {what}, as SVG")


_EFFICIENCY = "How many steps agents take for what they solve, beside the reference's, and for what they do not"
_KINDS = "of which kinds failures are, by judges and by people"
_REPLIES = "how recorded replies of WebJudge are read here"
_FOLDERS = "Which trajectories there are, and which of their pictures are missing"


def _add_runs(command: argparse.ArgumentParser, truth: str) -> None:
    command.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        metavar="RUN",
        help="a judged run, for difficulty levels and lengths; may be repeated",
    )
    _add_truth(command, truth)


def _add_truth(command: argparse.ArgumentParser, truth: str) -> None:
    command.add_argument(
        "--truth",
        choices=TRUTHS,
        default=truth,
        help="what counts as true: people's verdicts; the task's own evaluator (for a form its "
        "labels); the website's final state (default: %(default)s)",
    )
    command.add_argument(
        "--threshold",
        type=share,
        default=0.5,
        metavar="X",
        help="least score of a form, from 0 to 1, that counts as success (default: %(default)s)",
    )
    command.add_argument(
        "--draws", type=positive, default=DRAWS, metavar="N", help="draws of the bootstrap (default: %(default)s)"
    )


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    return _COMMANDS[arguments.command](arguments)


def _pool(arguments: argparse.Namespace) -> VerdictPool:
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.records.verdict import read_verdicts  # noqa: PLC0415
    from harness.scoring.judges.verdict_pairs import pool  # noqa: PLC0415

    source: TruthSource = "people" if arguments.truth == "people" else "evaluators"
    runs = [RunDirectory.open(run) for run in arguments.run]
    return pool([read_verdicts(file) for file in arguments.verdicts], runs, source, _success(arguments))


def _success(arguments: argparse.Namespace) -> EpisodeTruth:
    """What tells whether an episode succeeded."""
    from harness.scoring.judges.verdict_pairs import final_state_success, main_success  # noqa: PLC0415
    from harness.scoring.metrics import PROFILES  # noqa: PLC0415
    from harness.scoring.scores import score_episode  # noqa: PLC0415

    if arguments.truth == "final_state":
        return final_state_success

    def by_labels(episode: Episode) -> bool | None:
        score = score_episode(episode, PROFILES["standard"]).score
        return None if score is None else score >= arguments.threshold

    return lambda episode: main_success(episode) if episode.site else by_labels(episode)


def _judged_pool(arguments: argparse.Namespace) -> VerdictPool:
    found = _pool(arguments)
    if not found.names:
        raise UserError(
            "none of these files holds a judge's verdicts: give those of a model or a rule beside those of people"
        )
    return found


def _agreement(arguments: argparse.Namespace) -> int:
    from harness.kit.text import counted  # noqa: PLC0415
    from harness.papers.online_mind2web.judge_text import agreement_text  # noqa: PLC0415
    from harness.scoring.judges.judged_pairs import agreement_groups  # noqa: PLC0415
    from harness.scoring.judges.verdict_pairs import spread_of_repeats  # noqa: PLC0415

    found = _judged_pool(arguments)
    groups = {name: agreement_groups(found.pairs(name), draws=arguments.draws) for name in found.names}
    parts = [agreement_text(name, of_it, spread_of_repeats(found, name)) for name, of_it in groups.items()]
    if arguments.svg:
        from harness.papers.online_mind2web.judge_figures import agreement_bars, write_figure  # noqa: PLC0415

        write_figure(arguments.svg, "Agreement with the truth by the length of trajectories", agreement_bars(groups))
    if found.divided and arguments.truth == "people":
        parts.append(
            f"{counted(found.divided, 'trajectory', 'trajectories')} left out: people are divided, or cannot tell"
        )
    print_out("\n\n".join([*parts, *_silent(found)]))
    return COMPLETE


def _silent(found: VerdictPool) -> list[str]:
    """Whom there is nothing to say of, in words."""
    return [f"no verdict at all: {', '.join(found.silent)}"] if found.silent else []


def _corrected(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import corrected_text  # noqa: PLC0415
    from harness.scoring.judges.agent_rates import corrected_rates  # noqa: PLC0415

    found = _judged_pool(arguments)
    texts = [corrected_text(name, corrected_rates(found.tries(name), draws=arguments.draws)) for name in found.names]
    print_out("\n\n".join([*texts, *_silent(found)]))
    return COMPLETE


def _kinds(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import failures_text  # noqa: PLC0415
    from harness.records.verdict import read_verdicts  # noqa: PLC0415
    from harness.scoring.judges.named_failures import named_failures  # noqa: PLC0415

    found = named_failures(map(read_verdicts, arguments.verdicts))
    if arguments.svg:
        from harness.papers.online_mind2web.judge_figures import failure_bars, write_figure  # noqa: PLC0415

        write_figure(arguments.svg, "Failures by kind", failure_bars(found))
    print_out(failures_text(found))
    return COMPLETE


def _efficiency(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import efficiency_text  # noqa: PLC0415
    from harness.scoring.judges.agent_rates import efficiency  # noqa: PLC0415

    tries = _pool(arguments).stepped()
    if not tries:
        raise UserError("no episode of these runs tells how many steps it took")
    agents = {agent: efficiency(of_it, draws=arguments.draws) for agent, of_it in tries.items()}
    if arguments.svg:
        from harness.papers.online_mind2web.judge_figures import step_bars, write_figure  # noqa: PLC0415

        write_figure(arguments.svg, "Steps of successes and of failures", step_bars(agents))
    print_out(efficiency_text(agents))
    return COMPLETE


def _people(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import human_rates_text  # noqa: PLC0415
    from harness.scoring.judges.human_labels import read_human_labels  # noqa: PLC0415

    people = read_human_labels(arguments.file)
    parts = [human_rates_text(people)]
    if arguments.svg and not arguments.levels:
        raise UserError("--svg draws success by level: give --levels Online_Mind2Web.json, too")
    if arguments.levels:
        from harness.papers.online_mind2web.judge_figures import success_bars, write_figure  # noqa: PLC0415
        from harness.papers.online_mind2web.task_set import labels_by_level  # noqa: PLC0415

        levels = labels_by_level(people, arguments.levels)
        parts += [f"{level}\n{human_rates_text(of_it)}" for level, of_it in levels.items()]
        if arguments.svg:
            write_figure(arguments.svg, "Success of agents by level, by people", success_bars(levels))
    if arguments.judged:
        parts.append(_published_verdicts(people, arguments.judged))
    print_out("\n\n".join(parts))
    return COMPLETE


def _published_verdicts(people: Sequence[AgentLabels], judged: Sequence[str]) -> str:
    """How far published verdicts agree with people's; raises ``UserError``."""
    from harness.papers.online_mind2web.judge_text import agreement_text  # noqa: PLC0415
    from harness.scoring.judges.auto_results import pairs_with_people, read_auto_results  # noqa: PLC0415
    from harness.scoring.judges.judged_pairs import agreement_groups  # noqa: PLC0415

    by_agent = {each.agent: each for each in people}
    pairs: list[JudgedPair] = []
    for given in judged:
        agent, is_given, file = given.partition("=")
        if not is_given or agent not in by_agent:
            raise UserError(f"--judged {given}: give AGENT=FILE; people labelled {', '.join(by_agent)}")
        pairs += pairs_with_people(by_agent[agent], read_auto_results(Path(file)), Path(file))
    return agreement_text("published verdicts", agreement_groups(pairs), ())


def _metrics(arguments: argparse.Namespace) -> int:
    from harness.kit.files.writing import write_bytes  # noqa: PLC0415
    from harness.scoring.judges.judge_results import (  # noqa: PLC0415
        printed_metrics,
        printed_rates,
        read_results,
        results_csv,
    )

    results = read_results(arguments.file)
    metrics = results_csv(printed_metrics(results))
    if arguments.out is None:
        print_out(metrics.rstrip("\n"))
        return COMPLETE
    for name, text in (("metrics_test.csv", metrics), ("success_rates_test.csv", results_csv(printed_rates(results)))):
        write_bytes(arguments.out / name, text.encode())
        print_out(f"written: {arguments.out / name}")
    return COMPLETE


def _replies(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import replies_text  # noqa: PLC0415
    from harness.scoring.judges.recorded_replies import place_replies  # noqa: PLC0415

    all_placed = True
    for file in arguments.file:
        found = place_replies(file)
        print_out(replies_text(found) if len(arguments.file) == 1 else f"{file}\n{replies_text(found)}\n")
        all_placed = all_placed and found.placed == len(found.judgements)
    return COMPLETE if all_placed else INCOMPLETE


def _folders(arguments: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import folders_text  # noqa: PLC0415
    from harness.scoring.judges.result_folders import write_result_folders  # noqa: PLC0415
    from harness.scoring.judges.run_trajectories import read_trajectories  # noqa: PLC0415

    found = read_trajectories(arguments.folder)
    print_out(folders_text(found))
    if arguments.copy_to:
        try:
            write_result_folders(found.trajectories, arguments.copy_to)
        except OSError as error:
            raise UserError(f"{arguments.copy_to} cannot be written: {error.strerror}; give another place") from error
    return INCOMPLETE if found.problems or found.missing_pictures else COMPLETE


def _published(_: argparse.Namespace) -> int:
    from harness.papers.online_mind2web.judge_text import published_text  # noqa: PLC0415

    print_out(published_text())
    return COMPLETE


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "agreement": _agreement,
    "corrected": _corrected,
    "kinds": _kinds,
    "efficiency": _efficiency,
    "people": _people,
    "metrics": _metrics,
    "replies": _replies,
    "folders": _folders,
    "published": _published,
}
