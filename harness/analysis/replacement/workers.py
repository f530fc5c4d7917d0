"""Who the workers of an item are, and how long they took: from results files, or from columns of the task's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.analysis.replacement.answers import Answers, ItemKey
from harness.catalog import Catalog
from harness.catalog.annotations.handed_in import SECONDS, USER, WORKER
from harness.catalog.annotations.placement import place_all
from harness.catalog.annotations.results_file import read_results
from harness.catalog.csv_table import read_table
from harness.catalog.labels import number
from harness.catalog.problems import MalformedTask
from harness.catalog.task import TABLE, Task
from harness.kit.files.inside import read_inside

_MOST_CHARACTERS = 5_000
"""Of the inputs of an item, so many are looked at."""


@dataclass
class KnownWorkers:
    """What is known of the workers of a run's items.

    Attributes:
        names: Item -> who gave each row of its labels.
        seconds: How long they worked on one item, an entry an answer of which that is known.
        source: Where that was read, in words; empty if nothing is known.
        words: Item -> the text of its inputs, as far as the tasks are here.
    """

    names: dict[ItemKey, tuple[str, ...]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    source: str = ""
    words: dict[ItemKey, str] = field(default_factory=dict)


def known_workers(
    answers: Answers, tasks_dir: Path | None, results: Sequence[Path] = (), task: str | None = None
) -> KnownWorkers:
    """Find out who the workers are.

    Args:
        answers: The items.
        tasks_dir: The folder of their tasks, which the user names: none is opened because a run names it. None if it is
            not known; then nothing is.
        results: Results files of this project's server, of Turkle or AMT whose answers the labels are.
        task: The task of rows that name none, as in files of AMT and Turkle.

    Raises:
        BadResults: a results file cannot be used, or is of other tasks.
        harness.catalog.problems.CatalogError: the folder holds no tasks.
    """
    if tasks_dir is None:
        return KnownWorkers()
    catalog = Catalog(tasks_dir)
    found = KnownWorkers(words=_words(catalog, answers))
    rows = {item.key: item.rows for item in answers.items}
    if results:
        for placed in place_all(catalog, read_results(results, task).by_task):
            for index, given in placed.by_index.items():
                key = (placed.task.name, placed.task.pages[index].id)
                if rows.get(key) == len(given):
                    found.names[key] = tuple(each.worker for each in given)
                    found.seconds += [each.seconds for each in given if each.seconds is not None]
        found.source = f"results in {', '.join(map(str, results))}"
        return found
    for name in answers.by_task():
        try:
            found_in = _of_table(catalog.task(name), rows)
        except (KeyError, MalformedTask, OSError):
            continue
        for key, names, seconds in found_in:
            found.names[key] = names
            found.seconds += seconds
            found.source = "columns of the tasks' tables"
    return found


def _words(catalog: Catalog, answers: Answers) -> dict[ItemKey, str]:
    found = {}
    for name in answers.by_task():
        try:
            pages = catalog.task(name).pages
        except (KeyError, MalformedTask):
            continue
        found.update({(name, page.id): " ".join(page.inputs.values())[:_MOST_CHARACTERS] for page in pages})
    return found


def _of_table(task: Task, rows: Mapping[ItemKey, int]) -> Iterator[tuple[ItemKey, tuple[str, ...], list[float]]]:
    """Of each instance who gave its rows, if the task's table has a column that says so."""
    table = read_table(read_inside(task.folder, TABLE))
    who = next((name for name in (USER, WORKER) if name in table.header), None)
    if who is None:
        return
    of_row = {
        at: dict(zip(table.header, cells, strict=True)) for at, cells in zip(table.numbers, table.rows, strict=True)
    }
    for instance in task.instances:
        if rows.get(key := (task.name, instance.id)) == len(instance.rows):
            cells = [of_row[at] for at in instance.rows]
            seconds = [float(found) for each in cells if (found := number(each.get(SECONDS, ""))) is not None]
            yield key, tuple(each[who].strip() for each in cells), seconds
