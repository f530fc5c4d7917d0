"""What MindAct learns: ``turkbench papers mind2web recall TRACES``, ``train TRACES --out PATH`` and ``lessons``.

    recall TRACES     how often an acceptable element is among the first k, with the floors
    train TRACES      learn a ranker from demonstrations, with its recall on sites that are held out
    lessons TRACES    the questions of MindAct with their answers, for fine-tuning (examples/training/mindact.py)

docs/how-to/mindact.md has the details.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.papers.mind2web.generalisation_splits import SPLIT_CHOICES
from harness.papers.mind2web.mindact_options import CROSS_ENCODER, FLOORS, LEARNED, LEXICAL, WITH_A_PLACE
from harness.run.progress import MODES, progress

# What is slow to import is imported for work, not for help.
EXIT_CODES = "exit codes: 0 done; 2 wrong use, or demonstrations or a ranker that cannot be read"
_RANKERS = f"{', '.join(FLOORS)}, {LEARNED} (now, from the other sites), {', '.join(WITH_A_PLACE)}"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("papers mind2web"),
        description="What MindAct learns: its ranker, and lessons for its model",
        epilog=EXIT_CODES,
    )
    commands = parse.add_subparsers(dest="command", required=True, metavar="COMMAND")
    words = "how often an acceptable element is among the first k"
    recall = commands.add_parser("recall", help=words, description=words, epilog=EXIT_CODES)
    recall.add_argument(
        "--ranker",
        action="append",
        metavar="NAME",
        help=f"{_RANKERS}; may be repeated (default: {', '.join((*FLOORS, LEARNED))})",
    )
    recall.add_argument("--json", action="store_true", help="print the numbers as JSON")
    words = "learn a ranker from demonstrations"
    train = commands.add_parser("train", help=words, description=words, epilog=EXIT_CODES)
    train.add_argument(
        "--out", type=Path, required=True, metavar="PATH", help="output: a file, or the folder of a cross-encoder"
    )
    train.add_argument(
        "--ranker",
        default=LEARNED,
        metavar="NAME",
        help=f"{LEARNED} (default), or {CROSS_ENCODER}:DIR with the weights to begin with",
    )
    train.add_argument(
        "--epochs",
        type=positive,
        default=5,
        metavar="N",
        help="epochs of training a cross-encoder (default: %(default)s)",
    )
    train.add_argument(
        "--batch",
        type=positive,
        default=32,
        metavar="N",
        help="epochs of training a cross-encoder (default: %(default)s)",
    )
    words = "write the questions of MindAct with their answers, a line of JSON each"
    lessons = commands.add_parser("lessons", help=words, description=words, epilog=EXIT_CODES)
    lessons.add_argument("--out", type=Path, required=True, metavar="FILE", help="output file (.jsonl)")
    lessons.add_argument(
        "--solver",
        choices=("mindact", "generate"),
        default="mindact",
        help="the solver whose questions are written (default: %(default)s)",
    )
    lessons.add_argument(
        "--ranker", default=LEXICAL, metavar="NAME", help=f"whose likeliest elements are the others ({LEXICAL})"
    )
    lessons.add_argument(
        "--draws", type=positive, default=5, metavar="N", help="questions for each step (default: %(default)s)"
    )
    lessons.add_argument(
        "--max-input-tokens",
        type=positive,
        default=2048,
        metavar="N",
        help="most tokens of a question (default: %(default)s)",
    )
    for command in (recall, train, lessons):
        command.add_argument("traces", type=Path, metavar="TRACES", help="a file of demonstrations, or a folder")
        command.add_argument(
            "--held-out-website",
            action="append",
            default=[],
            metavar="NAME",
            help="measure on this site, and learn nothing from it; may be repeated"
            + (" (default: each site in turn)" if command is recall else ""),
        )
        command.add_argument(
            "--split",
            choices=SPLIT_CHOICES,
            default="all",
            help=f"only what is in this split, to {'measure on' if command is recall else 'learn from'} (%(default)s)",
        )
        command.add_argument(
            "--seed", type=whole, default=0, metavar="N", help="seed of everything that is drawn (default: %(default)s)"
        )
        command.add_argument(
            "--progress", choices=MODES, help="how progress is shown (default: bar on a terminal, else plain)"
        )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    return {"recall": _recall, "train": _train, "lessons": _lessons}[arguments.command](arguments)


def _recall(arguments: argparse.Namespace) -> int:
    from harness.kit.files.codec import plain  # noqa: PLC0415
    from harness.papers.mind2web.mindact.recall import RecallJob, recall_text, recalls  # noqa: PLC0415

    work = RecallJob(
        arguments.traces,
        arguments.ranker or (*FLOORS, LEARNED),
        tuple(arguments.held_out_website),
        arguments.seed,
        progress(arguments.progress),
        arguments.split,
    )
    steps = work.ranks()
    if arguments.json:
        found = {"recall": recalls(steps, arguments.seed), "steps": steps}
        print_out(json.dumps(plain(found), ensure_ascii=False, indent=1))
    else:
        print_out(recall_text(steps, arguments.seed))
    return COMPLETE


def _train(arguments: argparse.Namespace) -> int:
    from harness.papers.mind2web.mindact.recall import recall_text  # noqa: PLC0415
    from harness.papers.mind2web.mindact.training_job import TrainingJob, TrainingPlan  # noqa: PLC0415

    work = TrainingJob(
        arguments.traces,
        arguments.ranker,
        tuple(arguments.held_out_website),
        TrainingPlan(epochs=arguments.epochs, batch=arguments.batch, seed=arguments.seed),
        progress(arguments.progress),
        arguments.split,
    )
    trained = work.train(arguments.out)
    print_out(f"learned from {', '.join(trained.learned_from)}; kept in {arguments.out}")
    if arguments.held_out_website:
        print_out(recall_text(work.measured(trained), arguments.seed))
    else:
        print_out("no site is held out, so that nothing is measured: recall holds out each in turn")
    return COMPLETE


def _lessons(arguments: argparse.Namespace) -> int:
    from harness.models.presets import resolve  # noqa: PLC0415
    from harness.papers.mind2web.demonstration_set import told  # noqa: PLC0415
    from harness.papers.mind2web.mindact.ranker_names import ranker_named  # noqa: PLC0415
    from harness.papers.mind2web.mindact.step_lessons import StepLessons  # noqa: PLC0415
    from harness.papers.mind2web.traces import demonstrations_of  # noqa: PLC0415

    lessons = StepLessons(
        arguments.solver,
        ranker_named(arguments.ranker, arguments.seed),
        # The preset under which servers of one's own weights are asked.
        resolve("llama", {"max_input_tokens": arguments.max_input_tokens}),
        draws=arguments.draws,
        seed=arguments.seed,
    )
    asked = told(demonstrations_of(arguments.traces, arguments.split, arguments.seed), progress(arguments.progress))
    count = lessons.write((each for each in asked if each.website not in arguments.held_out_website), arguments.out)
    if not count:
        arguments.out.unlink()
        raise UserError(f"{arguments.traces} holds no step to learn from{_left_out(lessons.left_out)}")
    print_out(f"{count} lessons in {arguments.out}{_left_out(lessons.left_out)}")
    return COMPLETE


def _left_out(why: Mapping[str, int]) -> str:
    return "; left out: " + ", ".join(f"{number} {each}" for each, number in why.items()) if why else ""
