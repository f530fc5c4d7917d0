"""What a task set consists of, for a terminal and as JSON."""

from __future__ import annotations

from typing import Any

from harness.datasets.stats.set_stats import SetStats, unread_in_words
from harness.datasets.stats.wording import MOST_KEYWORDS, kinds, measures, modalities, remarks
from harness.kit.files.codec import plain
from harness.kit.text import aligned, counted


def stats_text(stats: SetStats) -> str:
    """All numbers of the set and its splits, as tables."""
    whole = stats.whole
    groups = stats.groups if len(stats.groups) > 2 else stats.groups[:1]
    parts = [
        f"Task set {stats.folder}: {counted(whole.tasks, 'task')}.",
        aligned([["", *(each.name for each in groups)], *measures(groups)]),
        aligned([["kind of field", "fields", "answered", "share", "in all instances"], *kinds(whole)]),
    ]
    if whole.modalities is not None:
        parts.append(aligned([["first pages show", "tasks", "share"], *modalities(whole)]))
    if whole.keywords:
        rows = [[word, str(many)] for word, many in list(whole.keywords.items())[:MOST_KEYWORDS]]
        of = f"topic: keyword of {counted(whole.with_keywords, 'task')} with keywords"
        parts.append(aligned([[of, "tasks"], *rows]))
    if said := [*remarks(stats), unread_in_words(stats)]:
        parts.append("\n".join(line for line in said if line))
    return "\n\n".join(part for part in parts if part)


def stats_json(stats: SetStats) -> dict[str, Any]:
    """All of it as a JSON object, task by task, too; what is unknown is null."""
    record: dict[str, Any] = plain(stats)
    for counts in (*record["groups"], *(each["files"] for each in record["tasks"])):
        counts["workers"] = {str(rows): many for rows, many in counts["workers"].items()}
    return record
