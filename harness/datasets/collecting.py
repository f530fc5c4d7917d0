"""Labels made of people's answers: the tasks that they worked on, as a new task set with a row for each answer."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.annotations.placement import PlacedAnswers, place_all
from harness.catalog.annotations.results_file import BadResults, ResultsTable
from harness.catalog.csv_table import read_table
from harness.catalog.task import ANSWER, FACTS, TABLE, TEMPLATE, Task
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import write_bytes, write_json

_BROWSER = "userAgent"
ORIGIN = "collected.json"
"""The file of a new task set that says what its labels were made of."""
_OF_OLD_COLUMNS = "renames"


class CannotCollect(UserError):
    """No labels can be made, or not there; the message says why and what to do."""


@dataclass(frozen=True)
class CollectedTask:
    """One task of a new task set.

    Attributes:
        task: Its name.
        rows: Answers, a row each.
        workers: How many people gave them.
        instances: Instances with answers.
        unanswered: Instances that nobody answered, which are left out.
        adjudicated: Instances whose label is the answer that somebody decided on.
        replaced: Answers of workers that such a decision took the place of; they are left out.
    """

    task: str
    rows: int
    workers: int
    instances: int
    unanswered: int
    adjudicated: int
    replaced: int


def collect(results: ResultsTable, catalog: Catalog, out: Path, without: Sequence[str] = ()) -> list[CollectedTask]:
    """Write a new task set whose labels are people's answers; where an answer was decided on, that one alone.

    Args:
        results: The answers.
        catalog: The tasks that they were given on.
        out: The folder of the new task set; it is made, and may be there if it is empty.
        without: People whose answers are left out, so that they can be scored against the others'.

    Raises:
        CannotCollect: ``out`` is not empty, or nothing is left to be written.
        BadResults: an answer is of no instance of the tasks; nothing is written.
        OSError: it cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CannotCollect(f"{out} is not empty; give a new folder for the new task set")
    for name in without:
        results.of(name)  # a name that nobody has is a mistake
    placed = place_all(catalog, _others(results, without).by_task)
    part = out.with_name(f".{secrets.token_hex(8)}.part")
    try:
        collected = [_write(part / each.task.name, each) for each in placed]
        write_json(part / ORIGIN, _origin(results, collected, without))
        if out.exists():
            out.rmdir()
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return collected


def _others(results: ResultsTable, without: Iterable[str]) -> ResultsTable:
    left = tuple(each for each in results.given if each.worker not in set(without))
    if not left:
        raise CannotCollect("no answers are left; leave out fewer people")
    return replace(results, given=left)


def _write(folder: Path, placed: PlacedAnswers) -> CollectedTask:
    """Write the folder of a task."""
    task = placed.task
    write_bytes(folder / TEMPLATE, read_inside(task.folder, TEMPLATE))
    decided = _decided(placed)
    write_bytes(folder / TABLE, labelled_table(decided).encode())
    if (task.folder / FACTS).exists():
        write_json(folder / FACTS, _facts(task))
    given = decided.given
    return CollectedTask(
        task=task.name,
        rows=len(given),
        workers=len({each.worker for each in given}),
        instances=len(placed.by_index),
        unanswered=len(task.pages) - len(placed.by_index),
        adjudicated=sum(each.adjudicated for each in given),
        replaced=len(placed.given) - len(given),
    )


def _decided(placed: PlacedAnswers) -> PlacedAnswers:
    """Of an instance whose answer somebody decided on, that answer alone."""
    return replace(
        placed,
        by_index={
            index: tuple(each for each in given if each.adjudicated)[-1:] or given
            for index, given in placed.by_index.items()
        },
    )


def labelled_table(placed: PlacedAnswers) -> str:
    """The table of a task with people's answers as its labels, as the text of a CSV file.

    The columns that hold no answers are the table's own, the answers' are the fields that any of the people sent. No
    column names them: TurkingBench's own code tells instances by all columns that are no answers.

    Raises:
        BadResults: a field's column would be one that the template shows as an input.
    """
    task = placed.task
    header, first_rows = _own_columns(task)
    given = placed.given
    fields = list(dict.fromkeys(field for each in given for field in each.cells if _is_answer(field, task)))
    if taken := next((field for field in fields if ANSWER + field in header), None):
        raise BadResults(
            f"{given[0]}: the page of {task.name!r} shows the column {ANSWER}{taken} as an input, so that it cannot "
            f"hold the labels of the field {taken!r}; call that column otherwise in the task, and ask again"
        )
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow([*header, *(ANSWER + field for field in fields)])
    for index, of_instance in placed.by_index.items():
        for each in of_instance:
            table.writerow([*first_rows[index], *(each.cells.get(field, "") for field in fields)])
    return out.getvalue()


def unanswered_table(task: Task, indices: Iterable[int]) -> str:
    """The table of some instances of a task without anybody's answers, as the text of a CSV file."""
    header, first_rows = _own_columns(task)
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(header)
    table.writerows(first_rows[index] for index in indices)
    return out.getvalue()


def _is_answer(field: str, task: Task) -> bool:
    """Whether a field of results can be an answer: what platforms tell of the worker's browser is none."""
    return field != _BROWSER or _BROWSER in task.template


def _own_columns(task: Task) -> tuple[list[str], Mapping[int, Sequence[str]]]:
    """The columns of a task's table that hold no answers, and their cells in the first row of each instance."""
    if not task.evaluable:
        return list(task.variables), {each.index: tuple(each.inputs.values()) for each in task.pages}
    table = read_table(read_inside(task.folder, TABLE))
    kept = [at for at, name in enumerate(table.header) if not name.startswith(ANSWER) or name in task.variables]
    by_number = dict(zip(table.numbers, table.rows, strict=True))
    rows = {each.index: [by_number[each.rows[0]][at] for at in kept] for each in task.instances}
    return [table.header[at] for at in kept], rows


def _facts(task: Task) -> dict[str, object]:
    """What task.json says, without what it says of answer columns that are not there any more."""
    said: dict[str, object] = json.loads(read_inside(task.folder, FACTS).decode("utf-8-sig"))
    return {key: value for key, value in said.items() if key != _OF_OLD_COLUMNS}


def _origin(results: ResultsTable, collected: Sequence[CollectedTask], without: Sequence[str]) -> dict[str, object]:
    """What the labels were made of, for ``collected.json``."""
    files = sorted({each.file for each in results.given})
    return {
        "results": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        "left_out": {"workers": sorted(without), "rejected": results.rejected, "repeated": results.repeated},
        "tasks": {
            each.task: {
                "rows": each.rows,
                "workers": each.workers,
                "instances": each.instances,
                "unanswered": each.unanswered,
                "adjudicated": each.adjudicated,
                "replaced": each.replaced,
            }
            for each in collected
        },
    }
