"""The table of the original output, per task, from the values that its authors recorded.

Their code writes a line a task with the mean over its fields, all and by kind; the paper's scores are means over those
lines (docs/notes/parity.md).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.text import aligned, counted, percent
from harness.papers.turkingbench.measured import worth
from harness.scoring.metrics.turkingbench_2024 import score_recorded, value_read
from harness.solvers.recorded.predictions import BadPredictions, Prediction, read_predictions

_SCORED = "scored"
_NEEDED = ("status", "type", "gold", "value_scored", "score")
_CLOSE = 1e-9


class BadRecord(UserError):
    """A recorded file without what its scores can be checked by; the message names the line and says what to do."""


@dataclass(frozen=True)
class RecordedField:
    """A field that the original code scored.

    Attributes:
        line: Its line in the file, from 1.
        task: The task's name.
        instance: Which of the task's, by whatever name the file gives it.
        name: The field's name.
        kind: The field's kind.
        recorded: The score that was recorded.
        ours: The score of the recorded value under ``turkingbench-2024``; None if that does not score it.
        played: The score, by the same labels, of the value that our browser sent; None if it did not play the page.
    """

    line: int
    task: str
    instance: str
    name: str
    kind: str
    recorded: float
    ours: float | None
    played: float | None

    @property
    def agrees(self) -> bool:
        """Whether the recorded score is reproduced."""
        return self.ours is not None and math.isclose(self.recorded, self.ours, rel_tol=0, abs_tol=_CLOSE)


@dataclass(frozen=True)
class Recorded:
    """A recorded file.

    Attributes:
        fields: Those that were scored.
        others: Why others were not -> how many.
    """

    fields: tuple[RecordedField, ...]
    others: Mapping[str, int]


@dataclass(frozen=True)
class TaskLine:
    """A line of the original's table.

    Attributes:
        task: The task's name; empty for the mean of all lines.
        fields: Fields.
        instances: Instances.
        pooled: The mean over its fields, which the original calls ``all``; None if there are none.
        kinds: Kind of field -> the mean over the fields of that kind.
        over_instances: The mean over its instances of the means of their fields, a range counting as 1.0.
    """

    task: str
    fields: int
    instances: int
    pooled: float | None
    kinds: Mapping[str, float]
    over_instances: float | None


def read_recorded(file: Path, agreement: Path | None = None) -> Recorded:
    """Read a file of recorded values, and score each again.

    Args:
        file: One JSON object a line, as docs/how-to/recorded-outputs.md says.
        agreement: The ``agreement.json`` of a run of the same file, with what our browser sent.

    Raises:
        harness.solvers.recorded.predictions.BadPredictions: a file cannot be read or a line is no prediction.
        BadRecord: a line was not recorded with its value and score, or the two files do not belong together.
    """
    predictions = read_predictions(file)
    played = _played(agreement, file, {each.line for each in predictions}) if agreement else {}
    fields: list[RecordedField] = []
    others: dict[str, int] = {}
    for each in predictions:
        if missing := [key for key in _NEEDED if key not in each.record]:
            raise BadRecord(f"{file}, line {each.line} has no {', '.join(missing)}: only recorded runs can be checked")
        if each.record["status"] == _SCORED:
            fields.append(_field(file, each, played.get(each.line)))
        else:
            status = str(each.record["status"])
            others[status] = others.get(status, 0) + 1
    if not fields:
        raise BadRecord(f"{file} holds no field that was scored")
    return Recorded(tuple(fields), others)


def task_lines(fields: Iterable[RecordedField], scores: Sequence[float]) -> list[TaskLine]:
    """The table of the original output.

    Args:
        fields: Scored fields.
        scores: Their scores: recorded ones, ours, or those of our browser.

    Returns:
        A line for each task, sorted by name; last their mean, with the mean over all instances.
    """
    by_task: dict[str, list[tuple[RecordedField, float]]] = {}
    for field, score in zip(fields, scores, strict=True):
        by_task.setdefault(field.task, []).append((field, score))
    lines = [_line(task, found) for task, found in sorted(by_task.items())]
    kinds = sorted({kind for line in lines for kind in line.kinds})
    instances = sum(line.instances for line in lines)
    weighted = math.fsum(line.over_instances * line.instances for line in lines if line.over_instances is not None)
    total = TaskLine(
        task="",
        fields=sum(line.fields for line in lines),
        instances=instances,
        pooled=_mean([line.pooled for line in lines if line.pooled is not None]),
        kinds={kind: _mean([line.kinds[kind] for line in lines if kind in line.kinds]) or 0.0 for kind in kinds},
        over_instances=weighted / instances if instances else None,
    )
    return [*lines, total]


def _line(task: str, found: Sequence[tuple[RecordedField, float]]) -> TaskLine:
    kinds: dict[str, list[float]] = {}
    instances: dict[str, list[float]] = {}
    for field, score in found:
        kinds.setdefault(field.kind, []).append(score)
        instances.setdefault(field.instance, []).append(1.0 if field.kind == "range" else score)
    return TaskLine(
        task=task,
        fields=len(found),
        instances=len(instances),
        pooled=_mean([score for _, score in found]),
        kinds={kind: math.fsum(scores) / len(scores) for kind, scores in sorted(kinds.items())},
        over_instances=_mean([math.fsum(scores) / len(scores) for scores in instances.values()]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _field(file: Path, each: Prediction, sent: Sequence[str] | None) -> RecordedField:
    record = each.record
    kind = str(record["type"])
    try:
        return RecordedField(
            line=each.line,
            task=each.task,
            instance=f"{each.by} {each.place}",
            name=each.field,
            kind=kind,
            recorded=float(record["score"]),
            ours=score_recorded(kind, record["gold"], str(record["value_scored"])),
            played=None if sent is None else score_recorded(kind, record["gold"], value_read(kind, sent)),
        )
    except (TypeError, ValueError) as error:
        raise BadRecord(f"{file}, line {each.line} cannot be scored: {error}") from error


def _played(agreement: Path, file: Path, lines: set[int]) -> dict[int, tuple[str, ...]]:
    """Line of the recorded file -> what our form sent for its field."""
    try:
        record = json.loads(agreement.read_text(encoding="utf-8"))
        found = {each["line"]: tuple(each["ours"]) for each in record["findings"] if each["ours"] is not None}
        every = {each["line"] for each in record["findings"]}
    except OSError as error:
        raise BadPredictions(f"{agreement} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadPredictions(f"{agreement} is no file that turkbench papers turkingbench agreement writes") from error
    if every != lines:
        raise BadRecord(f"{agreement} was not made from {file}: make it with harness.agreement")
    return found


def original_table(lines: Sequence[TaskLine]) -> str:
    """The table that the original code prints: a line a task, and their mean."""
    kinds = sorted({kind for line in lines for kind in line.kinds})
    table = [["task", "fields", "pages", "all", *kinds, "over pages"]]
    for line in lines:
        numbers = [percent(line.pooled), *(percent(line.kinds.get(kind)) for kind in kinds)]
        counts = [f"{line.fields:,}", f"{line.instances:,}"]
        table.append([line.task or "mean of the lines", *counts, *numbers, percent(line.over_instances)])
    return aligned(table)


def beside(found: Recorded) -> list[tuple[TaskLine, TaskLine]]:
    """The lines of the table, recorded and through our browser, over the fields that have both scores."""
    both = [(field, field.recorded, field.played) for field in found.fields if field.played is not None]
    fields = [field for field, _, _ in both]
    recorded = task_lines(fields, [score for _, score, _ in both])
    played = task_lines(fields, [score for _, _, score in both if score is not None])
    return list(zip(recorded, played, strict=True))


def beside_table(found: Recorded, lines: Sequence[tuple[TaskLine, TaskLine]]) -> str:
    """The lines of ``beside``, with how many fields have another score."""
    differing: dict[str, int] = {}
    for field in found.fields:
        if field.played is not None and abs(field.played - field.recorded) > 1e-9:
            differing[field.task] = differing.get(field.task, 0) + 1
    table = [["through our browser", "fields", "other score", "recorded", "ours", "difference"]]
    for recorded, played in lines:
        count = differing.get(played.task, 0) if played.task else sum(differing.values())
        values = [percent(recorded.pooled), percent(played.pooled), worth(_gap(recorded, played))]
        table.append([played.task or "mean of the lines", f"{played.fields:,}", f"{count:,}", *values])
    left = sum(field.played is None for field in found.fields)
    return aligned(table) + (f"\n{counted(left, 'scored field was', 'scored fields were')} not played." if left else "")


def _gap(recorded: TaskLine, played: TaskLine) -> float | None:
    return None if recorded.pooled is None or played.pooled is None else played.pooled - recorded.pooled
