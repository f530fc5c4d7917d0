"""What the rules of the original code do to the scores of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.text import aligned, counted, percent, points
from harness.papers.turkingbench.quirk_effects import (
    ORIGINAL,
    STANDARD,
    WITH_ALL_ON_PAGE,
    WITH_UNLABELLED,
    QuirkEffect,
    QuirkEffects,
    RuleMeans,
    Rules,
    difference,
)
from harness.records.directory import RunDirectory
from harness.scoring.metrics.quirks import QUIRKS
from harness.scoring.scored_kind import has_replied


class NothingToMeasure(UserError):
    """A run that has nothing which the rules could be about; the message says why."""


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
    means: Mapping[Rules, RuleMeans]
    sizes: Sequence[QuirkEffect]

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
        NothingToMeasure: it has no such episodes, or was on websites.
    """
    run = RunDirectory.open(folder)
    record = run.read()
    if record.config.kind == "site":
        raise NothingToMeasure(
            f"{folder} was on websites, and the rules of the original code score fields of forms: give runs on forms"
        )
    sizes, episodes, played, replied = QuirkEffects(answers), 0, False, False
    for episode in run.episodes():
        played |= episode.outcome != "harness_error"
        replied = replied or has_replied(episode)
        if split in (None, episode.split):
            sizes.see(episode)
            episodes += 1
    if not episodes:
        raise NothingToMeasure(f"{folder} has no episodes" + (f" of the split {split!r}" if split else ""))
    if answers == "solver" and record.is_asked and played and not replied:
        raise NothingToMeasure(f"{folder} has no score: the solver never gave a reply of use")
    solver, complete = record.config.solver, record.status == "complete"
    return Measured(folder, solver, answers, split, episodes, complete, sizes.means(), sizes.sizes())


def in_words(measured: Measured) -> str:
    """One run: its scores by each set of rules, and what each quirk is worth."""
    of_split = f", split {measured.split}" if measured.split else ""
    heading = f"Answers of {measured.whose}{of_split}: {counted(measured.episodes, 'episode')}"
    return f"{heading}\n\n{_means_table(measured)}\n\n{_sizes_table(measured)}"


def in_markdown(runs: Sequence[Measured]) -> str:
    """A column a run: the means over tasks, and each quirk added to standard / as a part of the original's rules."""
    rows = [["over tasks", *(each.whose for each in runs)], ["---"] * (len(runs) + 1)]
    rows += [
        [f"`{rules.name}`", *(percent(each.means[rules].tasks) for each in runs)] for rules in (STANDARD, ORIGINAL)
    ]
    for place, quirk in enumerate(QUIRKS):
        sizes = [each.sizes[place] for each in runs]
        cells = [f"{worth(size.with_it[0])} / {worth(size.without_it[0])}" for size in sizes]
        rows.append([quirk.name, *("0" if cell == "0 / 0" else cell for cell in cells)])
    rows.append(["all together", *(worth(each.together[0]) for each in runs)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _means_table(measured: Measured) -> str:
    table = [["rules", "fields", "over tasks", "over instances", "tasks, fields pooled"]]
    for rules in (STANDARD, ORIGINAL, WITH_UNLABELLED, WITH_ALL_ON_PAGE):
        means = measured.means[rules]
        three = (means.tasks, means.instances, means.pooled)
        table.append([rules.name, f"{means.fields:,}", *(percent(value) for value in three)])
    return aligned(table)


def _sizes_table(measured: Measured) -> str:
    table = [["quirk", "fields", "standard + it: tasks", "instances", "2024 through it: tasks", "instances"]]
    for each in measured.sizes:
        points = [worth(value) for value in (*each.with_it, *each.without_it)]
        table.append([each.quirk.name, f"{each.fields:,}", *points])
    table.append(["all together", "", *(worth(value) for value in measured.together), "", ""])
    return aligned(table)


def worth(difference: float | None) -> str:
    """What a rule is worth, in points with two decimals; 0 for what would be rounded to it."""
    return "0" if difference is not None and abs(difference) < 5e-5 else points(difference, digits=2)
