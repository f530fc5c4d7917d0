"""Evaluate a solver step by step on demonstrations: ``turkbench offline-eval TRACES --solver NAME --out DIR``.

Each step of a demonstration is asked on its own, with the steps before it as they were done (teacher-forced), and is
held against what was done: element accuracy, operation F1, step success, task success.
docs/how-to/offline-evaluation.md has the details.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import add_options, group_of, positive, values_of, whole
from harness.kit.errors import UserError
from harness.kit.options import option, view
from harness.models.call_options import AskedPreset, CallOptions, ModelChoice
from harness.papers.mind2web.generalisation_splits import SPLIT_CHOICES
from harness.run.progress import MODES, progress

if TYPE_CHECKING:
    from harness.papers.teacher_forced.evaluation_work import EvaluationWork

    AnyWork = EvaluationWork[Any, Any, Any]


@dataclass(frozen=True, kw_only=True)
class StepCall(CallOptions, AskedPreset):
    """How a model is asked, where a solver asks one."""

    GROUP: ClassVar[str] = AskedPreset.GROUP

    max_output_tokens: int | None = option(takes=positive, metavar="N", help="most tokens of a reply")


# What is slow to import is imported for work, not for help.
EXIT_CODES = (
    "exit codes: 0 every step is asked; 1 some is not (interrupted, or not answered): the same command goes on with "
    "--resume; 2 wrong use"
)
_SOLVERS = (
    "oracle, random, first, lexical; classify, generate, prompt, mindact (docs/how-to/mindact.md); page:NAME, a solver "
    "of websites; or package.module:Class. For autowebbench: oracle, random, first, lexical, a preset, or a class"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("offline-eval"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("traces", type=Path, metavar="TRACES", help="a file of demonstrations, or a folder of them")
    parse.add_argument(
        "--format",
        choices=("mind2web", "autowebbench"),
        default="mind2web",
        help="format of the file: demonstrations with their pages, or AutoWebBench's prompts with "
        "commands (docs/how-to/autowebglm.md)",
    )
    parse.add_argument("--solver", required=True, metavar="NAME", help=_SOLVERS)
    parse.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the predictions")
    parse.add_argument("--resume", action="store_true", help="continue the evaluation in DIR")
    parse.add_argument(
        "--split",
        choices=SPLIT_CHOICES,
        default="all",
        help="only this split: the published one, else one made by a rule; test is everything but train",
    )
    parse.add_argument("--limit", type=positive, metavar="N", help="only the first N demonstrations")
    parse.add_argument("--orders", type=positive, default=1, metavar="K", help="ask each step K times, with K seeds")
    parse.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="seed of the solver and of the splits (default: 0)"
    )
    parse.add_argument(
        "--clusters", choices=("task", "website"), default="task", help="what the intervals generalise over"
    )
    parse.add_argument(
        "--words",
        choices=("characters", "jieba"),
        help="for autowebbench: a word of Chinese is one character (default) or what jieba finds",
    )
    parse.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help="demonstrations in parallel, each with its own solver (default: 1)",
    )
    parse.add_argument("--dry-run", action="store_true", help="print the most that it can cost, and ask no model")
    parse.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parse.add_argument(
        "--progress", choices=MODES, help="how progress is shown (default: bar on a terminal, else plain)"
    )
    add_options(parse, StepCall)
    group_of(parse, StepCall.GROUP).add_argument(
        "--set",
        action="append",
        type=_setting,
        default=[],
        metavar="NAME=VALUE",
        help="a further option of the solver; may be repeated",
    )
    parse.renamed("--model-id", "--model")
    return parse


class WrongFormat(UserError):
    """A flag is not for this format of steps; the message says what is."""


@error_boundary("interrupted: what was predicted is kept, and the same command goes on with --resume")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    from harness.records.folder_lock import FolderLock  # noqa: PLC0415

    _keep_model(arguments)
    with naming_the_file(otherwise=arguments.out):
        work = _work(arguments)
        if arguments.dry_run:
            return _dry_run(work, arguments)
        with FolderLock(arguments.out):
            return _evaluate(work, arguments)


def _keep_model(arguments: argparse.Namespace) -> None:
    """Say when the model's provider shuts it down, and take down which model is asked where it did.

    Raises:
        harness.models.client.ModelRetired: it did, and the model was named itself, without ``--retired-anyway``.
    """
    from harness.models.client import today  # noqa: PLC0415
    from harness.models.presets import presets, resolve  # noqa: PLC0415

    name = arguments.model or arguments.solver.removeprefix("page:")
    if name not in presets():
        return
    asked = view(ModelChoice, {**values_of(arguments, StepCall), "model": arguments.model_id})
    preset = resolve(name, asked)
    if said := preset.news(today(), agreed=bool(arguments.retired_anyway)):
        print(said, file=sys.stderr)
    if preset.stands_in_for:
        arguments.model_id = preset.model


def _work(arguments: argparse.Namespace) -> AnyWork:
    from harness.papers.teacher_forced.autowebbench.command_source import RecordedSteps  # noqa: PLC0415
    from harness.papers.teacher_forced.demonstrated_steps import DemonstratedSteps  # noqa: PLC0415
    from harness.papers.teacher_forced.evaluation_work import EvaluationWork  # noqa: PLC0415

    asked = (arguments.solver, _options(arguments), arguments.out)
    how = {name: getattr(arguments, name) for name in ("orders", "seed", "workers")}
    which = {name: getattr(arguments, name) for name in ("split", "limit")}
    if arguments.format == "mind2web":
        if arguments.words is not None:
            raise WrongFormat("--words is for --format autowebbench")
        steps = DemonstratedSteps.read(arguments.traces, **which, seed=arguments.seed, clusters=arguments.clusters)
        return EvaluationWork.of(steps, *asked, **how)
    if arguments.clusters != "task":
        raise WrongFormat("--clusters website: AutoWebBench's steps name no website; intervals are by task")
    recorded = RecordedSteps.read(arguments.traces, **which, words=arguments.words or "characters")
    return EvaluationWork.of(recorded, *asked, **how)


def _dry_run(work: AnyWork, arguments: argparse.Namespace) -> int:
    from harness.papers.teacher_forced.numbers_text import asking_cost_text  # noqa: PLC0415

    shown = progress(arguments.progress)
    shown.start("dry run", work.predictions // work.orders)
    try:
        found = work.cost(lambda: shown.advance(None, None))
    finally:
        shown.finish()
    print_out(asking_cost_text(work.predictions, found))
    return COMPLETE


def _evaluate(work: AnyWork, arguments: argparse.Namespace) -> int:
    from harness.kit.files.codec import plain  # noqa: PLC0415

    work.begin(resume=arguments.resume)
    shown = progress(arguments.progress)
    if work.source.note:
        shown.note(work.source.note)
    known = sum(1 for _ in work.folder.predictions())
    shown.start(arguments.solver, work.predictions, known)

    def tell(prediction: Any) -> None:
        if prediction is None:
            shown.advance("not answered", None)
        else:
            shown.advance("success" if prediction.success else "failure", float(prediction.success))

    try:
        unanswered = work.ask(tell)
    finally:
        shown.finish()
    found = work.summarise()
    if arguments.json:
        print_out(json.dumps(plain(found), ensure_ascii=False, indent=1))
    else:
        print_out(work.source.text(found))
    for why, number in unanswered.most_common(3):
        print(f"not answered, {number} times: {why}", file=sys.stderr)
    return INCOMPLETE if found.missing else COMPLETE


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    return values_of(arguments, StepCall) | dict(arguments.set)
