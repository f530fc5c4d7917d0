"""What is wrong with a task, said so that the person who owns the files can act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with one file.

    Attributes:
        task: The name of the task, or "" if the problem is not of a single task.
        file: The file in which it was found.
        row: For `batch.csv` the row as a spreadsheet numbers it (the header is row 1); for other text
            files the number of the line; None if the whole file is meant.
        column: The column, variable or JSON key, if there is one.
        what: What is wrong, without a full stop.
        remedy: What to do about it, a sentence without a full stop.
        is_remark: Whether it is only to be known: nothing is wrong if it is meant so.
    """

    task: str
    file: Path
    row: int | None
    column: str | None
    what: str
    remedy: str
    is_remark: bool = False

    def __str__(self) -> str:
        where = [str(self.file)]
        if self.row is not None:
            where.append(f"row {self.row}" if self.file.suffix == ".csv" else f"line {self.row}")
        if self.column is not None:
            where.append(f"{'column' if self.file.suffix == '.csv' else 'key'} {self.column}")
        text = f"{', '.join(where)}: {self.what}. {self.remedy}."
        return " ".join(text.split())  # one line, whatever a header or a name holds


def decode(data: bytes) -> str:
    """Return a file's bytes as text: UTF-8, with or without byte-order marks: some tools write one before another.

    Raises:
        UnicodeDecodeError: If they are not UTF-8; its positions count from the first byte of the file
            (those of the codec utf-8-sig do not).
    """
    return data.decode("utf-8").lstrip("\ufeff")


class CatalogError(UserError, ValueError):
    """A request or a set-up that the catalog cannot serve; the message is for the person who typed it."""


class MalformedTask(UserError):
    """A task whose files cannot be used.

    Attributes:
        problems: Everything found wrong with the task; never empty.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
