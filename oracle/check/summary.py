"""The report of a check in lines of text."""

from __future__ import annotations

from oracle.check.finding import CATEGORIES
from oracle.check.validity_report import ValidityReport

MOST_LINES = 20
"""Findings that are listed; the report has them all."""


def summary(report: ValidityReport) -> str:
    """The report in lines of text: what was found first, counts last."""
    lines = []
    found = [(name, index, finding) for name, index, each in report.verdicts() for finding in each.findings]
    wrong = [each for each in found if each[2].below and not each[2].explained]
    for name, index, finding in wrong[:MOST_LINES]:
        rows = ", ".join(map(str, report.tasks[name].instances[index].rows[:10]))
        lines.append(f"{name}, instance {index} (rows {rows}): {finding}")
    if len(wrong) > MOST_LINES:
        lines.append(f"… and {len(wrong) - MOST_LINES} more, see the report")
    for split, counts in report.splits().items():
        lines.append(f"{split}: {_counted(counts)}")
    total = report.counts()
    lines.append(f"{_counted(total)}, {total['instances']} instances of {len(report.tasks)} tasks")
    return "\n".join(lines)


def _counted(counts: dict[str, object]) -> str:
    below = counts["below"]
    assert isinstance(below, dict)  # noqa: S101 - as `report.count` makes it
    words = [f"{counts['at_ceiling']} of {counts['fields']} scored fields at their ceiling"]
    words += [f"{number} × {CATEGORIES[category]}" for category, number in below.items()]
    words += [f"{counts['explained']} of them explained"] if counts["explained"] else []
    words += [f"{counts['unfinished']} instances not finished"] if counts["unfinished"] else []
    return "; ".join(words)
