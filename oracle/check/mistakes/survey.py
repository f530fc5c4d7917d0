"""The mistakes of a task set: what the check saw of its pages, task by task, laid beside the labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from harness.browser.form.fields import Field
from harness.browser.form.inventory import TaskInventory
from harness.catalog import Catalog
from harness.catalog.csv_table import read_table
from harness.catalog.mirror import Mirror
from harness.catalog.mirror.outside import Outside
from harness.catalog.mirror.rules import candidates
from harness.catalog.problems import MalformedTask
from harness.catalog.task import ANSWER, TABLE, Task
from harness.datasets.lint import lint_task
from harness.kit.files.inside import read_inside
from harness.kit.text import counted, few, noun
from harness.records.config import RunConfig
from harness.scoring.answers.columns import AnswerColumns
from harness.scoring.answers.exclusions import ColumnRules
from oracle.check.mistakes.cells import cell_notes, damage_notes
from oracle.check.mistakes.columns import column_mistakes
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


def survey(catalog: Catalog, config: RunConfig, looked_at: Mapping[str, Collection[int]]) -> Iterator[Mistake]:
    """Look for mistakes in the chosen tasks; those that cannot be read are among the catalog's problems.

    Args:
        catalog: The tasks.
        config: Which of them, and what of the outside world their pages reach.
        looked_at: Task -> the indices of the instances whose pages were opened; the inventory has what was found there.
    """
    outside = Outside(config.network, config.media)
    built = Mirror.load().built
    world = OutsideWorld(
        missing=outside.missing,
        fixed_media=outside.fixed_media,
        can_be_built=lambda url: not built and bool(candidates(url)),
        assets=outside.assets,
    )
    chosen = catalog.select(config.split, config.tasks)
    for name in chosen:
        try:
            task = catalog.task(name)
        except MalformedTask:
            continue
        if not task.evaluable or (config.exclude_content_warnings and task.facts.content_warning):
            continue
        inventory = TaskInventory.load(task, live_clock=config.live_clock, outside=outside.template_hash(task))
        pages, unseen = _pages(task, looked_at.get(name, ()), inventory)
        yield from task_mistakes(task, see(task, pages), other_columns(task), world)
        if unseen:
            yield _unseen(name, unseen)
    yield from _identical(catalog, chosen)


def _pages(
    task: Task, indices: Collection[int], inventory: TaskInventory
) -> tuple[dict[int, tuple[Field, ...]], tuple[int, ...]]:
    """Index -> the fields of the page, and the rows of pages of which nothing is known."""
    found = {index: inventory.get(task.instances[index].id) for index in indices}
    unseen = [row for index, page in found.items() if page is None for row in task.instances[index].rows]
    return {index: page.fields for index, page in found.items() if page is not None}, tuple(sorted(unseen))


def _unseen(task: str, rows: tuple[int, ...]) -> Mistake:
    return Mistake(
        task=task,
        kind="looked over",
        what="what these pages hold is not known, so that it could not be compared with the labels",
        remedy="Check them again without --changed; the user's cache has to be writable",
        rows=rows,
        is_note=True,
    )


def _identical(catalog: Catalog, chosen: Collection[str]) -> Iterator[Mistake]:
    for group in catalog.duplicates():
        if set(group) & set(chosen):
            splits = {name: catalog.split_of(name) for name in group}
            listed = ", ".join(f"{name!r} ({split})" for name, split in splits.items())
            yield Mistake(
                task=group[0],
                kind="looked over",
                what=f"the files of these tasks are equal byte for byte: {listed}",
                remedy="Remove all but one; across splits what one teaches the other asks",
                is_note=True,
            )
