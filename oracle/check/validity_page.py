"""The validity report as one HTML file that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.template import Context, Engine

from harness.kit.files.writing import write_bytes
from harness.reports.html.rendering import report_css
from harness.reports.run_summary import by_reason
from oracle.check.finding import CATEGORIES
from oracle.check.mistakes.mistake import Mistake
from oracle.check.validity_report import About, TaskReport, ValidityReport, groups

PAGE_FILE = "report.html"
_SOURCE = files(__package__) / "page.html"


def share(part: int, whole: int) -> str:
    """A share in per cent that is rounded down, so that 100 % means all."""
    return f"{math.floor(10_000 * part / whole) / 100:.2f} %" if whole else "–"


def render(report: ValidityReport) -> str:
    """The page of a report."""
    total = _row(report.counts())
    shown = {
        "css": report_css(),
        "clean": report.is_clean and report.fits,
        "problems": report.about.problems,
        "total": total,
        "categories": list(CATEGORIES.values()),
        "splits": [{"name": name, **_row(counts)} for name, counts in report.splits().items()],
        "exclusions": _exclusions(report, total),
        "mistakes": [_mistake(each) for each in report.mistakes],
        "tasks": [_task(name, task) for name, task in sorted(report.tasks.items())],
        "about": _about(report.about),
    }
    # Labels and values are strangers' text: the engine escapes everything that it puts in.
    return Engine().from_string(_SOURCE.read_text(encoding="utf-8")).render(Context(shown, use_l10n=False))


def write(report: ValidityReport, folder: Path) -> Path:
    """Write the page into a folder; gives its path."""
    file = folder / PAGE_FILE
    write_bytes(file, render(report).encode("utf-8", "replace"))
    return file


def _row(counts: Mapping[str, Any]) -> dict[str, Any]:
    reached = share(counts["at_ceiling"], counts["fields"])
    return {
        **counts,
        "share": reached,
        "width": reached.replace(" ", "") if counts["fields"] else "100%",
        "below_count": counts["fields"] - counts["at_ceiling"],
        "below_list": [counts["below"].get(category, 0) for category in CATEGORIES],
    }


def _task(name: str, task: TaskReport) -> dict[str, Any]:
    row = _row(task.counts())
    alike = [{**asdict(group), "words": CATEGORIES[group.finding.category]} for group in groups(task)]
    return {
        "name": name,
        "split": task.split,
        "warning": task.warning,
        "issues": task.issues,
        **row,
        "groups": alike,
        "all_explained": row["below_count"] == row["explained"] and not row["unfinished"],
    }


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {**asdict(mistake), "where": mistake.where, "counts": mistake.counts}


def _exclusions(report: ValidityReport, total: Mapping[str, Any]) -> list[tuple[str, int]]:
    reasons = by_reason(total["unscored"])
    fields = [(f"answer fields that are not scored: {reason}", number) for reason, number in reasons.items()]
    return [*fields, *report.about.left_out.items()]


def _about(about: About) -> list[tuple[str, str]]:
    config, git = about.config, about.provenance.git
    wanted = [
        ("tasks", config.tasks_dir),
        ("split", config.split or "all"),
        ("instances of a task", f"at most {config.max_instances}" if config.max_instances else "all"),
        ("seed", config.seed),
        ("profile", config.metrics),
        ("started", about.started),
        ("ended", about.ended),
        ("browser", about.provenance.browser),
        ("code", git.revision if git else "unknown"),
        ("comparability id", about.comparability_id),
        ("instances taken from the check before", about.taken_over),
    ]
    return [(name, str(value)) for name, value in wanted]
