"""Recorded outputs of models: the file that holds them, and the instances that they belong to.

The file has one JSON object a line (docs/how-to/recorded-outputs.md). Two formats are read: this project's own, and the
records that the authors of TurkingBench made of their runs, which number rows in their way and repeat the labels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from harness.catalog import Catalog
from harness.catalog.labels import clean, is_blank, number
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Instance, Task
from harness.kit.errors import UserError

By = Literal["index", "id", "row_number"]
_PLACES: tuple[By, ...] = ("index", "id", "row_number")
_OUTPUTS = ("output", "model_output")


class BadPredictions(UserError):
    """A file of predictions that cannot be used; the message names the line and says what to do."""


@dataclass(frozen=True)
class Prediction:
    """One output of a model.

    Attributes:
        line: Its line in the file, from 1.
        task: The task's name.
        by: How the instance is named: its place in the task's table, its id, or the row number that the original code
            gives it.
        place: The instance by that name.
        field: The field that the model was asked about; empty if it was asked about the whole form.
        output: What the model wrote; None if it was not asked.
        gold: The field's labels as they were recorded, blanks as empty texts; None if they were not.
        record: The whole line.
    """

    line: int
    task: str
    by: By
    place: int | str
    field: str
    output: str | None
    gold: tuple[str, ...] | None
    record: Mapping[str, Any]

    def __str__(self) -> str:
        field = f", field {self.field!r}" if self.field else ""
        return f"line {self.line} ({self.task!r}, {self.by} {self.place}{field})"


@dataclass(frozen=True)
class UnplacedPredictions:
    """Predictions for one page that no instance of the task set can be told to be.

    Attributes:
        predictions: They.
        reason: Why.
    """

    predictions: tuple[Prediction, ...]
    reason: str

    def __str__(self) -> str:
        return f"{self.predictions[0]}: {self.reason}"


@dataclass(frozen=True)
class PlacedPredictions:
    """The predictions for one task.

    Attributes:
        by_index: Place of the instance in the task's table -> its predictions, in the order of the file.
        unplaced: The others.
    """

    by_index: Mapping[int, tuple[Prediction, ...]]
    unplaced: tuple[UnplacedPredictions, ...]


def read_predictions(file: Path) -> tuple[Prediction, ...]:
    """Read a file of predictions; empty lines are skipped.

    Raises:
        BadPredictions: it cannot be read, or a line is no prediction.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise BadPredictions(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadPredictions(f"{file} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    made = [_prediction(file, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not made:
        raise BadPredictions(f"{file} holds no predictions")
    return tuple(made)


def placed_in(catalog: Catalog, task: str, predictions: Sequence[Prediction]) -> PlacedPredictions:
    """As ``place``, for a task that a catalog may lack.

    Args:
        catalog: The tasks.
        task: The task's name.
        predictions: Of this task.
    """
    try:
        return place(predictions, catalog.task(task))
    except (KeyError, MalformedTask):
        reason = f"there is no task {task!r} in {catalog.tasks_dir} that can be used"
        return PlacedPredictions({}, (UnplacedPredictions(tuple(predictions), reason),))


def place(predictions: Sequence[Prediction], task: Task) -> PlacedPredictions:
    """Find the instances of predictions for one task.

    An instance that is named by the original's row number must bear the recorded labels, if there are any: a table of
    another version has other rows under the same numbers.

    Args:
        predictions: Of this task.
        task: The task.
    """
    finders: Mapping[By, Mapping[int | str, Instance]] = {
        "index": {each.index: each for each in task.instances},
        "id": {each.id: each for each in task.instances},
        "row_number": {alias: each for each in task.instances for alias in each.aliases},
    }
    pages: dict[tuple[By, int | str], list[Prediction]] = {}
    for each in predictions:
        pages.setdefault((each.by, each.place), []).append(each)
    by_index: dict[int, tuple[Prediction, ...]] = {}
    unplaced = []
    for (by, name), found in pages.items():
        instance = finders[by].get(name)
        if instance is None:
            reason = f"the task has no such instance; its {len(task.instances)} are counted from 0"
        else:
            reason = _contradiction(found, instance)
        if instance is None or reason:
            unplaced.append(UnplacedPredictions(tuple(found), reason))
            continue
        by_index[instance.index] = (*by_index.get(instance.index, ()), *found)
    return PlacedPredictions(by_index, tuple(unplaced))


def _contradiction(predictions: Sequence[Prediction], instance: Instance) -> str:
    """Why recorded labels cannot be those of an instance; empty if they are, or none were recorded."""
    recorded = [(each, instance.labels.get(each.field)) for each in predictions if each.gold is not None]
    if recorded and all(labels is None for _, labels in recorded):
        return f"the task has no labels of the fields that are recorded, such as {recorded[0][0].field!r}"
    for each, labels in recorded:
        if labels is not None and list(map(_comparable, labels)) != list(map(_comparable, each.gold or ())):
            return (
                f"its labels of {each.field!r} are not those of instance {instance.index}: the task set is of another "
                "version than the one that was recorded"
            )
    return ""


def _comparable(cell: str) -> str | Decimal:
    """A label as another reader of the table may have kept it: numbers as numbers, blanks alike."""
    if is_blank(cell):
        return ""
    value = number(cell)
    return clean(cell) if value is None else value


def _prediction(file: Path, line: int, text: str) -> Prediction:
    def wrong(what: str) -> BadPredictions:
        return BadPredictions(f"{file}, line {line}: {what}; docs/how-to/recorded-outputs.md describes the format")

    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise wrong(f"this is no JSON ({reason})") from error
    if not isinstance(record, dict) or not isinstance(record.get("task"), str):
        raise wrong('a prediction is an object with "task"')
    places = [name for name in _PLACES if name in record]
    outputs = [name for name in _OUTPUTS if name in record]
    if len(places) != 1:
        raise wrong(f"a prediction names its instance by one of {', '.join(map(repr, _PLACES))}")
    if len(outputs) != 1:
        raise wrong("a prediction has what the model wrote as 'output'")
    by, output, field = places[0], record[outputs[0]], record.get("field") or ""
    name = record[by]
    if type(name) is not (str if by == "id" else int):
        raise wrong(f"{by!r} is {name!r}, which names no instance")
    if not isinstance(output, str | None) or not isinstance(field, str):
        raise wrong(f"{outputs[0]!r} and 'field' are texts")
    gold = record.get("gold")
    if gold is not None and not isinstance(gold, list):
        raise wrong("'gold' is a list of labels")
    labels = None if gold is None else tuple("" if cell is None else str(cell) for cell in gold)
    return Prediction(line, record["task"], by, name, field, output, labels, record)
