"""What the rules of the original code do to the scores of runs, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kit.text import aligned, counted, percent, points
from harness.papers.turkingbench.measured import Measured
from harness.papers.turkingbench.quirk_effects import ORIGINAL, STANDARD, WITH_ALL_ON_PAGE, WITH_UNLABELLED
from harness.scoring.metrics.quirks import QUIRKS


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
