"""Which answer columns belong to which fields of a page, and which fields are scored.

The denominator of every score is made here, from the labels, the overlay and the fields that a reference pass found
on the page, before any solver starts; it is the same for every solver (docs/metrics.md, "Which fields are scored").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.catalog.task import Instance, Task
from harness.fields import CHOICES, Field
from harness.labels import clean, is_blank, match_option, number

SCORED = "scored"
UNLABELLED = "no label in this instance"
NEVER_LABELLED = "no row of the task labels it"
ABSENT = "not on this page when it loads"

_BOOKKEEPING = frozenset({"assignmentid", "hitid", "workerid", "turksubmitto"})
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_SCRIPT_DATE = re.compile(r"[A-Z][a-z]{2},? .*\d{4}.* \d\d:\d\d:\d\d")
_TRUTH = {"true": True, "false": False, "": False}
# Seconds, or milliseconds, from 2005 to 2040: a clock's count and hardly anybody's answer.
_EPOCHS = ((1_104_537_600, 2_208_988_800), (1_104_537_600_000, 2_208_988_800_000))
# Below this many rows a hidden column that never varies, or always does, may do so by chance.
_ENOUGH_ROWS = 20


@dataclass(frozen=True)
class Source:
    """Where a field's labels stand in the table.

    Attributes:
        columns: One answer column; or several that hold True or False, one for each option.
        options: The options of those several columns; empty for one column.
    """

    columns: tuple[str, ...]
    options: tuple[str, ...] = ()

    def cells(self, instance: Instance) -> tuple[str, ...]:
        """One raw label a worker; what is split is joined by ``|`` as AMT's combined columns are."""
        columns = [instance.labels[column] for column in self.columns]
        if not self.options:
            return columns[0]
        return tuple(
            "|".join(o for o, cell in zip(self.options, row, strict=True) if _TRUTH[cell.strip().lower()])
            for row in zip(*columns, strict=True)
        )


@dataclass(frozen=True)
class Answer:
    """One field of one instance's page, with its labels.

    Attributes:
        name: The field's name on the page.
        kind: How it is scored: the field's kind, or what the task's facts declare for a hidden or later one.
        options: Its options' values.
        labels: The raw cells of all workers of the instance, blanks included.
        status: ``SCORED``, or why it is not.
        told: Whether a solver is told the name: an answer field of the task, whether or not this instance labels it.
        source: Where the labels stand.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    status: str
    told: bool
    source: Source

    @property
    def scored(self) -> bool:
        """Whether it counts."""
        return self.status == SCORED


def is_answered(instance: Instance) -> bool:
    """Whether any worker wrote anything for an instance."""
    return any(not is_blank(cell) for cells in instance.labels.values() for cell in cells)


class AnswerColumns:
    """The answer columns of one task, judged over all of its rows."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._machine_made: dict[str, str | None] = {}

    @cached_property
    def labelled(self) -> frozenset[str]:
        """Columns in which at least one worker of the task wrote something."""
        return frozenset(
            column
            for column in self.task.columns
            if any(not is_blank(cell) for instance in self.task.instances for cell in instance.labels[column])
        )

    @cached_property
    def echoes(self) -> Mapping[str, str]:
        """Columns that repeat an input in every row that has them -> that input."""
        found = {}
        for column in self.labelled:
            candidates = set(self.task.variables)
            for instance in self.task.instances:
                cells = {clean(cell).strip() for cell in instance.labels[column] if not is_blank(cell)}
                if cells:
                    candidates = {each for each in candidates if {clean(instance.inputs[each]).strip()} == cells}
                if not candidates:
                    break
            if candidates:
                found[column] = min(candidates)
        return found

    def machine_made(self, column: str) -> str | None:
        """Why a hidden column's cells are no worker's answer; None if they may be one."""
        if column not in self._machine_made:
            self._machine_made[column] = self._judge(column)
        return self._machine_made[column]

    def _judge(self, column: str) -> str | None:
        if re.sub(r"[^a-z]", "", column.lower()) in _BOOKKEEPING:
            return "bookkeeping of the platform"
        if column in self.echoes:
            return f"repeats the input {self.echoes[column]!r}"
        cells = [
            cell.strip() for instance in self.task.instances for cell in instance.labels[column] if not is_blank(cell)
        ]
        if cells and all(map(_is_time, cells)):
            return "a time stamp"
        if len(cells) < _ENOUGH_ROWS:
            return None
        distinct = len(set(cells))
        if distinct == 1:
            return "the same in every row of the task"
        numbers = [number(cell) for cell in cells]
        fractions = sum(each is not None and each != each.to_integral_value() for each in numbers)
        if None not in numbers and fractions > 0.8 * len(cells) and distinct > 0.9 * len(cells):
            return "a measurement by the page, different for nearly every worker"
        return None

    def answers(self, instance: Instance, fields: Sequence[Field]) -> list[Answer]:
        """The answers of an instance, in page order; columns without a field on the page come last.

        Args:
            instance: One of the task's.
            fields: The fields of its page, from the reference pass.
        """
        by_name = {field.name: field for field in fields}
        sources = self._sources(by_name)
        order = {name: place for place, name in enumerate(by_name)}
        names = sorted(sources, key=lambda name: order.get(name, len(order)))
        answered = is_answered(instance)
        return [
            self._answer(name, sources[name], sources[name].cells(instance), by_name.get(name), answered=answered)
            for name in names
        ]

    def _answer(
        self, name: str, source: Source, labels: tuple[str, ...], field: Field | None, *, answered: bool
    ) -> Answer:
        kind: str = field.kind if field else "text"
        if kind == "hidden" or field is None:
            kind = self.task.facts.kinds.get(name, kind)
        status = self._unscored(name, source, field)
        told = status is None
        if status is None and all(map(is_blank, labels)) and not (kind == "checkbox" and answered):
            # An empty cell of a checkbox is an answer ("nothing ticked") of a worker who answered at all.
            status = UNLABELLED
        return Answer(name, kind, field.values if field else (), labels, status or SCORED, told, source)

    def _unscored(self, name: str, source: Source, field: Field | None) -> str | None:
        """Why the field is never scored in this task; None if it is."""
        facts = self.task.facts
        column = source.columns[0]
        if reason := facts.not_answers.get(name) or facts.not_answers.get(column):
            return f"not an answer: {reason}"
        if self.labelled.isdisjoint(source.columns):
            return NEVER_LABELLED
        if field is None and name not in facts.kinds:
            return ABSENT
        hidden = field is not None and field.kind == "hidden" and name not in facts.kinds
        if hidden and (reason := self.machine_made(column)):
            return f"not an answer: {reason}"
        return None

    def _sources(self, fields: Mapping[str, Field]) -> dict[str, Source]:
        """Field name -> where its labels stand; a column that no field of the page takes stands under its own name."""
        found: dict[str, Source] = {}
        rest = self._take_by_name(fields, found)
        parts: dict[str, list[tuple[str, str]]] = {}
        unmatched = []
        for column in rest:
            split = self._split(column, fields)
            if split is None:
                unmatched.append(column)
            elif split[0] not in self.task.columns:  # the combined column, if there is one, is preferred
                parts.setdefault(split[0], []).append((column, split[1]))
        alike = _unique_by_bare_name(set(fields) - set(found))
        # Of columns that differ in punctuation alone the first takes the field, stale ones last.
        for column in sorted(unmatched, key=lambda column: column not in self.labelled):
            name = alike.get(_bare(column), column)
            found.setdefault(column if name in found else name, Source((column,)))
        for name, pairs in parts.items():
            columns, options = zip(*pairs, strict=True)
            found.setdefault(name, Source(columns, options))
        return found

    def _take_by_name(self, fields: Mapping[str, Field], found: dict[str, Source]) -> list[str]:
        """Match columns by a declared rename, else by their own name, else by ``Answer.`` before it; gives the rest.

        Some pages call their controls ``Answer.something``. What is declared comes first, whatever else would fit.
        """
        renames = self.task.facts.renames
        found.update({renames[column]: Source((column,)) for column in self.task.columns if column in renames})
        rest = [column for column in self.task.columns if column not in renames]
        for prefix in ("", "Answer."):
            taken = {column for column in rest if prefix + column in fields and prefix + column not in found}
            found.update({prefix + column: Source((column,)) for column in taken})
            rest = [column for column in rest if column not in taken]
        return rest

    def _split(self, column: str, fields: Mapping[str, Field]) -> tuple[str, str] | None:
        """Field and option of a column ``<field>.<option>`` that holds True or False for that option."""
        if column not in self._truth_columns:
            return None
        for dot in range(len(column) - 1, 0, -1):
            if column[dot] != ".":
                continue
            name, value = column[:dot], column[dot + 1 :]
            field = fields.get(name)
            if field and field.kind in CHOICES and (option := match_option(value, field.values)) is not None:
                return name, option
            if name in self.task.columns:
                return name, value
        return None

    @cached_property
    def _truth_columns(self) -> frozenset[str]:
        return frozenset(
            column
            for column in self.task.columns
            if "." in column
            and column in self.labelled
            and all(
                cell.strip().lower() in _TRUTH for instance in self.task.instances for cell in instance.labels[column]
            )
        )


def _unique_by_bare_name(names: Iterable[str]) -> dict[str, str]:
    """Names without case and punctuation -> the only name that is so: AMT's tables spell some fields differently."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_bare(name), []).append(name)
    return {bare: group[0] for bare, group in groups.items() if bare and len(group) == 1}


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _is_time(cell: str) -> bool:
    if _ISO_DATE.match(cell) or _SCRIPT_DATE.match(cell):
        return True
    value = number(cell)
    return value is not None and any(low <= value <= high for low, high in _EPOCHS)
