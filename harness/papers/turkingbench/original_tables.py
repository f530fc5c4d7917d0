"""The output of the original code, from recorded values, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kit.text import aligned, counted, percent
from harness.papers.turkingbench.measured_tables import worth
from harness.papers.turkingbench.original import Recorded, TaskLine, task_lines


def original_table(lines: Sequence[TaskLine]) -> str:
    """The table that the original code prints: a line a task, and their mean."""
    kinds = sorted({kind for line in lines for kind in line.kinds})
    table = [["task", "fields", "pages", "all", *kinds, "over pages"]]
    for line in lines:
        numbers = [percent(line.pooled), *(percent(line.kinds.get(kind)) for kind in kinds)]
        counts = [f"{line.fields:,}", f"{line.instances:,}"]
        table.append([line.task or "mean of the lines", *counts, *numbers, percent(line.over_instances)])
    return aligned(table)


def beside(found: Recorded) -> list[tuple[TaskLine, TaskLine]]:
    """The lines of the table, recorded and through our browser, over the fields that have both scores."""
    both = [(field, field.recorded, field.played) for field in found.fields if field.played is not None]
    fields = [field for field, _, _ in both]
    recorded = task_lines(fields, [score for _, score, _ in both])
    played = task_lines(fields, [score for _, _, score in both if score is not None])
    return list(zip(recorded, played, strict=True))


def beside_table(found: Recorded, lines: Sequence[tuple[TaskLine, TaskLine]]) -> str:
    """The lines of ``beside``, with how many fields have another score."""
    differing: dict[str, int] = {}
    for field in found.fields:
        if field.played is not None and abs(field.played - field.recorded) > 1e-9:
            differing[field.task] = differing.get(field.task, 0) + 1
    table = [["through our browser", "fields", "other score", "recorded", "ours", "difference"]]
    for recorded, played in lines:
        count = differing.get(played.task, 0) if played.task else sum(differing.values())
        values = [percent(recorded.pooled), percent(played.pooled), worth(_gap(recorded, played))]
        table.append([played.task or "mean of the lines", f"{played.fields:,}", f"{count:,}", *values])
    left = sum(field.played is None for field in found.fields)
    return aligned(table) + (f"\n{counted(left, 'scored field was', 'scored fields were')} not played." if left else "")


def _gap(recorded: TaskLine, played: TaskLine) -> float | None:
    return None if recorded.pooled is None or played.pooled is None else played.pooled - recorded.pooled
