"""All mistakes of one task, each once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from harness.browser.form.fields import Field
from harness.catalog.csv_table import read_table
from harness.catalog.task import ANSWER, TABLE, Task
from harness.datasets.lint import lint_task
from harness.kit.files.inside import read_inside
from harness.kit.text import counted, few, noun
from harness.scoring.answers.columns import AnswerColumns
from harness.scoring.answers.exclusions import ColumnRules
from oracle.check.mistakes.cells import cell_notes
from oracle.check.mistakes.columns import column_mistakes
from oracle.check.mistakes.damage import damage_notes
from oracle.check.mistakes.labels import label_mistakes
from oracle.check.mistakes.languages import language_mistakes
from oracle.check.mistakes.markup import closed_forms, markup_mistakes, open_quotes
from oracle.check.mistakes.mistake import MOST_VALUES, Kind, Mistake, SeenPage, merged
from oracle.check.mistakes.outside import OutsideWorld, outside_mistakes, own_file_notes

_ORDER = {kind: place for place, kind in enumerate(get_args(Kind))}


def task_mistakes(
    task: Task, pages: Sequence[SeenPage], others: Mapping[str, bool], world: OutsideWorld
) -> list[Mistake]:
    """Look a task over.

    Args:
        task: The task.
        pages: Its pages that were looked at.
        others: See ``other_columns``.
        world: What of the outside world is there.

    Returns:
        Mistakes first and then notes, each kind together. What follows from another one is left out: that a label is
        none of the options where these have no values, and that a column has no field where a quote or a cell took it
        away.
    """
    swallowed = {name for each in open_quotes(task.template) for name in each.names}
    closed = list(closed_forms(task, [page.instance for page in pages]))
    swallowed |= {each.field for each in closed}
    columns = column_mistakes(task, pages, list(others), swallowed)
    unmarked = {name for each in columns if each.kind == "no column" and each.counts for name in each.possible}
    homeless = [each.field for each in columns if each.kind == "no field"]
    markup = list(markup_mistakes(task.name, task.template, ColumnRules(task).cells, homeless))
    valueless = {each.field for each in markup if each.kind == "no value"}
    labels = label_mistakes(task.name, pages, task.facts.unreachable)
    found = [
        *markup,
        *columns,
        *(each for each in labels if each.field not in valueless | swallowed),
        *language_mistakes(task, {name: differ for name, differ in others.items() if name not in unmarked}),
        *closed,
        *outside_mistakes(task, [page.instance for page in pages], world),
        *cell_notes(task),
        *damage_notes(task),
        *own_file_notes(task, [page.instance for page in pages]),
        *_looked_over(task),
    ]
    return sorted(merged(found), key=lambda each: (not each.counts, _ORDER[each.kind]))


def see(task: Task, pages: Mapping[int, Sequence[Field]]) -> list[SeenPage]:
    """Match the fields of pages with the columns of labels.

    Args:
        task: The task.
        pages: Index of an instance -> the fields of its page.
    """
    columns = AnswerColumns(task)
    instances = ((task.instances[index], fields) for index, fields in sorted(pages.items()))
    return [SeenPage(instance, fields, columns.answers(instance, fields)) for instance, fields in instances]


def other_columns(task: Task) -> dict[str, bool]:
    """Columns of a task's table that are neither labels nor shown by the page -> whether equal pages differ in them."""
    table = read_table(read_inside(task.folder, TABLE))
    cells = dict(zip(table.numbers, table.rows, strict=True))
    instances = [[cells[row] for row in instance.rows] for instance in task.instances]
    return {
        name: any(len({row[at] for row in rows}) > 1 for rows in instances)
        for at, name in enumerate(table.header)
        if not name.startswith(ANSWER) and name not in task.variables
    }


def _looked_over(task: Task) -> Iterator[Mistake]:
    """What the table alone tells, see ``harness.datasets.lint``."""
    found = lint_task(task)
    if found.unlabelled:
        what = f"nobody labelled {found.unlabelled} of its {counted(found.instances, 'instance')}, which runs leave out"
        yield _note(task, what, "Add the labels, or leave it", ())
    if found.never_labelled:
        number = len(found.never_labelled)
        what = f"{number} of its columns of labels {noun(number, 'is', 'are')} empty in every row and not scored"
        yield _note(task, what, "Fill them in, or remove them", [ANSWER + column for column in found.never_labelled])
    if found.constant:
        say = f"{len(found.constant)} of its columns of labels {noun(len(found.constant), 'says', 'say')}"
        what = f"{say} the same in every row: who knows it needs no page"
        remedy = "If the page fills them in, list them under not_answers in task.json with the reason"
        yield _note(task, what, remedy, [ANSWER + each.column for each in found.constant])


def _note(task: Task, what: str, remedy: str, columns: Sequence[str]) -> Mistake:
    listed = f": {few(columns, MOST_VALUES)}" if columns else ""
    return Mistake(task=task.name, kind="looked over", what=what + listed, remedy=remedy, is_note=True)
