"""The validity report of a task set: verdicts by task and split, counted, as one JSON object."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import plain
from harness.kit.files.writing import write_json
from harness.kit.text import counted, noun
from harness.records.config import RunConfig
from harness.records.provenance import Provenance
from harness.records.run_record import MissedOutside, RunStatus
from oracle.check.finding import CATEGORIES, Finding, Verdict
from oracle.check.mistakes.mistake import Mistake, unlike

SCHEMA = 1
REPORT_FILE = "report.json"

Verdicts = dict[int, Verdict]
"""Index of an instance -> what was found on it."""


class NoReport(UserError):
    """A folder holds no report that this version reads; the message says what to do."""


@dataclass
class TaskReport:
    """What was found on one task.

    Attributes:
        split: The split that it is in.
        warning: Its content warning; empty if it has none.
        issues: What its facts say is wrong with it.
        instances: Its verdicts.
    """

    split: str
    warning: str = ""
    issues: tuple[str, ...] = ()
    instances: Verdicts = field(default_factory=dict)

    def counts(self) -> dict[str, Any]:
        """Its numbers, see ``count``."""
        return count(list(self.instances.values()))


def count(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Numbers over verdicts.

    Returns:
        ``instances``, ``fields`` (scored), ``at_ceiling``, ``outside`` (at a ceiling that labels outside the options
        lower), ``unfinished`` (instances), ``below`` (fields by category), ``explained`` (fields below their ceiling of
        which the task's facts say why) and ``unscored`` (answer fields by reason).
    """
    below: Counter[str] = Counter()
    unscored: Counter[str] = Counter()
    explained = outside = 0
    for verdict in verdicts:
        unscored.update(verdict.unscored)
        for finding in verdict.findings:
            if finding.field and finding.below:
                below[finding.category] += 1
                explained += bool(finding.explained)
            elif finding.field:
                outside += 1
    return {
        "instances": len(verdicts),
        "fields": sum(verdict.fields for verdict in verdicts),
        "at_ceiling": sum(verdict.at_ceiling for verdict in verdicts),
        "outside": outside,
        "unfinished": sum(any(not finding.field for finding in verdict.findings) for verdict in verdicts),
        "below": {category: below[category] for category in CATEGORIES if below[category]},
        "explained": explained,
        "unscored": dict(sorted(unscored.items())),
    }


@dataclass(frozen=True, kw_only=True)
class About:
    """What a report was made from.

    Attributes:
        config: What was asked for.
        provenance: Where its findings come from.
        started: When its run began.
        ended: When its run ended.
        status: How far its run is.
        task_set: A hash of the tasks.
        comparability_id: Of its run.
        problems: What is wrong with files of tasks, in words.
        outside: What pages asked the outside world for in vain.
        left_out: Reason to the count of what was not checked.
        taken_over: How many verdicts are those of the check before.
    """

    config: RunConfig
    provenance: Provenance
    started: str
    ended: str | None
    status: RunStatus
    task_set: str
    comparability_id: str
    problems: tuple[str, ...]
    outside: MissedOutside
    left_out: Mapping[str, int]
    taken_over: int


@dataclass
class ValidityReport:
    """The validity report of a task set.

    Attributes:
        about: What it was made from.
        tasks: By name.
        mistakes: Where pages and labels of its tasks do not fit, and notes.
    """

    about: About
    tasks: dict[str, TaskReport]
    mistakes: tuple[Mistake, ...] = ()

    def verdicts(self) -> Iterator[tuple[str, int, Verdict]]:
        """Task, index and verdict of every instance, by task and index."""
        for name, task in sorted(self.tasks.items()):
            for index, verdict in sorted(task.instances.items()):
                yield name, index, verdict

    def verdict(self, task: str, index: int) -> Verdict | None:
        """What was found on an instance; None if it was not checked."""
        return self.tasks[task].instances.get(index) if task in self.tasks else None

    def counts(self) -> dict[str, Any]:
        """Numbers over everything, see ``count``."""
        return count([verdict for _, _, verdict in self.verdicts()])

    def splits(self) -> dict[str, dict[str, Any]]:
        """The same by split."""
        by_split: dict[str, list[Verdict]] = defaultdict(list)
        for task in self.tasks.values():
            by_split[task.split] += task.instances.values()
        return {split: count(verdicts) for split, verdicts in sorted(by_split.items())}

    @property
    def unexplained(self) -> list[tuple[str, int, Finding]]:
        """Task, index and finding of the fields below their ceiling of which neither facts nor mistakes say why."""
        mistaken: dict[tuple[str, str], set[int]] = defaultdict(set)
        for mistake in self.mistakes:
            if mistake.counts and mistake.field:
                mistaken[mistake.task, mistake.field].update(mistake.rows)
        return [
            (name, index, finding)
            for name, index, verdict in self.verdicts()
            for finding in verdict.findings
            if finding.below and not finding.explained and mistaken[name, finding.field].isdisjoint(verdict.rows)
        ]

    @property
    def is_clean(self) -> bool:
        """Whether all instances were finished, and every scored field is at its ceiling, or it is known why not."""
        return not self.unexplained

    @property
    def fits(self) -> bool:
        """Whether all tasks could be read, and their pages and labels fit."""
        return not self.about.problems and not any(mistake.counts for mistake in self.mistakes)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, with its counts."""
        return {
            "schema": SCHEMA,
            "about": plain(self.about),
            "counts": self.counts(),
            "splits": self.splits(),
            "mistakes": plain(self.mistakes),
            "tasks": {name: _task_json(task) for name, task in sorted(self.tasks.items())},
        }

    def write(self, folder: Path) -> None:
        """Write ``report.json`` into a folder, whole."""
        write_json(folder / REPORT_FILE, self.to_json())

    @classmethod
    def read(cls, folder: Path) -> ValidityReport:
        """Read the report of a folder.

        Raises:
            NoReport: it has none, or one of another version.
        """
        file = folder / REPORT_FILE
        try:
            if codec.read(file, _Version).schema != SCHEMA:
                raise NoReport(f"{file} was written by another version; check everything again with another --out")
            return codec.read(file, cls)
        except FileNotFoundError as error:
            raise NoReport(f"{folder} holds no {REPORT_FILE}: it is not the folder of a finished check") from error
        except (OSError, codec.Malformed) as error:
            raise NoReport(f"{file} cannot be read: {error}") from error


@dataclass(frozen=True)
class _Version:
    """What the reports of all versions have in common."""

    schema: int


def _task_json(task: TaskReport) -> dict[str, Any]:
    instances = {str(index): plain(verdict) for index, verdict in sorted(task.instances.items())}
    return {
        "split": task.split,
        "warning": task.warning,
        "issues": task.issues,
        "counts": task.counts(),
        "instances": instances,
    }


@dataclass(frozen=True)
class VerdictGroup:
    """Findings that are alike: same task, field, category and reason.

    Attributes:
        finding: The first of them.
        index: The instance of the first.
        rows: The rows of that instance.
        times: How many there are.
    """

    finding: Finding
    index: int
    rows: tuple[int, ...]
    times: int


def groups(task: TaskReport) -> list[VerdictGroup]:
    """The findings of a task, alike ones together: first those below their ceiling, most frequent first."""
    found: dict[tuple[str, ...], list[tuple[int, Verdict, Finding]]] = defaultdict(list)
    for index, verdict in sorted(task.instances.items()):
        for finding in verdict.findings:
            reason = finding.reason if finding.category == "broken" or not finding.field else ""
            found[finding.field, finding.category, str(finding.below), reason].append((index, verdict, finding))
    made = [VerdictGroup(each[0][2], each[0][0], each[0][1].rows, len(each)) for each in found.values()]
    return sorted(made, key=lambda group: (not group.finding.below, -group.times, group.finding.field))


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
