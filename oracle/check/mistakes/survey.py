"""The mistakes of a task set: what the check saw of its pages, task by task, laid beside the labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from harness.browser.form.fields import Field
from harness.browser.form.inventory import TaskInventory
from harness.catalog import Catalog
from harness.catalog.mirror import Mirror
from harness.catalog.mirror.outside import Outside
from harness.catalog.mirror.rules import candidates
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Task
from harness.records.config import RunConfig
from oracle.check.mistakes.mistake import Mistake
from oracle.check.mistakes.outside import OutsideWorld
from oracle.check.mistakes.task_mistakes import other_columns, see, task_mistakes


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
