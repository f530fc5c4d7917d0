"""The shape of a batch: rows, cells, the file they make."""

from __future__ import annotations

import csv
import importlib
import io
import json
import pkgutil
import random
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

Row = dict[str, str]
"""One worker's row: the input columns, then the ``Answer.`` columns."""

ANSWER = "Answer."


class TaskModule(Protocol):
    """What each module of a task offers."""

    NAME: str
    """The name of the task's folder."""

    def rows(self, rng: random.Random) -> list[Row]:
        """Make all rows; every worker of an instance has equal inputs."""


@dataclass(frozen=True)
class Batch:
    """The batch.csv of one task.

    Attributes:
        name: the name of the task's folder.
        text: the whole file.
    """

    name: str
    text: str

    def path(self, tasks: Path) -> Path:
        """Return where the file belongs below the folder of all tasks."""
        return tasks / self.name / "batch.csv"


def batches(only: str | None = None) -> list[Batch]:
    """Make the batch of every task module beside this one.

    Each task has random numbers of its own, seeded by its name: changing one task changes no other.

    Args:
        only: the name of the one task to make; None for all.

    Returns:
        The batches, ordered by name.
    """
    return [
        Batch(module.NAME, to_csv(module.rows(random.Random(module.NAME))))
        for module in sorted(_task_modules(), key=lambda module: module.NAME)
        if only in (None, module.NAME)
    ]


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


def wordings(item: Mapping[str, Any], key: str, vote: str) -> list[str]:
    """Return the texts that go with a worker's choice.

    Args:
        item: a table of `texts`; where its workers are split, ``or`` is the choice of the second half.
        key: the key of the texts; those of the second half stand under the same key with ``_or``.
        vote: the worker's choice.

    Returns:
        The texts to write in support of that choice.
    """
    return cast("list[str]", item[f"{key}_or" if vote == item.get("or") else key])


def instance(inputs: Mapping[str, str], answers: Iterable[Mapping[str, str]]) -> list[Row]:
    """Make the rows of one instance.

    Args:
        inputs: template variable -> value.
        answers: for each worker, field name (without ``Answer.``) -> cell.

    Returns:
        One row a worker.
    """
    return [{**inputs, **{ANSWER + name: cell for name, cell in worker.items()}} for worker in answers]


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
