"""The numbers of a task set in words, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness.catalog.kinds import KINDS
from harness.datasets.stats.set_stats import GroupStats, MeanLength, SetStats, unread_in_words
from harness.datasets.stats.task_stats import CHARACTERS
from harness.kit.files.codec import plain
from harness.kit.text import NOTHING, UNKNOWN, aligned, counted, spread
from harness.models.tokens.vocabulary import FETCH

MOST_KEYWORDS = 20
"""Keywords that are listed; the others are counted."""


def measures(groups: Sequence[GroupStats]) -> list[list[str]]:
    """What is measured, a row each: its name, then its value for each group."""
    rows = [
        _row("tasks", groups, lambda each: f"{each.tasks:,}"),
        _row("with a table", groups, lambda each: f"{each.with_table:,}"),
        _row("instances", groups, lambda each: f"{each.instances:,}"),
        _row("of them without a label", groups, lambda each: f"{each.unlabelled:,}"),
        _row("rows (one a worker and instance)", groups, lambda each: f"{each.rows:,}"),
        _row("labels an instance: mean", groups, lambda each: mean(each.rows, each.instances)),
        _row("labels an instance: fewest–median–most", groups, lambda each: spread(each.workers)),
        _row("named fields", groups, lambda each: f"{sum(each.fields.values()):,}"),
        _row("fields that workers answered", groups, lambda each: f"{sum(each.answers.values()):,}"),
        _row("a task that has some", groups, lambda each: mean(sum(each.answers.values()), each.answered_tasks)),
        _row("in all instances", groups, lambda each: f"{sum(each.answers_by_instance.values()):,}"),
    ]
    for unit in groups[0].lengths:
        of = unit if unit == CHARACTERS else f"{unit} tokens"
        templates, pages, instances = zip(*(_length(each.lengths[unit]) for each in groups), strict=True)
        rows += [
            [f"{of}: template", *templates],
            [f"{of}: page, mean over tasks", *pages],
            [f"{of}: page, mean over instances", *instances],
        ]
    return rows


def kinds(group: GroupStats) -> list[list[str]]:
    """Kinds of fields, a row each: name, fields, those answered, their share, their number in all instances."""
    total = sum(group.answers.values())
    return [
        [
            kind,
            f"{group.fields.get(kind, 0):,}",
            f"{group.answers.get(kind, 0):,}",
            share(group.answers.get(kind, 0), total),
            f"{group.answers_by_instance.get(kind, 0):,}",
        ]
        for kind in sorted(KINDS, key=lambda kind: (-group.answers.get(kind, 0), -group.fields.get(kind, 0), kind))
    ]


def modalities(group: GroupStats) -> list[list[str]]:
    """What pages show, a row each: name, tasks, their share of those that were looked at."""
    return [[name, f"{many:,}", share(many, group.looked_at)] for name, many in (group.modalities or {}).items()]


def remarks(stats: SetStats) -> list[str]:
    """What a reader of the numbers has to know, a sentence each: what is left out, and what is unknown."""
    whole = stats.whole
    lines = [f"{many:,} × {reason}." for reason, many in stats.left_out.items() if many]
    if absent := [unit for unit, length in whole.lengths.items() if length is None]:
        lines.append(f"Tokens by {', '.join(absent)} are unknown: the vocabulary is not in the cache. Run: {FETCH}")
    if rest := len(whole.keywords) - MOST_KEYWORDS:
        lines += [f"{counted(rest, 'further keyword')} {'is' if rest == 1 else 'are'} not listed."] if rest > 0 else []
    return lines


def share(part: int, whole: int) -> str:
    """A part of a whole in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def mean(total: int, many: int) -> str:
    """A mean with one decimal."""
    return f"{total / many:,.1f}" if many else NOTHING


def _row(name: str, groups: Sequence[GroupStats], value: Callable[[GroupStats], str]) -> list[str]:
    return [name, *map(value, groups)]


def _length(length: MeanLength | None) -> tuple[str, str, str]:
    """The means of a length: of templates, of pages over tasks, of pages over instances."""
    if length is None:
        return UNKNOWN, UNKNOWN, UNKNOWN
    over_instances = NOTHING if length.instances is None else f"{length.instances:,.0f}"
    return f"{length.templates:,.0f}", f"{length.pages:,.0f}", over_instances


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
