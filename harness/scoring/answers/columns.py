"""Which answer columns belong to which fields of a page, and which fields are scored.

The denominator of every score is made here, from the labels, the overlay and the fields that a reference pass found
on the page, before any solver starts; it is the same for every solver (docs/reference/metrics.md, "Which fields are
scored").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.browser.form.fields import Field
from harness.catalog.kinds import CHOICES
from harness.catalog.labels import is_blank, match_option, one_answer, ticked
from harness.catalog.task import Instance, Task
from harness.scoring.answers.exclusions import ColumnRules
from harness.scoring.answers.scripted import LaterField, later_fields

SCORED = "scored"
UNLABELLED = "no label in this instance"
NEVER_LABELLED = "no row of the task labels it"
ABSENT = "not on this page when it loads"

_TRUTH = {"true": True, "false": False, "": False}
# The original table writes this for a field that the page of a row does not have.
_NO_FIELD = "None"


@dataclass(frozen=True)
class LabelSource:
    """Where a field's labels stand in the table.

    Attributes:
        columns: One answer column; or several that hold True or False, one for each option.
        options: The options of those several columns; empty for one column.
        beside: The options of a field whose one answer may be written beside them; empty for any other.
    """

    columns: tuple[str, ...]
    options: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def cells(self, instance: Instance) -> tuple[str, ...]:
        """One raw label a worker; what is split is joined by ``|`` as AMT's combined columns are.

        Of radio buttons with a text box it is the one answer, what was written or else chosen.
        """
        columns = [instance.labels[column] for column in self.columns]
        if self.beside:
            return tuple(one_answer([cell], self.beside) for cell in columns[0])
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
        labels: The cells of all workers of the instance, blanks included, as ``LabelSource.cells`` gives them.
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
    source: LabelSource

    @property
    def scored(self) -> bool:
        """Whether it counts."""
        return self.status == SCORED


def is_answered(instance: Instance) -> bool:
    """Whether any worker wrote anything for an instance."""
    return any(not is_blank(cell) for cells in instance.labels.values() for cell in cells)


class AnswerColumns:
    """The answer columns of one task, matched with the fields of its pages.

    Attributes:
        task: The task.
        rules: What its rows say of each column.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.rules = ColumnRules(task)
        self._later_by_name: dict[str, LaterField | None] = {}
        self._last: tuple[object, dict[str, LabelSource]] | None = None

    def answers(self, instance: Instance, fields: Sequence[Field]) -> list[Answer]:
        """The answers of an instance, in page order; columns without a field on the page come last.

        Args:
            instance: One of the task's.
            fields: The fields of its page, from the reference pass.
        """
        by_name = {field.name: field for field in fields}
        sources = self._sources_of(by_name)
        order = {name: place for place, name in enumerate(by_name)}
        names = sorted(sources, key=lambda name: order.get(name, len(order)))
        answered = is_answered(instance)
        return [self._answer(name, sources[name], instance, by_name.get(name), answered=answered) for name in names]

    def _answer(
        self, name: str, source: LabelSource, instance: Instance, field: Field | None, *, answered: bool
    ) -> Answer:
        labels = source.cells(instance)
        later = self._later(name) if field is None else None
        kind: str = field.kind if field else later.kind if later else "text"
        options = field.values if field else later.options if later else ()
        if field and field.open:
            options = _with_texts(field, labels)
        if kind == "hidden" or field is None:
            kind = self.task.facts.kinds.get(name, kind)
        status = self._unscored(name, source, field, instance)
        told = status is None
        if status is None and not self._is_labelled(labels, kind, field, answered=answered):
            status = UNLABELLED
        return Answer(name, kind, options, labels, status or SCORED, told, source)

    def _is_labelled(self, labels: tuple[str, ...], kind: str, field: Field | None, *, answered: bool) -> bool:
        if field is None:
            return any(not is_blank(label) and label != _NO_FIELD for label in labels)
        # An empty cell of a checkbox is an answer ("nothing ticked") of a worker who answered at all.
        return not all(map(is_blank, labels)) or (kind == "checkbox" and answered)

    def _unscored(self, name: str, source: LabelSource, field: Field | None, instance: Instance) -> str | None:
        """Why the field is never scored in this task; None if it is."""
        facts = self.task.facts
        column = source.columns[0]
        if reason := facts.not_answers.get(name) or facts.not_answers.get(column):
            return f"not an answer: {reason}"
        if self.rules.labelled.isdisjoint(source.columns):
            return NEVER_LABELLED
        if field is None and name not in facts.kinds and self._later(name) is None:
            return ABSENT
        if name not in facts.kinds and (reason := self.rules.reason(column, field, instance)):
            return f"not an answer: {reason}"
        return None

    def _later(self, name: str) -> LaterField | None:
        """What script can build under a name; None if it builds no such field."""
        if name not in self._later_by_name:
            matching = (each for each in self._later_fields if each.pattern.fullmatch(name))
            self._later_by_name[name] = next(matching, None)
        return self._later_by_name[name]

    @cached_property
    def _later_fields(self) -> list[LaterField]:
        return later_fields(self.task.template)

    def _sources_of(self, fields: Mapping[str, Field]) -> dict[str, LabelSource]:
        """``_sources``, found once for pages with the same fields, as most of a task's are."""
        described = [(name, field.kind, field.values, field.open) for name, field in fields.items()]
        if self._last is None or self._last[0] != described:
            self._last = (described, self._sources(fields))
        return self._last[1]

    def _sources(self, fields: Mapping[str, Field]) -> dict[str, LabelSource]:
        """Field name -> where its labels stand; a column that no field of the page takes stands under its own name."""
        found: dict[str, LabelSource] = {}
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
        for column in sorted(unmatched, key=lambda column: column not in self.rules.labelled):
            name = alike.get(_bare(column), column)
            found.setdefault(column if name in found else name, LabelSource((column,)))
        for name, pairs in parts.items():
            columns, options = zip(*pairs, strict=True)
            found.setdefault(name, LabelSource(columns, options))
        for name, source in found.items():
            if name in fields and fields[name].has_other and not source.options:
                found[name] = replace(source, beside=fields[name].values)
        return found

    def _take_by_name(self, fields: Mapping[str, Field], found: dict[str, LabelSource]) -> list[str]:
        """Match columns by a declared rename, else by their own name, else by ``Answer.`` before it; gives the rest.

        Some pages call their controls ``Answer.something``. What is declared comes first, whatever else would fit.
        """
        renames = self.task.facts.renames
        found.update({renames[column]: LabelSource((column,)) for column in self.task.columns if column in renames})
        rest = [column for column in self.task.columns if column not in renames]
        for prefix in ("", "Answer."):
            taken = {column for column in rest if prefix + column in fields and prefix + column not in found}
            found.update({prefix + column: LabelSource((column,)) for column in taken})
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
        cells = self.rules.cells
        return frozenset(
            column
            for column in self.task.columns
            if column in self.rules.labelled and all(cell.strip().lower() in _TRUTH for cell in cells[column])
        )


def _with_texts(field: Field, labels: Iterable[str]) -> tuple[str, ...]:
    """The options of a field with what the workers wrote into its text box: it can hold any such value, too."""
    if not field.has_other:
        written = (part for label in labels for part in sorted(ticked(label, field.values)))
        return tuple(dict.fromkeys((*field.values, *written)))
    options = list(field.values)
    for label in labels:
        # Of one answer no part is an option if it was written. Votes are one as far as they match.
        if label and match_option(label.split("|")[0], field.values) is None and match_option(label, options) is None:
            options.append(label)
    return tuple(options)


def _unique_by_bare_name(names: Iterable[str]) -> dict[str, str]:
    """Names without case and punctuation -> the only name that is so: AMT's tables spell some fields differently."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_bare(name), []).append(name)
    return {bare: group[0] for bare, group in groups.items() if bare and len(group) == 1}


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()
