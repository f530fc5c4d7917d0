"""One mistake of a task's author, said so that it can be mended without reading anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Literal

from harness.browser.form.fields import Field
from harness.catalog.labels import is_blank
from harness.catalog.task import TABLE, TEMPLATE, Instance
from harness.kit.text import few, shorten
from harness.scoring.answers.columns import Answer

Kind = Literal[
    "never accepted",
    "refused",
    "no option",
    "shown text",
    "joined otherwise",
    "other notation",
    "beyond the range",
    "no value",
    "almost a field",
    "no field",
    "no column",
    "no name",
    "no fields at all",
    "open quote",
    "foreign template",
    "closed form",
    "outside",
    "sent by itself",
    "cut cell",
    "damaged text",
    "looked over",
]
"""What is wrong, in the order in which it is listed: a mistake may be the cause of others of a later kind."""

MOST_ROWS = 5
"""Rows that a line names."""
MOST_VALUES = 8
"""Possible values that a line names."""
_LONGEST = 100


@dataclass(frozen=True)
class Mistake:
    """Something in which the page and the labels of a task do not fit, or that a task's author should know.

    Attributes:
        task: The task's name.
        kind: What is wrong.
        what: The same in words, without a full stop.
        remedy: What to do, a sentence without a full stop.
        field: The field, or the column without its leading ``Answer.``; empty if the task is meant.
        rows: The rows with it, as a spreadsheet numbers them: the header is row 1. Empty if it is not in the table.
        line: The line of the template; None if it is not in the template.
        wanted: What the labels or the page ask for; empty if that cannot be said.
        possible: What can be had instead.
        is_note: Whether it need not be a mistake.
        explained: What the task's facts say about it; empty if nothing.
        column: The column of the table, if it is that and no field; empty if it is neither.
    """

    task: str
    kind: Kind
    what: str
    remedy: str
    field: str = ""
    rows: tuple[int, ...] = ()
    line: int | None = None
    wanted: str = ""
    possible: tuple[str, ...] = ()
    is_note: bool = False
    explained: str = ""
    column: str = ""

    @property
    def counts(self) -> bool:
        """Whether it has to be mended, or explained in the task's facts."""
        return not self.is_note and not self.explained

    @property
    def where(self) -> str:
        """File, line or rows, and field, in words; empty if the whole task is meant."""
        places = []
        if self.line is not None:
            places.append(f"{TEMPLATE} line {self.line}")
        if self.rows:
            word = "row" if len(self.rows) == 1 else "rows"
            places.append(f"{TABLE} {word} {few(map(str, self.rows), MOST_ROWS)}")
        if self.column:
            places.append(f"column {shorten(self.column, _LONGEST)!r}")
        if self.field:
            places.append(f"field {shorten(self.field, _LONGEST)!r}")
        return ", ".join(places)

    def __str__(self) -> str:
        head = ", ".join(filter(None, [self.task, self.where]))
        fit = []
        if self.wanted:
            fit.append(f"wanted {shorten(self.wanted, _LONGEST)!r}")
        if self.possible:
            fit.append(f"possible {few((repr(shorten(each, _LONGEST)) for each in self.possible), MOST_VALUES)}")
        said = [": ".join(filter(None, [head, self.what, "; ".join(fit)])), self.remedy]
        if self.explained:
            said.append(f"Known: {self.explained}")
        return " ".join(f"{'. '.join(said)}.".split())  # one line, whatever a label holds


def explanation(field: str, explanations: Mapping[str, str]) -> str:
    """What facts say of a field: by its name, else by a glob; empty if nothing.

    Args:
        field: The field's name.
        explanations: Field, or a glob of fields -> why the workers' answer cannot be entered.
    """
    globs = (reason for pattern, reason in explanations.items() if fnmatchcase(field, pattern))
    return explanations.get(field) or next(globs, "")


def merged(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Mistakes that differ in their rows alone as one, in the order in which they were first met."""
    found: dict[Mistake, list[int]] = {}
    for each in mistakes:
        found.setdefault(replace(each, rows=()), []).extend(each.rows)
    return [replace(each, rows=tuple(sorted(set(rows)))) for each, rows in found.items()]


def unlike(mistakes: Sequence[Mistake], most: int) -> list[Mistake]:
    """At most so many of each kind for each task: what is left out is more of the same."""
    counts: dict[tuple[str, Kind], int] = {}
    kept = []
    for each in mistakes:
        place = (each.task, each.kind)
        counts[place] = counts.get(place, 0) + 1
        if counts[place] <= most:
            kept.append(each)
    return kept


@dataclass(frozen=True)
class SeenPage:
    """One page with its labels.

    Attributes:
        instance: The instance.
        fields: The fields of its page when it had loaded.
        answers: The answer fields, matched with the columns of labels.
    """

    instance: Instance
    fields: Sequence[Field]
    answers: Sequence[Answer]

    def labels(self, answer: Answer) -> Iterator[tuple[int, str]]:
        """The data row and the text of each label of a field that is not blank."""
        return (
            (row, label) for row, label in zip(self.instance.rows, answer.labels, strict=True) if not is_blank(label)
        )
