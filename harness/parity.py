"""What the rules of the original code do to scores: ``python -m harness.parity RUN ...`` or ``--recorded FILE``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.evaluate import COMPLETE, INCOMPLETE, wrong_use
from harness.metrics.quirks import QUIRKS
from harness.published.original import BadRecord, Recorded, TaskLine, read_recorded, task_lines
from harness.published.sizes import (
    ANSWERS,
    ORIGINAL,
    STANDARD,
    WITH_ALL_ON_PAGE,
    WITH_UNLABELLED,
    Means,
    Rules,
    Size,
    Sizes,
    difference,
)
from harness.runlog.directory import NotARun, RunDirectory
from harness.solvers.recorded.predictions import BadPredictions
from harness.text.tables import aligned

_DASH = "–"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python -m harness.parity",
        description="With RUN: what each quirk of the original code is worth on that run, in points. With --recorded: "
        "the per-task table of the original output from recorded values, and a check of every recorded score.",
        epilog="exit codes: 0 done; 1 a recorded score is not reproduced, or the run is not complete; 2 wrong use",
    )
    parse.add_argument("runs", type=Path, nargs="*", metavar="RUN", help="run directories")
    parse.add_argument("--recorded", type=Path, metavar="FILE", help="a recorded run: one JSON object a line")
    parse.add_argument(
        "--agreement",
        type=Path,
        metavar="FILE",
        help="with --recorded: the agreement.json of harness.agreement for the same file; puts the scores of what our "
        "browser sent beside the recorded ones",
    )
    parse.add_argument(
        "--answers",
        choices=list(ANSWERS),
        default="solver",
        help="with RUN: whose answers to score, the solver's or those of a floor on the same pages (default: solver)",
    )
    parse.add_argument("--split", metavar="NAME", help="with RUN: the episodes of one split only")
    shown = parse.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print an object, or with several runs a list of them")
    shown.add_argument("--markdown", action="store_true", help="with RUN: print one Markdown table of all runs")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        if bool(arguments.recorded) == bool(arguments.runs):
            return wrong_use("give run directories, or --recorded FILE")
        if arguments.recorded:
            if arguments.markdown:
                return wrong_use("--markdown goes with run directories")
            return _recorded(arguments.recorded, arguments.agreement, as_json=arguments.json)
        if arguments.agreement:
            return wrong_use("--agreement goes with --recorded")
        measured = [measure(folder, arguments.answers, arguments.split) for folder in arguments.runs]
    except (NotARun, NothingToMeasure, BadPredictions, BadRecord) as error:
        return wrong_use(str(error))
    if arguments.json:
        objects = [each.to_json() for each in measured]
        print(json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1))
    elif arguments.markdown:
        print(_markdown(measured))
    else:
        print("\n\n".join(map(_in_words, measured)))
        print("\nIn points. Quirks act on one another, so that single ones do not add up to all of them together.")
    return COMPLETE if all(each.complete for each in measured) else INCOMPLETE


class NothingToMeasure(Exception):
    """A run without episodes that were asked for; the message says which."""


@dataclass(frozen=True)
class Measured:
    """What quirks are worth on one run.

    Attributes:
        folder: Its run directory.
        solver: Its solver.
        answers: Whose answers were scored, one of ``ANSWERS``.
        split: The split they are limited to; None for all.
        episodes: How many there were.
        complete: Whether the run is.
        means: The scores by each set of rules.
        sizes: What each quirk is worth.
    """

    folder: Path
    solver: str
    answers: str
    split: str | None
    episodes: int
    complete: bool
    means: Mapping[Rules, Means]
    sizes: Sequence[Size]

    @property
    def whose(self) -> str:
        """Whose answers, in words."""
        return self.solver if self.answers == "solver" else f"the floor {self.answers} on the pages of {self.solver}"

    @property
    def together(self) -> tuple[float | None, float | None]:
        """What all quirks are worth over tasks and over instances."""
        standard, original = self.means[STANDARD], self.means[ORIGINAL]
        return difference(standard.tasks, original.tasks), difference(standard.instances, original.instances)

    def to_json(self) -> dict[str, Any]:
        """An object for programs; scores from 0 to 1."""
        return {
            "run": str(self.folder),
            "solver": self.solver,
            "answers": self.answers,
            "split": self.split,
            "episodes": self.episodes,
            "rules": {rules.name.strip(): asdict(each) for rules, each in self.means.items()},
            "quirks": [
                {
                    "name": each.quirk.name,
                    "rule": each.quirk.rule,
                    "fields": each.fields,
                    "added_to_standard": dict(zip(("tasks", "instances"), each.with_it, strict=True)),
                    "within_turkingbench_2024": dict(zip(("tasks", "instances"), each.without_it, strict=True)),
                }
                for each in self.sizes
            ],
        }


def measure(folder: Path, answers: str = "solver", split: str | None = None) -> Measured:
    """Score a run by all rules.

    Args:
        folder: The run directory; it is not changed.
        answers: Whose answers, one of ``ANSWERS``.
        split: The episodes of one split only.

    Raises:
        NotARun: it cannot be read.
        NothingToMeasure: it has no such episodes.
    """
    run = RunDirectory.open(folder)
    record = run.read()
    sizes, episodes = Sizes(answers), 0
    for episode in run.episodes():
        if split in (None, episode.split):
            sizes.see(episode)
            episodes += 1
    if not episodes:
        raise NothingToMeasure(f"{folder} has no episodes" + (f" of the split {split!r}" if split else ""))
    solver, complete = record.config.solver, record.status == "complete"
    return Measured(folder, solver, answers, split, episodes, complete, sizes.means(), sizes.sizes())


def _in_words(measured: Measured) -> str:
    of_split = f", split {measured.split}" if measured.split else ""
    heading = f"Answers of {measured.whose}{of_split}: {measured.episodes:,} episodes"
    return f"{heading}\n\n{_means_table(measured)}\n\n{_sizes_table(measured)}"


def _markdown(runs: Sequence[Measured]) -> str:
    """A column a run: the means over tasks, and each quirk added to standard / as a part of the original's rules."""
    rows = [["over tasks", *(each.whose for each in runs)], ["---"] * (len(runs) + 1)]
    rows += [
        [f"`{rules.name}`", *(_percent(each.means[rules].tasks) for each in runs)] for rules in (STANDARD, ORIGINAL)
    ]
    for place, quirk in enumerate(QUIRKS):
        sizes = [each.sizes[place] for each in runs]
        cells = [f"{_points(size.with_it[0])} / {_points(size.without_it[0])}" for size in sizes]
        rows.append([quirk.name, *("0" if cell == "0 / 0" else cell for cell in cells)])
    rows.append(["all together", *(_points(each.together[0]) for each in runs)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _means_table(measured: Measured) -> str:
    table = [["rules", "fields", "over tasks", "over instances", "tasks, fields pooled"]]
    for rules in (STANDARD, ORIGINAL, WITH_UNLABELLED, WITH_ALL_ON_PAGE):
        means = measured.means[rules]
        three = (means.tasks, means.instances, means.pooled)
        table.append([rules.name, f"{means.fields:,}", *(_percent(value) for value in three)])
    return aligned(table)


def _sizes_table(measured: Measured) -> str:
    table = [["quirk", "fields", "standard + it: tasks", "instances", "2024 through it: tasks", "instances"]]
    for each in measured.sizes:
        points = [_points(value) for value in (*each.with_it, *each.without_it)]
        table.append([each.quirk.name, f"{each.fields:,}", *points])
    table.append(["all together", "", *(_points(value) for value in measured.together), "", ""])
    return aligned(table)


def _recorded(file: Path, agreement: Path | None, *, as_json: bool) -> int:
    found = read_recorded(file, agreement)
    wrong = [field for field in found.fields if not field.agrees]
    lines = task_lines(found.fields, [field.recorded for field in found.fields])
    beside = _beside(found) if agreement else []
    if as_json:
        shown: dict[str, Any] = {
            "file": str(file),
            "tasks": [asdict(line) for line in lines],
            "checked": len(found.fields),
            "not_reproduced": [asdict(field) for field in wrong],
            "not_scored": dict(found.others),
        }
        if agreement:
            shown["our_browser"] = [asdict(line) for _, line in beside]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        print(_original_table(lines))
        print(f"\n{len(found.fields) - len(wrong):,} of {len(found.fields):,} recorded scores are reproduced.")
        if found.others:
            print("Not scored: " + ", ".join(f"{count} {status}" for status, count in sorted(found.others.items())))
        for field in wrong:
            print(
                f"line {field.line}: {field.task}, field {field.name!r}: {field.recorded} recorded, {field.ours} here"
            )
        if beside:
            print(f"\n{_beside_table(found, beside)}")
    return INCOMPLETE if wrong else COMPLETE


def _original_table(lines: Sequence[TaskLine]) -> str:
    kinds = sorted({kind for line in lines for kind in line.kinds})
    table = [["task", "fields", "pages", "all", *kinds, "over pages"]]
    for line in lines:
        numbers = [_percent(line.pooled), *(_percent(line.kinds.get(kind)) for kind in kinds)]
        counts = [f"{line.fields:,}", f"{line.instances:,}"]
        table.append([line.task or "mean of the lines", *counts, *numbers, _percent(line.over_instances)])
    return aligned(table)


def _beside(found: Recorded) -> list[tuple[TaskLine, TaskLine]]:
    """The lines of the table, recorded and through our browser, over the fields that have both scores."""
    both = [(field, field.recorded, field.played) for field in found.fields if field.played is not None]
    fields = [field for field, _, _ in both]
    recorded = task_lines(fields, [score for _, score, _ in both])
    played = task_lines(fields, [score for _, _, score in both if score is not None])
    return list(zip(recorded, played, strict=True))


def _beside_table(found: Recorded, lines: Sequence[tuple[TaskLine, TaskLine]]) -> str:
    differing: dict[str, int] = {}
    for field in found.fields:
        if field.played is not None and abs(field.played - field.recorded) > 1e-9:
            differing[field.task] = differing.get(field.task, 0) + 1
    table = [["through our browser", "fields", "other score", "recorded", "ours", "difference"]]
    for recorded, played in lines:
        count = differing.get(played.task, 0) if played.task else sum(differing.values())
        values = [_percent(recorded.pooled), _percent(played.pooled), _points(_gap(recorded, played))]
        table.append([played.task or "mean of the lines", f"{played.fields:,}", f"{count:,}", *values])
    left = sum(field.played is None for field in found.fields)
    return aligned(table) + (f"\n{left:,} scored fields were not played." if left else "")


def _gap(recorded: TaskLine, played: TaskLine) -> float | None:
    return None if recorded.pooled is None or played.pooled is None else played.pooled - recorded.pooled


def _percent(value: float | None) -> str:
    return _DASH if value is None else f"{100 * value:.1f}"


def _points(value: float | None) -> str:
    if value is None:
        return _DASH
    return f"{100 * value:+.2f}" if abs(value) >= 5e-5 else "0"


if __name__ == "__main__":
    sys.exit(main())
