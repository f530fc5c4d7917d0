"""What a task's table costs: once a task to read and judge it, and for each instance to find its answers and floors."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.setting import Setting
from harness.browser.form.fields import Field
from harness.catalog import Catalog, Instance
from harness.datasets.controls import declared_fields
from harness.kit.text import aligned
from harness.scoring.answers.baselines import ConstantAnswers
from harness.scoring.answers.columns import AnswerColumns, is_answered

_INSTANCES = 100
_FEWEST = 10
"""Below it "an instance" says little: some tasks put hundreds of workers into a single one."""
_GROUPS = 4


@dataclass(frozen=True)
class _Cost:
    """Of one task: its cells of labels, processor seconds to get ready for it, and seconds an instance."""

    cells: int
    ready: float
    instance: float


def measure(setting: Setting) -> str:
    """The figures as a table: tasks in groups from small tables to large ones."""
    catalog = Catalog(setting.tasks_dir)
    costs = sorted(
        (cost for name in catalog.names() if (cost := _cost(catalog, name))),
        key=lambda cost: cost.cells,
    )
    rows = [["tables: cells of labels", "tasks", "ms once a task", "at most", "ms an instance", "at most"]]
    for group in range(_GROUPS):
        part = costs[len(costs) * group // _GROUPS : len(costs) * (group + 1) // _GROUPS]
        ready, instance = [1000 * each.ready for each in part], [1000 * each.instance for each in part]
        rows.append(
            [
                f"{part[0].cells} to {part[-1].cells}",
                str(len(part)),
                f"{statistics.median(ready):.0f}",
                f"{max(ready):.0f}",
                f"{statistics.median(instance):.2f}",
                f"{max(instance):.2f}",
            ]
        )
    return aligned(rows)


def _cost(catalog: Catalog, name: str) -> _Cost | None:
    start = time.process_time()
    task = catalog.task(name)
    columns = AnswerColumns(task)
    constants = ConstantAnswers(columns)
    fields = declared_fields(task.template)
    instances = [instance for instance in task.instances if is_answered(instance)][:_INSTANCES]
    if len(instances) < _FEWEST:
        return None
    # What is counted once for a task is counted when an instance first needs it: in the first of two equal rounds.
    _round(columns, constants, instances, fields)
    between = time.process_time()
    _round(columns, constants, instances, fields)
    again = time.process_time() - between
    cells = len(task.columns) * sum(len(instance.rows) for instance in task.instances)
    return _Cost(cells, between - start - again, again / len(instances))


def _round(
    columns: AnswerColumns, constants: ConstantAnswers, instances: Sequence[Instance], fields: Sequence[Field]
) -> None:
    for instance in instances:
        for answer in columns.answers(instance, fields):
            if answer.scored:
                constants.answer(instance, answer)
