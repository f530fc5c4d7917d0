"""What is odd about a task set's tasks and labels, found from its files alone, without a browser.

Nothing here is an error, and nothing is left out of a run because of it: it is what a reader of a score should know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from harness.catalog import Catalog
from harness.catalog.kinds import VOTES
from harness.catalog.labels import clean, is_blank, match_option, ticked, winners
from harness.catalog.problems import MalformedTask
from harness.catalog.splits import read_splits, split_files
from harness.catalog.task import Task
from harness.datasets.controls import declared_fields
from harness.kit.text import NOTHING, aligned, counted, shorten, spread
from harness.scoring.answers.columns import Answer, AnswerColumns, is_answered


@dataclass(frozen=True)
class ConstantColumn:
    """An answer column that says the same for every worker who answered anything: it tells nobody anything."""

    column: str
    value: str
    labels: int


@dataclass(frozen=True)
class UnlistedLabels:
    """An answer column of a choice with labels that are none of the options in the template.

    Attributes:
        column: The field's name.
        labels: How many of its labels are so.
        example: The most frequent of them.
        options: The options that the template has.
    """

    column: str
    labels: int
    example: str
    options: tuple[str, ...]


@dataclass
class TaskLint:
    """What was found in one task.

    Attributes:
        task: Its name.
        split: Its split.
        has_table: Whether it has a table; without one there is nothing to evaluate, and all counts are 0.
        instances: How many there are.
        unlabelled: How many of them no worker answered.
        labels: Rows (workers) of an instance -> how many instances have so many.
        columns: How many answer columns there are.
        never_labelled: Answer columns in which no worker wrote anything.
        constant: Answer columns that never vary.
        agreement: Of the fields with one choice and several labels, how many are "unanimous", have a single most
            frequent label ("majority"), or none ("tie").
        outside: Choices with labels that are no option.
    """

    task: str
    split: str
    has_table: bool = False
    instances: int = 0
    unlabelled: int = 0
    labels: Counter[int] = field(default_factory=Counter)
    columns: int = 0
    never_labelled: list[str] = field(default_factory=list)
    constant: list[ConstantColumn] = field(default_factory=list)
    agreement: Counter[str] = field(default_factory=Counter)
    outside: list[UnlistedLabels] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """A JSON object; the keys of ``labels`` become text."""
        return {
            **vars(self),
            "labels": {str(count): many for count, many in sorted(self.labels.items())},
            "constant": [asdict(each) for each in self.constant],
            "agreement": dict(self.agreement),
            "outside": [asdict(each) for each in self.outside],
        }


@dataclass(frozen=True)
class IdenticalTasks:
    """Tasks whose files are equal byte for byte; across splits that is leakage.

    Attributes:
        tasks: Task -> its split.
    """

    tasks: Mapping[str, str]

    @property
    def leaks(self) -> bool:
        """Whether one of them is in another split than the others."""
        return len(set(self.tasks.values())) > 1


@dataclass(frozen=True)
class Lint:
    """What was found in a task set.

    Attributes:
        folder: The task set.
        tasks: By name; tasks that cannot be read are not among them.
        identical: Groups of equal tasks.
        unreadable: Tasks that cannot be read -> why.
        without_folder: Lines of split files that name no task, as messages.
        problems: What else is wrong with files of tasks that can be read.
    """

    folder: str
    tasks: tuple[TaskLint, ...]
    identical: tuple[IdenticalTasks, ...]
    unreadable: Mapping[str, str]
    without_folder: tuple[str, ...]
    problems: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        return {
            "folder": self.folder,
            "tasks": [task.to_json() for task in self.tasks],
            "identical": [{"tasks": dict(each.tasks), "leaks": each.leaks} for each in self.identical],
            "unreadable": dict(self.unreadable),
            "without_folder": list(self.without_folder),
            "problems": list(self.problems),
        }


def lint(catalog: Catalog) -> Lint:
    """Look a task set over.

    Raises:
        harness.catalog.problems.CatalogError: there are no tasks in it.
    """
    tasks, unreadable = [], {}
    for name in catalog.select(None, ()):
        try:
            tasks.append(lint_task(catalog.task(name)))
        except MalformedTask as error:
            unreadable[name] = "; ".join(str(problem) for problem in error.problems)
    identical = [IdenticalTasks({name: catalog.split_of(name) for name in group}) for group in catalog.duplicates()]
    lists = read_splits(split_files(catalog.tasks_dir))
    unknown = tuple(str(problem) for problem in lists.unknown(catalog.names()))
    readable = {task.task for task in tasks}
    problems = tuple(str(problem) for problem in catalog.problems if problem.task in readable)
    return Lint(str(catalog.tasks_dir), tuple(tasks), tuple(identical), unreadable, unknown, problems)


def lint_task(task: Task) -> TaskLint:
    """Look one task over."""
    found = TaskLint(task.name, task.split, task.evaluable, columns=len(task.columns))
    if not task.instances:
        return found
    columns = AnswerColumns(task)
    found.instances = len(task.instances)
    found.unlabelled = sum(not is_answered(instance) for instance in task.instances)
    found.labels.update(len(instance.rows) for instance in task.instances)
    found.never_labelled = [column for column in task.columns if column not in columns.rules.labelled]
    found.constant = _constant(task)
    fields = declared_fields(task.template)
    several = {each.name for each in fields if each.multiple}
    for answer in columns.answers(task.instances[0], fields):
        one = answer.kind in VOTES and answer.name not in several
        if one:
            found.agreement.update(_agreement(task, answer))
        if answer.options and (one or answer.kind == "checkbox" or answer.name in several):
            found.outside += _outside(task, answer, one=one)
    return found


def _constant(task: Task) -> list[ConstantColumn]:
    """Columns in which every worker who answered anything, of two instances at least, wrote the same."""
    answered = []
    for instance in task.instances:
        for row in range(len(instance.rows)):
            if any(not is_blank(cells[row]) for cells in instance.labels.values()):
                answered.append((instance, row))
    if len({instance.index for instance, _ in answered}) < 2:
        return []
    found = []
    for column in task.columns:
        values = {clean(instance.labels[column][row]).strip() for instance, row in answered}
        if len(values) == 1 and not is_blank(value := values.pop()):
            found.append(ConstantColumn(column, value, len(answered)))
    return found


def _agreement(task: Task, answer: Answer) -> Counter[str]:
    counts: Counter[str] = Counter()
    for instance in task.instances:
        labels = [cell for cell in answer.source.cells(instance) if not is_blank(cell)]
        if len(labels) < 2:
            continue
        votes = [match_option(label, answer.options) or clean(label).strip() for label in labels]
        if len(set(votes)) == 1:
            counts["unanimous"] += 1
        else:
            counts["majority" if len(winners(votes)) == 1 else "tie"] += 1
    return counts


def _outside(task: Task, answer: Answer, *, one: bool) -> list[UnlistedLabels]:
    cells = Counter(cell for instance in task.instances for cell in answer.source.cells(instance) if not is_blank(cell))
    strays: Counter[str] = Counter()
    for cell, count in cells.items():
        if match_option(cell, answer.options) is None if one else ticked(cell, answer.options) - {*answer.options}:
            strays[cell] += count
    if not strays:
        return []
    return [UnlistedLabels(answer.name, strays.total(), strays.most_common(1)[0][0], answer.options)]


def lint_table(report: Lint) -> str:
    """What was found, as a table of tasks and the findings on the whole set, for a terminal."""
    rows = [["task", "split", "inst.", "no label", "labels", "columns", "never", "constant", "ties", "no option"]]
    rows += [_row(task) for task in report.tasks if task.has_table]
    if len(rows) > 2:
        rows.append(_row(_total([task for task in report.tasks if task.has_table])))
    return "\n\n".join(["\n".join(_sentences(report)), aligned(rows), LEGEND])


LEGEND = """\
no label   instances that nobody labelled; a run leaves them out and counts them
labels     rows (workers) of an instance: fewest–median–most
never      answer columns in which nobody wrote anything
constant   answer columns that say the same in every answered row of at least two instances
ties       of the radio groups and selects with several labels, the share in which no label is the most frequent
no option  labels of choices that are none of the options in the template (script may add some: oracle.check decides)"""


def _row(task: TaskLint) -> list[str]:
    compared = task.agreement.total()
    return [
        shorten(task.task),
        task.split,
        str(task.instances),
        str(task.unlabelled),
        spread(task.labels),
        str(task.columns),
        str(len(task.never_labelled)),
        str(len(task.constant)),
        f"{100 * task.agreement['tie'] / compared:.0f} %" if compared else NOTHING,
        str(sum(each.labels for each in task.outside)),
    ]


def _total(tasks: Sequence[TaskLint]) -> TaskLint:
    total = TaskLint(f"all {len(tasks)}", "", has_table=True)
    for task in tasks:
        total.instances += task.instances
        total.unlabelled += task.unlabelled
        total.labels += task.labels
        total.columns += task.columns
        total.never_labelled += task.never_labelled
        total.constant += task.constant
        total.agreement += task.agreement
        total.outside += task.outside
    return total


def _sentences(report: Lint) -> list[str]:
    lines = [f"Task set {report.folder}: {counted(len(report.tasks) + len(report.unreadable), 'task')}."]
    for each in report.identical:
        names = " = ".join(f"{task!r} ({split})" for task, split in each.tasks.items())
        lines.append(f"{'Leakage: identical tasks across splits' if each.leaks else 'Identical tasks'}: {names}.")
    if tableless := [task.task for task in report.tasks if not task.has_table]:
        lines.append(f"Without a table: {', '.join(map(repr, tableless))}.")
    lines += [f"Cannot be read: {name!r}: {why}" for name, why in report.unreadable.items()]
    lines += [f"A split names a task without a folder: {line}" for line in report.without_folder]
    lines += report.problems
    if len(lines) == 1:
        lines.append("No identical tasks, no task without a table, no line of a split file without a folder.")
    return lines
