"""Preference pairs from mistakes of a model: ``turkbench export pairs LESSONS --preset N --samples N``.

Each lesson of a curriculum (docs/how-to/training.md) that asks for an action is put to the model several times. It
also says how many answers are right, of lessons for tests as well.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.export.asked_model import add_asked_model, asked_model
from harness.integrations.exports.curriculum.sampling import AskedLesson, SampledLesson, Sampler, read_lessons
from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.kit.rows import lines_to
from harness.kit.text import counted, percent
from harness.models.client import ModelError
from harness.run.progress import MODES, progress

EPILOG = "exit codes: 0 done; 1 no pair came of it, or it was interrupted; 2 wrong use, or the model gives no answer"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("export pairs"), description=__doc__, epilog=EPILOG)
    parse.add_argument("lessons", type=Path, metavar="LESSONS", help="a file of a curriculum: DIR/complex/train.jsonl")
    parse.add_argument("--preset", required=True, metavar="NAME", help="the model (turkbench evaluate --list-solvers)")
    add_asked_model(parse)
    parse.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="the pairs, a line each; beside it replies and a ledger of what was kept and why",
    )
    parse.add_argument(
        "--samples", type=positive, default=20, metavar="N", help="answers to each lesson (default: %(default)s)"
    )
    parse.add_argument("--temperature", type=float, default=1.0, metavar="T", help="(default: %(default)s)")
    parse.add_argument("--seed", type=whole, default=0, metavar="N", help="of the first answer (default: %(default)s)")
    parse.add_argument(
        "--least-right",
        type=whole,
        default=1,
        metavar="K",
        help="pairs are made of lessons with K to N-1 right answers; with 0 also of those that are never right, which "
        "the paper leaves out (default: %(default)s)",
    )
    parse.add_argument(
        "--most-lessons", type=positive, metavar="N", help="N of them, spread over the file (default: all)"
    )
    parse.add_argument("--max-output-tokens", type=positive, metavar="N", help="of an answer")
    parse.add_argument("--progress", choices=MODES, help="bar (default on a terminal), plain, json or quiet")
    parse.renamed("--solver", "--preset")
    return parse


def _spread(lessons: list[AskedLesson], most: int | None) -> list[AskedLesson]:
    """So many of the lessons from all over their file, which has them task by task."""
    if most is None or most >= len(lessons):
        return lessons
    return [lessons[number * len(lessons) // most] for number in range(most)]


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.samples > 1 and arguments.temperature == 0:
        raise UserError("--temperature 0 gives the same answer each time: give more, or --samples 1")
    lessons = _spread(read_lessons(arguments.lessons), arguments.most_lessons)
    sampler = _sampler(arguments)
    shown = progress(arguments.progress)
    found: list[SampledLesson] = []
    pairs = 0
    with lines_to(arguments.out) as sink, lines_to(_beside(arguments.out, "ledger.jsonl")) as ledger:
        shown.start("lessons", len(lessons))
        try:
            for lesson in lessons:
                sampled = sampler.ask(lesson)
                found.append(sampled)
                ledger.write(sampled.entry(arguments.least_right))
                for pair in sampled.pairs(arguments.least_right):
                    sink.write(pair)
                    pairs += 1
                shown.advance("asked", None)
        except ModelError as error:
            raise UserError(f"the model gives no answer: {error}") from error
        finally:
            shown.finish()
    print(_told(found, arguments.samples, pairs), file=sys.stderr)
    return COMPLETE if pairs else INCOMPLETE


def _sampler(arguments: argparse.Namespace) -> Sampler:
    preset, service = asked_model(arguments.preset, arguments, _beside(arguments.out, "replies"))
    return Sampler(service, preset, arguments.samples, arguments.seed)


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f"{out.stem}-{what}")


def _told(found: Sequence[SampledLesson], samples: int, pairs: int) -> str:
    right = sum(each.right for each in found)
    kinds = Counter("always" if each.right == samples else "sometimes" if each.right else "never" for each in found)
    return "\n".join(
        [
            counted(pairs, "pair"),
            f"right: {right} of {counted(samples * len(found), 'answer')}, {percent(right / (samples * len(found)))} %",
            f"lessons: {kinds['always']} always right, {kinds['sometimes']} sometimes, {kinds['never']} never",
        ]
    )
