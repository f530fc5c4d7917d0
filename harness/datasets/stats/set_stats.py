"""What a task set consists of: its tasks counted one by one, and summed up by split and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypeVar

from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask
from harness.datasets.stats.task_stats import Length, Rulers, TaskStats, task_stats
from harness.datasets.visits.shown import Shown
from harness.datasets.visits.visitor import Look
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.text import few

_Key = TypeVar("_Key")

WHOLE = "all"
"""What stands in place of a split for the whole set."""

CANNOT_BE_READ = "tasks that cannot be read"
NO_TABLE = "tasks without a table: they have a page, and no instances, rows or labels"
NO_LABEL = "instances that nobody labelled: they are counted among the instances"
NOT_SHOWN = "pages that no browser showed: nothing is said of what is on them"


@dataclass(frozen=True)
class TaskFigures:
    """One task with what its first page shows.

    Attributes:
        files: What its files say.
        page: What a browser found on its first page; None if none looked, or the page could not be shown.
        unseen: Why no browser found anything; empty if one did.
    """

    files: TaskStats
    page: Shown | None = None
    unseen: str = ""

    @property
    def fields(self) -> Mapping[str, int]:
        """Kind -> named fields: those of the page, or those of the template if no browser looked."""
        return self.page.fields if self.page else self.files.fields

    @property
    def answers(self) -> Mapping[str, int]:
        """Kind -> fields that workers answered: those of the page, or those of the template if no browser looked."""
        return self.page.answers if self.page else self.files.answers


@dataclass(frozen=True)
class MeanLength:
    """How long the tasks of a group are, in one unit.

    Attributes:
        templates: Mean over tasks of the template.
        pages: Mean over tasks of the page.
        instances: Mean over instances of the page; None without instances.
    """

    templates: float
    pages: float
    instances: float | None


@dataclass(frozen=True)
class GroupStats:
    """Tasks summed up: those of a split, or all.

    Attributes:
        name: The split, or ``WHOLE``.
        tasks: How many.
        with_table: How many of them have a table.
        rows: Rows of tables.
        instances: Instances.
        unlabelled: Instances that nobody labelled.
        workers: Rows of an instance -> how many instances have so many.
        fields: Kind -> named fields, each task counted once.
        answers: Kind -> those that workers answered.
        answers_by_instance: The same, each task counted as often as it has instances.
        answered_tasks: Tasks with at least one field that workers answered: what means of ``answers`` are over.
        lengths: Unit -> mean lengths; None in a unit that cannot be measured here.
        looked_at: Tasks whose first page a browser showed.
        modalities: What pages show -> how many of the tasks that were looked at; None if none was.
        keywords: Keyword -> how many tasks were filed under it.
        with_keywords: How many tasks have a keyword.
    """

    name: str
    tasks: int
    with_table: int
    rows: int
    instances: int
    unlabelled: int
    workers: Mapping[int, int]
    fields: Mapping[str, int]
    answers: Mapping[str, int]
    answers_by_instance: Mapping[str, int]
    answered_tasks: int
    lengths: Mapping[str, MeanLength | None]
    looked_at: int
    modalities: Mapping[str, int] | None
    keywords: Mapping[str, int]
    with_keywords: int


@dataclass(frozen=True)
class SetStats:
    """What a task set consists of.

    Attributes:
        folder: Where it is.
        tasks: Its tasks, by name.
        groups: The whole set, then its splits.
        left_out: What the numbers leave out or leave open -> how much of it.
        unreadable: Tasks that cannot be read -> why.
    """

    folder: str
    tasks: Sequence[TaskFigures]
    groups: Sequence[GroupStats]
    left_out: Mapping[str, int]
    unreadable: Mapping[str, str]

    @property
    def name(self) -> str:
        """What people call the set: its folder, or the one above if that is only called "tasks"."""
        folder = Path(self.folder).resolve()
        if folder == BUNDLED_TASKS.resolve():
            return "bundled"
        return folder.parent.name if folder.name == "tasks" and folder.parent.name else folder.name

    @property
    def whole(self) -> GroupStats:
        """All tasks."""
        return self.groups[0]


def set_stats(catalog: Catalog, units: Rulers, look: Look) -> SetStats:
    """Count a task set.

    Args:
        catalog: Its tasks.
        units: What lengths are measured in.
        look: Asked for each task that can be read, in the order of names.

    Raises:
        harness.catalog.problems.CatalogError: there are no tasks in it.
    """
    tasks, unreadable = [], {}
    for name in catalog.select(None, ()):
        try:
            files = task_stats(catalog.task(name), units)
        except MalformedTask as error:
            unreadable[name] = "; ".join(str(problem) for problem in error.problems)
            continue
        tasks.append(TaskFigures(files, *look(name)))
    splits = sorted({each.files.split for each in tasks})
    groups = [_group(WHOLE, tasks)]
    groups += [_group(split, [each for each in tasks if each.files.split == split]) for split in splits]
    whole = groups[0]
    left_out = {
        CANNOT_BE_READ: len(unreadable),
        NO_TABLE: whole.tasks - whole.with_table,
        NO_LABEL: whole.unlabelled,
        NOT_SHOWN: whole.tasks - whole.looked_at,
    }
    return SetStats(str(catalog.tasks_dir), tasks, groups, left_out, unreadable)


def _group(name: str, tasks: Sequence[TaskFigures]) -> GroupStats:
    files = [each.files for each in tasks]
    seen = [each.page for each in tasks if each.page]
    return GroupStats(
        name=name,
        tasks=len(tasks),
        with_table=sum(each.has_table for each in files),
        rows=sum(each.rows for each in files),
        instances=sum(each.instances for each in files),
        unlabelled=sum(each.unlabelled for each in files),
        workers=dict(sorted(_sum(each.workers for each in files).items())),
        fields=_most_first(_sum(each.fields for each in tasks)),
        answers=_most_first(_sum(each.answers for each in tasks)),
        answers_by_instance=_most_first(_sum(_times(each.answers, each.files.instances) for each in tasks)),
        answered_tasks=sum(bool(each.answers) for each in tasks),
        lengths=_mean_lengths(files),
        looked_at=len(seen),
        modalities=_most_first(Counter(each for page in seen for each in page.modalities)) if seen else None,
        keywords=_most_first(Counter(word for each in files for word in each.keywords)),
        with_keywords=sum(bool(each.keywords) for each in files),
    )


def _sum(counts: Iterable[Mapping[_Key, int]]) -> Counter[_Key]:
    total: Counter[_Key] = Counter()
    for each in counts:
        total.update(each)
    return total


def _times(counts: Mapping[str, int], many: int) -> dict[str, int]:
    return {key: count * many for key, count in counts.items() if many}


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _mean_lengths(files: Sequence[TaskStats]) -> dict[str, MeanLength | None]:
    units = files[0].lengths if files else {}
    return {unit: _mean_length([(each.lengths[unit], each.instances) for each in files]) for unit in units}


def _mean_length(lengths: Sequence[tuple[Length | None, int]]) -> MeanLength | None:
    """The means over tasks with so many instances each; None if one is not known."""
    known = [(length, instances) for length, instances in lengths if length is not None]
    if not known or len(known) < len(lengths):
        return None
    instances = sum(many for _, many in known)
    return MeanLength(
        templates=fmean(length.template for length, _ in known),
        pages=fmean(length.page for length, _ in known),
        instances=sum(length.page * many for length, many in known) / instances if instances else None,
    )


def unread_in_words(stats: SetStats) -> str:
    """The tasks that cannot be read, in a sentence; empty if there are none."""
    return f"Cannot be read: {few(map(repr, stats.unreadable))}." if stats.unreadable else ""
