"""Results files, read: of this project's server, of Turkle, of Amazon Mechanical Turk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.catalog.annotations.handed_in import HELP, HELPED, INPUT, SECONDS, TASK, USER, WORKER
from harness.catalog.csv_table import CsvTable, UnreadableTable, read_table
from harness.catalog.labels import number
from harness.catalog.problems import Problem
from harness.catalog.task import ANSWER
from harness.catalog.template.wrapping import IDS
from harness.kit.errors.user import UserError
from harness.kit.text.closest import did_you_mean
from harness.kit.text.shortening import few

_STATUS, _REJECTED = "AssignmentStatus", "rejected"
"""Of AMT: what the requester did not take is nobody's answer."""


class BadResults(UserError):
    """A results file that cannot be used; the message names the file, the row and the column, and says what to do."""


@dataclass(frozen=True)
class GivenAnswers:
    """What one person answered on one page: a row of a results file.

    Attributes:
        file: The file.
        row: Its row, from 1 below the header.
        task: The name of the task folder.
        worker: Who answered: the name by which the person logs in, where the file has it, else the worker's id.
        inputs: Column without ``Input.`` -> cell.
        cells: Field -> cell, several values joined by ``|``; blank if nothing was answered.
        seconds: How long was worked on it; None if the file does not say.
        helped: Whether a model's answers were shown; None if that was not drawn, or is not known.
    """

    file: Path
    row: int
    task: str
    worker: str
    inputs: Mapping[str, str]
    cells: Mapping[str, str]
    seconds: float | None = None
    helped: bool | None = None

    def __str__(self) -> str:
        return f"{self.file}, row {self.row}"


@dataclass(frozen=True)
class ResultsTable:
    """What results files hold.

    Attributes:
        given: Their rows, file by file.
        rejected: How many rows were left out because the requester had rejected them.
    """

    given: tuple[GivenAnswers, ...]
    rejected: int = 0

    @property
    def workers(self) -> tuple[str, ...]:
        """Who answered, sorted."""
        return tuple(sorted({each.worker for each in self.given}))

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
        if given := tuple(each for each in self.given if each.worker == worker):
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
    given: list[GivenAnswers] = []
    rejected = 0
    for file in files:
        found, left_out = _read(file, task)
        given += found
        rejected += left_out
    if not given:
        raise BadResults(f"{', '.join(map(str, files))}: every row was rejected, nobody's answers are left")
    return ResultsTable(tuple(given), rejected)


def _read(file: Path, task: str | None) -> tuple[list[GivenAnswers], int]:
    """The rows of one file, and how many were rejected."""
    try:
        table = read_table(file.read_bytes())
    except OSError as error:
        raise BadResults(f"{file} cannot be read: {error.strerror}") from error
    except UnreadableTable as error:
        fault = error.faults[0]
        raise BadResults(str(Problem("", file, fault.row, fault.column, fault.what, fault.remedy))) from error
    _check_header(file, table.header, task)
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    taken = [(at, row) for at, row in enumerate(rows, start=1) if row.get(_STATUS, "").lower() != _REJECTED]
    return [_given(file, at, row, table, task) for at, row in taken], len(rows) - len(taken)


def _check_header(file: Path, header: Sequence[str], task: str | None) -> None:
    """See that a file is one of results."""
    if WORKER not in header and USER not in header:
        raise BadResults(
            f"{file} is no results file: it has no column {WORKER} and none {USER}; take the file that "
            "`manage.py results` writes, or one of Turkle or AMT"
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
        cells={
            field: row[column]
            for column in table.header
            if column.startswith(ANSWER) and (field := column.removeprefix(ANSWER)) not in IDS
        },
        seconds=None if seconds is None else float(seconds),
        helped=next((known for known, word in HELP.items() if word == row.get(HELPED, "")), None),
    )
