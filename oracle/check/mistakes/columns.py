"""Columns of labels without a field, fields without a column, and names that are nearly equal.

Pure: pages and the names of the table's columns in, mistakes out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from harness.catalog.kinds import CHOICES
from harness.catalog.labels import is_blank, match_option
from harness.catalog.task import ANSWER, Task
from harness.catalog.template.markup import scan
from harness.kit.text import closest_name
from harness.scoring.answers.columns import ABSENT
from oracle.check.mistakes.mistake import Mistake, SeenPage, explanation

_AMT = "crowd-"
_AMT_FILE = "crowd-html-elements"
_AMT_SCRIPT = f'<script src="https://assets.crowd.aws/{_AMT_FILE}.js"></script>'


@dataclass(frozen=True)
class UnmadeField:
    """An element that makes no field.

    Attributes:
        name: What its field would be called; AMT's elements add a dot and a word to it.
        line: Of the template.
        why: Why it makes none.
        remedy: What to do.
    """

    name: str
    line: int
    why: str
    remedy: str

    def would_be(self, field: str) -> bool:
        """Whether a field of this name would be of this element."""
        return field == self.name or field.startswith(self.name + ".")


def unmade_fields(template: str, fields: Collection[str]) -> Iterator[UnmadeField]:
    """Find the elements that make no field.

    Args:
        template: The text of template.html.
        fields: The names of the fields that its pages have. Where one is a custom element's, their script is there.
    """
    named = [piece for piece in scan(template) if piece.kind == "start" and piece.attributes.get("name")]
    forms = {piece.attributes.get("id") for piece in scan(template) if piece.kind == "start" and piece.name == "form"}
    custom = []
    for piece in named:
        name, form = piece.attributes["name"], piece.attributes.get("form")
        line = template.count("\n", 0, piece.start) + 1
        if "-" in piece.name:
            why = f"<{piece.name}> makes its field by a script, which is not here"
            custom.append(UnmadeField(name, line, why, _script_of(piece.name, template)))
        elif form is not None and form not in forms:
            why = f"its control is of the form {form!r}, and no form has this id, so that it is not sent"
            yield UnmadeField(name, line, why, f'Take form="{form}" out of the control, or give the form this id')
    if not any(each.would_be(field) for each in custom for field in fields):
        yield from custom


def _script_of(element: str, template: str) -> str:
    if not element.startswith(_AMT):
        return f"Write the script that defines <{element}> into the page"
    if _AMT_FILE not in template:
        return f"Write {_AMT_SCRIPT} into the page"
    return "Leave the network at `mirror`, which has a script of its own for AMT's elements, or write one into the page"


_ALIKE = 0.75
_NO_FIELD = "None"
"""What the original tables write for a field that the page of a row does not have."""


def homeless_columns(pages: Sequence[SeenPage]) -> dict[str, tuple[int, ...]]:
    """Labelled columns whose field is on none of the pages that they label -> the data rows with a label."""
    rows: dict[str, list[int]] = {}
    at_home: set[str] = set()
    for page in pages:
        for answer in page.answers:
            if answer.status != ABSENT:
                at_home.update(answer.source.columns)
            elif labelled := [row for row, label in page.labels(answer) if label != _NO_FIELD]:
                rows.setdefault(answer.source.columns[0], []).extend(labelled)
        taken = {column for answer in page.answers for column in answer.source.columns}
        for column in page.instance.labels.keys() - taken:
            cells = zip(page.instance.rows, page.instance.labels[column], strict=True)
            if labelled := [row for row, label in cells if not is_blank(label) and label != _NO_FIELD]:
                rows.setdefault(column, []).extend(labelled)
    at_home.update(_of_options(pages, at_home))
    return {column: tuple(found) for column, found in rows.items() if column not in at_home}


def _of_options(pages: Sequence[SeenPage], at_home: Collection[str]) -> Iterator[str]:
    """Columns ``<field>.<option>`` of choices whose labels stand in a column of the field, too, which is preferred."""
    choices = {field.name: field.values for page in pages for field in page.fields if field.kind in CHOICES}
    for column in pages[0].instance.labels if pages else ():
        names = [(column[:at], column[at + 1 :]) for at, letter in enumerate(column) if letter == "."]
        if any(name in at_home and match_option(value, choices.get(name, ())) is not None for name, value in names):
            yield column


def bare_fields(task: Task, pages: Sequence[SeenPage]) -> list[str]:
    """Fields that a worker can fill in and that no column of labels belongs to, in page order, each once."""
    taken = {answer.name for page in pages for answer in page.answers} | set(task.facts.not_answers)
    fields = (field for page in pages for field in page.fields if field.kind != "hidden" and not field.disabled)
    # What an open quote swallows becomes the name of a field, markup and all.
    names = (field.name for field in fields if not {"<", "="} & set(field.name))
    return list(dict.fromkeys(name for name in names if name not in taken))


def column_mistakes(
    task: Task, pages: Sequence[SeenPage], others: Sequence[str], swallowed: Collection[str] = ()
) -> list[Mistake]:
    """Columns and fields that do not find each other.

    Args:
        task: The task.
        pages: Its pages.
        others: Columns of the table that are neither labels nor shown by the page.
        swallowed: Fields that an open quote keeps from the page, which is told elsewhere.
    """
    homeless = {column: rows for column, rows in homeless_columns(pages).items() if column not in swallowed}
    bare = bare_fields(task, pages)
    scored = any(answer.scored for page in pages for answer in page.answers)
    unmade = list(unmade_fields(task.template, {field.name for page in pages for field in page.fields}))
    if homeless and not (scored or bare or swallowed):
        return [_no_fields(task, homeless, unmade)]
    found = []
    for column, rows in list(homeless.items()):
        if near := _nearly(column, bare):
            bare.remove(near)
            del homeless[column]
            found.append(_almost(task, column, near, rows))
    for column, rows in homeless.items():
        of_column = next((each for each in unmade if each.would_be(column)), None)
        found.append(_unmade(task, column, rows, of_column) if of_column else _homeless(task, column, rows, bare))
    for name in list(bare):
        meant = next((each for each in others if _spoken(each) == _spoken(name)), None)
        if meant:
            bare.remove(name)
            found.append(_unmarked(task, name, meant))
    return [*found, *_bare(task, bare)]


def _nearly(column: str, fields: Sequence[str]) -> str | None:
    """The field that a column's name is nearly that of; names that differ in their numbers are those of others."""
    alike = [field for field in fields if re.findall(r"\d+", field) == re.findall(r"\d+", column)]
    return closest_name(column, alike, _ALIKE)


def _spoken(name: str) -> str:
    """A name without what stands for "Answer." before it, case and punctuation."""
    return re.sub(r"^answers?|[\W_]", "", re.sub(r"[\W_]", "", name).lower())


def _almost(task: Task, column: str, field: str, rows: tuple[int, ...]) -> Mistake:
    return Mistake(
        task=task.name,
        kind="almost a field",
        what=f"the column {ANSWER + column!r} has no field, and the field {field!r} has no column",
        remedy=f"Give both one name: call the column {ANSWER + field}, or the field {column}",
        field=field,
        rows=rows,
        wanted=ANSWER + field,
        possible=(ANSWER + column,),
        explained=explanation(column, task.facts.unreachable),
    )


def _homeless(task: Task, column: str, rows: tuple[int, ...], bare: Sequence[str]) -> Mistake:
    first, number = column.rpartition(".")[::2]
    is_second = number.isdecimal() and first in task.columns
    second = (
        f"If it is a second column {ANSWER + first!r}, as pandas renames it, remove it; else g" if is_second else "G"
    )
    return Mistake(
        task=task.name,
        kind="no field",
        what=f"the column {ANSWER + column!r} has labels, and the pages of its rows have no field of that name",
        remedy=f"{second}ive a field of the page the name {column!r}, correct the column's name, or list {column!r} "
        "under not_answers in task.json with the reason",
        field=column,
        rows=rows,
        wanted=column,
        possible=tuple(bare),
        explained=explanation(column, task.facts.unreachable),
    )


def _unmade(task: Task, column: str, rows: tuple[int, ...], element: UnmadeField) -> Mistake:
    return Mistake(
        task=task.name,
        kind="no field",
        what=f"the column {ANSWER + column!r} has labels, and the page has no such field: {element.why}",
        remedy=element.remedy,
        field=column,
        rows=rows,
        line=element.line,
        wanted=column,
        explained=explanation(column, task.facts.unreachable),
    )


def _unmarked(task: Task, field: str, column: str) -> Mistake:
    return Mistake(
        task=task.name,
        kind="no column",
        what=f"the field has no column of labels, but the table has a column {column!r}",
        remedy=f"If it holds the workers' answers, call it {ANSWER + field}",
        field=field,
        wanted=ANSWER + field,
        possible=(column,),
    )


def _bare(task: Task, fields: Sequence[str]) -> list[Mistake]:
    if not fields:
        return []
    what = f"there is no column of labels for {len(fields)} of its fields, so that they are not scored"
    return [
        Mistake(
            task=task.name,
            kind="no column",
            what=what if len(fields) > 1 else "the field has no column of labels, so that it is not scored",
            remedy=f"Add a column {ANSWER + fields[0]}, or leave it if there are no labels",
            field=fields[0] if len(fields) == 1 else "",
            possible=tuple(fields) if len(fields) > 1 else (),
            is_note=True,
        )
    ]


def _no_fields(task: Task, homeless: dict[str, tuple[int, ...]], unmade: Sequence[UnmadeField]) -> Mistake:
    of_columns = [each for each in unmade if any(map(each.would_be, homeless))]
    why = of_columns[0].why if of_columns else "nothing with a name that a worker can fill in"
    control = f'Write a control for each column of labels, such as <input type="text" name="{next(iter(homeless))}">'
    return Mistake(
        task=task.name,
        kind="no fields at all",
        what=f"the page has no field: {why}",
        remedy=of_columns[0].remedy if of_columns else control,
        line=of_columns[0].line if of_columns else 1,
        wanted=", ".join(homeless),
    )
