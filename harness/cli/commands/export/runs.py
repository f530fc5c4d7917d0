"""Runs as training examples, preference pairs, tables, features or demonstrations: ``turkbench export runs RUN``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.export.asked_model import add_asked_model, asked_model
from harness.cli.replay_arguments import add_browsers, add_pages, worked_pages_of
from harness.episode.action_sets import ACTION_SETS, USUAL
from harness.integrations.exports.curriculum.building import CurriculumPlan
from harness.integrations.exports.curriculum.intents import IntentWriter
from harness.integrations.exports.curriculum.parts import Division, division_in
from harness.integrations.exports.demonstrating import KeptOfPages
from harness.integrations.exports.demonstration_export import DemonstrationChoice
from harness.integrations.exports.exported_runs import ExportChoice, ExportSummary, open_all
from harness.integrations.exports.exporting import (
    FORMATS,
    GOOD,
    MIND2WEB,
    WantedExport,
    write,
    write_curriculum,
    write_features,
)
from harness.integrations.exports.site_walks import ChosenTraces
from harness.kit.arguments import positive, share
from harness.kit.errors import UserError
from harness.models.asking_options import FORM_PROTOCOLS, PLANNING
from harness.observe import ENCODINGS, numbered
from harness.observe.screenshots import MODES as SCREENSHOTS
from harness.papers.mind2web.demonstrations.mind2web_file import ENDINGS
from harness.solvers.models.recipe import Recipe, SiteRecipe


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("export runs"),
        description=__doc__,
        epilog="exit codes: 0 done; 1 there was nothing to export, or it was interrupted; 2 wrong use",
    )
    parse.add_argument(
        "runs",
        type=Path,
        nargs="*",
        metavar="RUN",
        help="run directories (for mind2web none: then the reference traces of the website tasks are exported)",
    )
    parse.add_argument(
        "--format",
        choices=list(FORMATS),
        help="sft: chat examples; preference: pairs of a better and a worse reply; jsonl, parquet: "
        "tables of episodes, fields, steps and turns; atif: one file per trajectory, in the "
        "Agent Trajectory Interchange Format; adp: one line per trajectory, in the Agent Data "
        "Protocol; inspect: one log per run, for Inspect's viewer; datasets: the tables as a "
        "folder for Hugging Face's datasets; mind2web: demonstrations on websites, with the page "
        "before each step",
    )
    parse.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="sft, preference, adp: the file (default: standard output); jsonl, parquet, atif, inspect, datasets: the "
        f"folder; mind2web: the file, whose name ends with one of {', '.join(ENDINGS)}",
    )
    parse.add_argument(
        "--curriculum",
        type=Path,
        metavar="DIR",
        help="write lessons in three stages, made of runs and --traces, with a data card; --format "
        "says how its files are written: jsonl (default) or parquet (docs/how-to/training.md)",
    )
    parse.add_argument("--features", type=Path, metavar="DIR", help="write picture, HTML and actions of every field")
    parse.add_argument(
        "--min-score",
        type=float,
        metavar="X",
        help=f"only episodes with at least this score, 0 to 1 (default for sft and mind2web: {GOOD:g}, but all of the "
        "oracle's; else all)",
    )
    parse.add_argument("--solver", action="append", metavar="NAME", help="only runs of this solver; may be repeated")
    parse.add_argument("--split", action="append", metavar="NAME", help="only tasks of this split; may be repeated")
    _add_curriculum(parse)
    _add_demonstrations(parse)
    _add_replaying(parse)
    return parse


def _add_curriculum(parse: argparse.ArgumentParser) -> None:
    taught = parse.add_argument_group("curriculum", "Lessons on elements, single steps and whole tasks.")
    taught.add_argument(
        "--traces",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="also use the reference traces of the website tasks in this folder, or demonstrations in "
        "Mind2Web's format (file or folder); may be repeated",
    )
    divide = taught.add_mutually_exclusive_group()
    divide.add_argument(
        "--train-share",
        type=share,
        metavar="X",
        help="draw new splits: this share of each website's tasks, and of the forms, is for training, "
        "from 0 to 1; the rest is for tests (default: the tasks' own splits)",
    )
    divide.add_argument(
        "--division",
        type=Path,
        metavar="FILE",
        help="use the splits of another curriculum: its tasks.json",
    )
    taught.add_argument(
        "--actions",
        choices=[name for name in ACTION_SETS if name != "turkingbench"],
        default=USUAL["site"],
        help="the action set on websites (default: %(default)s)",
    )
    taught.add_argument(
        "--planning", choices=PLANNING, default="thought", help="whether answers on websites give a reason"
    )
    taught.add_argument(
        "--intents-by",
        metavar="PRESET",
        help="preset of a model that writes the reasons of steps on websites, one task per call "
        "(default: rules write them)",
    )
    add_asked_model(taught)


def _add_demonstrations(parse: argparse.ArgumentParser) -> None:
    shown = parse.add_argument_group(
        "mind2web and curriculum", "What was done on websites is done once more in a browser."
    )
    shown.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="NAME",
        help="for reference traces: only this task, by name or glob; may be repeated",
    )
    shown.add_argument(
        "--seeds",
        type=positive,
        default=1,
        metavar="N",
        help="for reference traces: replay each on N seeds of the bundled site (default: %(default)s)",
    )
    shown.add_argument(
        "--mhtml", action="store_true", help="for mind2web: save each step's page as one file, in a folder beside --out"
    )
    shown.add_argument(
        "--pictures", action="store_true", help="for mind2web: save a picture of each page, in a folder beside --out"
    )
    shown.add_argument(
        "--har",
        action="store_true",
        help="for mind2web: save all network traffic (HAR 1.2), in a folder beside --out",
    )


def _add_replaying(parse: argparse.ArgumentParser) -> None:
    replayed = parse.add_argument_group(
        "episodes without a model, and --features", "They are done again in a browser, to see each page."
    )
    replayed.add_argument("--protocol", choices=FORM_PROTOCOLS, default="field", help="(default: %(default)s)")
    replayed.add_argument(
        "--encoding", choices=[*ENCODINGS, "none"], default="relevant", help="encoding of forms (default: %(default)s)"
    )
    replayed.add_argument(
        "--site-encoding",
        choices=numbered(),
        default="axtree",
        help="encoding of websites in a curriculum (default: %(default)s)",
    )
    replayed.add_argument(
        "--screenshot", choices=SCREENSHOTS, default="none", help="needs --out (default: %(default)s)"
    )
    replayed.add_argument(
        "--max-input-tokens",
        type=positive,
        default=Recipe.max_input_tokens,
        metavar="N",
        help="most tokens of an example's prompt; the page is cut to fit (default: %(default)s)",
    )
    add_pages(replayed)
    add_browsers(replayed)


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    _check(arguments)
    wanted = WantedExport(
        arguments.format,
        arguments.out,
        ExportChoice(arguments.min_score, tuple(arguments.solver or ()), tuple(arguments.split or ())),
        Recipe(
            model="",
            protocol=arguments.protocol,
            encoding=arguments.encoding,
            screenshot=arguments.screenshot,
            max_input_tokens=arguments.max_input_tokens,
        ),
        {"pages": worked_pages_of(arguments), "workers": arguments.workers, "mode": arguments.progress},
        DemonstrationChoice(
            ChosenTraces(tuple(arguments.task), tuple(arguments.split or ()), arguments.seeds),
            KeptOfPages(mhtml=arguments.mhtml, pictures=arguments.pictures, har=arguments.har),
        ),
    )
    summary = ExportSummary()
    sources = open_all(arguments.runs)
    if arguments.features:
        write_features(wanted, sources, arguments.features, summary)
    if arguments.curriculum:
        write_curriculum(wanted, _plan(arguments, wanted), sources, arguments.curriculum, summary)
    else:
        write(wanted, sources, summary)
    print(summary, file=sys.stderr)
    return COMPLETE if summary.count else INCOMPLETE


def _plan(arguments: argparse.Namespace, wanted: WantedExport) -> CurriculumPlan:
    """The curriculum that is asked for."""
    return CurriculumPlan(
        folders=arguments.traces,
        traces=wanted.demonstrations.traces,
        sites=replace(
            wanted.recipe,
            protocol="site",
            prompts="site",
            encoding=arguments.site_encoding,
            site=SiteRecipe(planning=arguments.planning),
        ),
        actions=arguments.actions,
        forms=wanted.recipe,
        division=division_in(arguments.division) if arguments.division else Division(arguments.train_share),
        form=arguments.format or "jsonl",
        intents=_intents(arguments) if arguments.intents_by else None,
    )


def _intents(arguments: argparse.Namespace) -> IntentWriter:
    """What writes reasons; its replies stay beside the curriculum, and are not asked for again."""
    folder = arguments.curriculum.with_name(f"{arguments.curriculum.name}-replies")
    preset, service = asked_model(arguments.intents_by, arguments, folder)
    return IntentWriter(service, preset)


def _check(arguments: argparse.Namespace) -> None:
    """Refuse arguments that cannot be meant so.

    Raises:
        UserError: they cannot.
    """
    if not arguments.format and not arguments.features and not arguments.curriculum:
        raise UserError(f"give --format ({', '.join(FORMATS)}), --features DIR or --curriculum DIR")
    if arguments.curriculum:
        _check_curriculum(arguments)
    elif arguments.traces or arguments.train_share is not None or arguments.division:
        raise UserError("--traces, --train-share and --division are for --curriculum DIR")
    elif arguments.intents_by:
        raise UserError("--intents-by is for --curriculum DIR")
    if not arguments.intents_by and any((arguments.model, arguments.base_url, arguments.max_cost)):
        raise UserError("--model, --base-url and --max-cost are of the model of --intents-by PRESET: give that, too")
    if arguments.intents_by and arguments.planning == "none":
        raise UserError("--planning none leaves out the reasons that --intents-by is to write")
    if not arguments.runs and arguments.format != MIND2WEB and not arguments.traces:
        raise UserError(
            "name a run directory; only --format mind2web does without, and takes reference traces, and --curriculum "
            "with --traces DIR"
        )
    if arguments.format == MIND2WEB and not (arguments.out and arguments.out.name.endswith(ENDINGS)):
        raise UserError(f"--format mind2web writes a file: name it with --out, ending with {', '.join(ENDINGS)}")
    if arguments.runs and (arguments.task or arguments.seeds > 1) and not arguments.traces:
        raise UserError("--task and --seeds choose among reference traces: give no run")
    if arguments.format in ("jsonl", "parquet") and not (arguments.out or arguments.curriculum):
        raise UserError(f"--format {arguments.format} writes several tables: name their folder with --out")
    if arguments.format == "datasets" and not arguments.out:
        raise UserError("--format datasets writes a folder with a card: name it with --out")
    if arguments.format == "atif" and not arguments.out:
        raise UserError("--format atif writes a file a trajectory: name their folder with --out")
    if arguments.format == "inspect" and not arguments.out:
        raise UserError("--format inspect writes a log a run: name their folder with --out")
    if arguments.screenshot != "none" and not arguments.out:
        raise UserError("--screenshot writes pictures beside the examples: name their file with --out")
    if arguments.encoding == "none" and arguments.screenshot == "none":
        raise UserError("--encoding none shows a page as a picture alone: give --screenshot, too")
    if arguments.screenshot == "element" and arguments.protocol == "form":
        raise UserError("--screenshot element shows one field: --protocol form needs another")


def _check_curriculum(arguments: argparse.Namespace) -> None:
    """As ``_check``, of what a curriculum has otherwise."""
    if arguments.format not in (None, "jsonl", "parquet") or arguments.out:
        raise UserError("--curriculum DIR writes a folder of its own, as --format jsonl or parquet: leave --out out")
    if arguments.screenshot != "none":
        raise UserError("a curriculum has no pictures: leave --screenshot out")
