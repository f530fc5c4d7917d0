"""The shape of a batch: rows, cells, the file they make."""

from __future__ import annotations

import csv
import importlib
import io
import json
import pkgutil
import random
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from tasks._generator.crowd import Crowd
from tasks._generator.made import ANSWER, Made, Row


class TaskModule(Protocol):
    """What each module of a task offers.

    Beside what stands here it may have ``files``, which makes further files by their paths below the task's folder,
    ``DIGESTS``, the SHA-256 of files there that nobody can make again, such as photographs, by their paths, ``FREE``,
    the names of fields in which workers write words of their own, and ``OPEN``, the names of others without one right
    answer; every other field has a truth in every instance.
    """

    NAME: str
    """The name of the task's folder."""

    def instances(self, crowd: Crowd) -> list[Made]:
        """Make all instances."""


@dataclass(frozen=True)
class Batch:
    """What is made for one task.

    Attributes:
        name: the name of the task's folder.
        made: its instances.
        free: the fields in which workers write words of their own.
        open: the other fields without one right answer.
        files: makes the further files, by their paths below the task's folder; drawing takes seconds.
        kept: the SHA-256 of files that are not made, as hexadecimal digits, by their paths below the task's folder.
    """

    name: str
    made: Sequence[Made]
    free: frozenset[str]
    open: frozenset[str]
    files: Callable[[], Mapping[str, bytes]]
    kept: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole batch.csv."""
        return to_csv([row for made in self.made for row in made.rows()])

    def contents(self) -> dict[str, bytes]:
        """Return all files of the task that are made, by their paths below its folder."""
        return {"batch.csv": self.text.encode(), **self.files()}


def batches(only: str | None = None) -> list[Batch]:
    """Make the batch of every task module beside this one.

    Each task has random numbers of its own, seeded by its name: changing one task changes no other.

    Args:
        only: the name of the one task to make; None for all.

    Returns:
        The batches, ordered by name.
    """
    return [
        _batch(module)
        for module in sorted(_task_modules(), key=lambda module: module.NAME)
        if only in (None, module.NAME)
    ]


def _batch(module: TaskModule) -> Batch:
    made = module.instances(Crowd(random.Random(module.NAME)))
    free, other = (frozenset(getattr(module, name, ())) for name in ("FREE", "OPEN"))
    return Batch(module.NAME, made, free, other, getattr(module, "files", dict), getattr(module, "DIGESTS", {}))


def _task_modules() -> Iterable[TaskModule]:
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if info.name != "__main__":
            module = importlib.import_module(f"{__package__}.{info.name}")
            if hasattr(module, "NAME"):
                yield cast("TaskModule", module)


def texts(name: str) -> list[dict[str, Any]]:
    """Read what was written by hand for a task.

    Args:
        name: the name of a file in ``texts/``, without ``.toml``.

    Returns:
        Its ``[[item]]`` tables in file order.
    """
    written = tomllib.loads((Path(__file__).parent / "texts" / f"{name}.toml").read_text(encoding="utf-8"))
    return cast("list[dict[str, Any]]", written["item"])


def joined(ticked: Collection[str], options: Sequence[str]) -> str:
    """Write the ticked boxes of a group as the cell that AMT makes of them.

    Args:
        ticked: the ticked options, in any order.
        options: all options, in the order of the page.

    Returns:
        The ticked options joined by ``|``; empty if nothing is ticked.
    """
    return "|".join(option for option in options if option in ticked)


def script_json(value: object) -> str:
    """Write a value as JSON that is safe inside a script element.

    Args:
        value: anything that the json module writes.

    Returns:
        JSON in which no character can end the element or start a comment.
    """
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def to_csv(rows: Sequence[Row]) -> str:
    r"""Write rows as the text of a batch.csv: inputs first, then answers, ``\n`` line ends.

    Args:
        rows: all rows of a task, with equal columns in equal order.

    Returns:
        The text of the file.

    Raises:
        ValueError: if there is no row, if columns differ, if an answer stands before an input, or if the
            workers of an instance do not stand together.
    """
    if not rows:
        raise ValueError("a batch needs rows")
    columns = list(rows[0])
    if columns != sorted(columns, key=lambda column: column.startswith(ANSWER)):
        raise ValueError(f"inputs come before answers: {columns}")
    seen: list[list[str]] = []
    for number, row in enumerate(rows, start=1):
        if list(row) != columns:
            raise ValueError(f"row {number} has the columns {list(row)}, the first {columns}")
        inputs = [row[column] for column in columns if not column.startswith(ANSWER)]
        if inputs in seen[:-1]:
            raise ValueError(f"row {number} repeats the inputs of an earlier instance")
        if not seen or inputs != seen[-1]:
            seen.append(inputs)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
