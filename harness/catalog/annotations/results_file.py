"""Results files, read: of this project's server, of Turkle, of Amazon Mechanical Turk."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.catalog.annotations.handed_in import (
    ADJUDICATED,
    HELP,
    HELPED,
    INPUT,
    SECONDS,
    SEPARATOR,
    TASK,
    USER,
    WORKER,
)
from harness.catalog.csv_table import CsvTable, UnreadableTable, read_table
from harness.catalog.labels import is_blank, number
from harness.catalog.problems import Problem
from harness.catalog.task import ANSWER, is_rejected
from harness.catalog.template.wrapping import IDS
from harness.kit.errors import UserError
from harness.kit.text import did_you_mean, few

_ASSIGNMENT = "AssignmentId"
_PLATFORMS = frozenset({*IDS, "csrfmiddlewaretoken", "doNotRedirect", "turkSubmitTo"})
"""Fields that the platforms themselves send."""
_TASK_ANSWERS = "taskAnswers"
"""The one field of AMT's forms with crowd elements: a JSON list that holds one object, field -> value."""


class BadResults(UserError):
    """A results file that cannot be used; the message names the file, the row and the column, and says what to do."""


@dataclass(frozen=True)
class GivenAnswers:
    """What one person answered on one page: a row of a results file.

    Attributes:
        file: The file.
        row: Its row, as a spreadsheet numbers it.
        task: The name of the task folder.
        worker: Who answered: the name by which the person logs in, where the file has it, else the worker's id.
        inputs: Column without ``Input.`` -> cell.
        cells: Field -> cell, several values joined by ``|``; blank if nothing was answered.
        seconds: How long was worked on it; None if the file does not say.
        helped: Whether a model's answers were shown; None if that was not drawn, or is not known.
        adjudicated: Whether it is no worker's, but the answer that counts: ``worker`` decided on it.
    """

    file: Path
    row: int
    task: str
    worker: str
    inputs: Mapping[str, str]
    cells: Mapping[str, str]
    seconds: float | None = None
    helped: bool | None = None
    adjudicated: bool = False

    def __str__(self) -> str:
        return f"{self.file}, row {self.row}"


@dataclass(frozen=True)
class ResultsTable:
    """What results files hold.

    Attributes:
        given: Their rows, file by file.
        rejected: How many rows were left out because the requester had rejected them.
        repeated: How many were left out because a later row is of the same assignment.
    """

    given: tuple[GivenAnswers, ...]
    rejected: int = 0
    repeated: int = 0

    @property
    def workers(self) -> tuple[str, ...]:
        """Who answered, sorted."""
        return tuple(sorted({each.worker for each in self.given if not each.adjudicated}))

    @property
    def by_task(self) -> Mapping[str, tuple[GivenAnswers, ...]]:
        """Task -> its rows, in their order; tasks by first occurrence."""
        found: dict[str, list[GivenAnswers]] = {}
        for each in self.given:
            found.setdefault(each.task, []).append(each)
        return {task: tuple(given) for task, given in found.items()}

    def of(self, worker: str) -> tuple[GivenAnswers, ...]:
        """What one person answered.

        Raises:
            BadResults: nothing.
        """
        if given := tuple(each for each in self.given if each.worker == worker and not each.adjudicated):
            return given
        known = self.workers
        hint = did_you_mean(worker, known)
        raise BadResults(f"nobody called {worker!r} answered anything.{hint} Who did: {few(map(repr, known))}")


def read_results(files: Sequence[Path], task: str | None = None) -> ResultsTable:
    """Read results files.

    Args:
        files: At least one.
        task: The task that rows are of which do not name theirs, as in files of AMT and Turkle.

    Raises:
        BadResults: one cannot be read or used.
    """
    given: dict[tuple[object, ...], GivenAnswers] = {}
    rows = rejected = 0
    for file in files:
        for row, assignment, each in _read(file, task):
            rows += 1
            if each is None:
                rejected += 1
                continue
            # Of two rows of one assignment the later one counts, in its own place.
            key = (each.task, each.worker, assignment) if assignment else (file, row)
            given.pop(key, None)
            given[key] = each
    if not given:
        raise BadResults(f"{', '.join(map(str, files))}: every row was rejected, nobody's answers are left")
    return ResultsTable(tuple(given.values()), rejected, rows - rejected - len(given))


def _read(file: Path, task: str | None) -> Iterator[tuple[int, str, GivenAnswers | None]]:
    """The rows of one file: number, assignment (empty if the file does not say), and answers; None if rejected."""
    try:
        table = read_table(file.read_bytes())
    except OSError as error:
        raise BadResults(f"{file} cannot be read: {error.strerror}") from error
    except UnreadableTable as error:
        fault = error.faults[0]
        raise BadResults(str(Problem("", file, fault.row, fault.column, fault.what, fault.remedy))) from error
    _check_header(file, table.header, task)
    for at, cells in zip(table.numbers, table.rows, strict=True):
        row = dict(zip(table.header, cells, strict=True))
        given = None if is_rejected(row) else _given(file, at, row, table, task)
        yield at, row.get(_ASSIGNMENT, ""), given


def _check_header(file: Path, header: Sequence[str], task: str | None) -> None:
    """See that a file is one of results."""
    if WORKER not in header and USER not in header:
        raise BadResults(
            f"{file} is no results file: it has no column {WORKER} and none {USER}; take the file that "
            "`turkbench manage results` writes, or one of Turkle or AMT"
        )
    if not any(name.startswith(ANSWER) for name in header):
        raise BadResults(f"{file} holds no answers: no column begins with {ANSWER!r}")
    if task is None and TASK not in header:
        raise BadResults(f"{file} does not say of which task it is: it has no column {TASK}; give --task NAME")


def _given(file: Path, at: int, row: Mapping[str, str], table: CsvTable, task: str | None) -> GivenAnswers:
    worker = row.get(USER, "").strip() or row.get(WORKER, "").strip()
    name = row.get(TASK, "") or task or ""
    if not worker:
        raise BadResults(f"{file}, row {at}, column {WORKER}: it is empty; every row needs the worker who answered")
    if not name:
        raise BadResults(f"{file}, row {at}, column {TASK}: it is empty; name the task, or give --task NAME")
    seconds = number(row.get(SECONDS, ""))
    return GivenAnswers(
        file=file,
        row=at,
        task=name,
        worker=worker,
        inputs={column.removeprefix(INPUT): row[column] for column in table.header if column.startswith(INPUT)},
        cells=dict(_cells(file, at, row, table.header)),
        seconds=None if seconds is None else float(seconds),
        helped=next((known for known, word in HELP.items() if word == row.get(HELPED, "")), None),
        adjudicated=bool(row.get(ADJUDICATED, "")),
    )


def _cells(file: Path, at: int, row: Mapping[str, str], header: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Field and cell of each answer in a row."""
    for column in header:
        field = column.removeprefix(ANSWER)
        if field == column or field in _PLATFORMS:
            continue
        if field == _TASK_ANSWERS:
            yield from _task_answers(f"{file}, row {at}, column {column}", row[column]).items()
        else:
            yield field, _several(row[column]) if USER in header else row[column]


def _several(cell: str) -> str:
    """A cell of Turkle's as labels are written: its version 3.1 wrote several values as a list of Python's."""
    if not (cell.startswith("[") and cell.endswith("]")):
        return cell
    try:
        values = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    is_list = isinstance(values, list) and all(isinstance(each, str) for each in values)
    return SEPARATOR.join(values) if is_list else cell


def _task_answers(place: str, cell: str) -> dict[str, str]:
    """The fields of AMT's crowd-form.

    Of choices, which stand there with true or false each, those that are true; of what is no text, number or choice its
    JSON, as the element would send it.

    Raises:
        BadResults: it is no list of one object.
    """
    if is_blank(cell):
        return {}
    try:
        answers = json.loads(cell)
    except ValueError:
        answers = None
    if isinstance(answers, list) and len(answers) == 1:
        (answers,) = answers
    if not isinstance(answers, dict):
        raise BadResults(f"{place}: it is not what AMT's crowd-form sends, a list of one JSON object; export it again")
    return {str(field): _sent(value) for field, value in answers.items()}


def _sent(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict) and value and all(isinstance(each, bool) for each in value.values()):
        return SEPARATOR.join(option for option, chosen in value.items() if chosen)
    return json.dumps(value, ensure_ascii=False)
