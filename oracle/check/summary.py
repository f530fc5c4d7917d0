"""The report of a check in lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.kit.text import counted, noun
from oracle.check.finding import CATEGORIES
from oracle.check.mistakes.mistake import Mistake, unlike
from oracle.check.validity_report import ValidityReport

MOST_LINES = 20
"""Findings that are listed; the report has them all."""
_MOST_MISTAKES, _MOST_NOTES = 40, 12
_MOST_ALIKE, _FEWEST_ALIKE = 10, 2
"""Mistakes of one kind in one task that are listed: as many where all are in one task, as few where many have some."""


def told(mistakes: Sequence[Mistake]) -> str:
    """Mistakes and then notes, a line each, as far as a reader can take them in; the report has them all."""
    wrong = [each for each in mistakes if each.counts]
    notes = [each for each in mistakes if each.is_note]
    alike = max(_FEWEST_ALIKE, _MOST_ALIKE // max(1, len({each.task for each in wrong})))
    noted = max(1, _MOST_ALIKE // max(1, len({each.task for each in notes})))
    return "".join(
        f"{line}\n"
        for line in [
            *_listed("mistake", wrong, unlike(wrong, alike)[:_MOST_MISTAKES]),
            *_listed("note", notes, unlike(notes, noted)[:_MOST_NOTES]),
        ]
    )


def _listed(word: str, mistakes: Sequence[Mistake], shown: Sequence[Mistake]) -> list[str]:
    lines = [f"{word}: {each}" for each in shown]
    if rest := len(mistakes) - len(shown):
        lines.append(f"… and {counted(rest, f'more {word}')}, see the report")
    return lines


def summary(report: ValidityReport) -> str:
    """The report in lines of text: what was found first, counts last."""
    lines = []
    wrong = report.unexplained
    for name, index, finding in wrong[:MOST_LINES]:
        rows = ", ".join(map(str, report.tasks[name].instances[index].rows[:10]))
        lines.append(f"{name}, instance {index} (rows {rows}): {finding}")
    if len(wrong) > MOST_LINES:
        lines.append(f"… and {len(wrong) - MOST_LINES} more, see the report")
    for split, counts in report.splits().items():
        lines.append(f"{split}: {_in_numbers(counts)}")
    total = report.counts()
    lines.append(
        f"{_in_numbers(total)}, {counted(total['instances'], 'instance')} of {counted(len(report.tasks), 'task')}"
    )
    if mistaken := [each.task for each in report.mistakes if each.counts]:
        lines.append(
            f"Pages and labels do not fit: {counted(len(mistaken), 'mistake')} in {len(set(mistaken))} of the tasks"
        )
    return "\n".join(lines)


def _in_numbers(counts: dict[str, Any]) -> str:
    fields, their = counted(counts["fields"], "scored field"), noun(counts["fields"], "its", "their")
    words = [f"{counts['at_ceiling']} of {fields} at {their} ceiling"]
    words += [f"{number} × {CATEGORIES[category]}" for category, number in counts["below"].items()]
    words += [f"{counts['explained']} of them explained"] if counts["explained"] else []
    words += [f"{counted(counts['unfinished'], 'instance')} not finished"] if counts["unfinished"] else []
    return "; ".join(words)
