"""People's verdicts on agents in Online-Mind2Web's ``human_label.json``, and the success rates that they make.

The file holds, by task and agent, ``0`` for failure, ``1`` for success and ``2`` for what could not be executed. The
paper's rates (Table 2) are over all tasks: what could not be executed is no success.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import MOST, read_inside
from harness.kit.statistics.clustered import mean_of_items
from harness.kit.statistics.estimate import Estimate

HumanLabel: TypeAlias = Literal["failure", "success", "not executed"]
_LABELS: Mapping[str, HumanLabel] = {"0": "failure", "1": "success", "2": "not executed"}
_SUFFIX = "_human_label"


class MalformedHumanLabels(UserError):
    """A file holds no such labels; the message says which, and where."""


@dataclass(frozen=True)
class AgentLabels:
    """What people say of one agent.

    Attributes:
        agent: Its name, as the file has it.
        labels: Task id -> label.
        unlabelled: How many tasks of the file have none for it.
    """

    agent: str
    labels: Mapping[str, HumanLabel]
    unlabelled: int

    def count(self, label: HumanLabel) -> int:
        """How many tasks have a label."""
        return sum(each == label for each in self.labels.values())

    def over_all(self) -> Estimate:
        """The success rate over all labelled tasks, as Table 2 has it: what could not be executed is none."""
        return self._rate({"failure", "success", "not executed"})

    def over_executed(self) -> Estimate:
        """The success rate over the tasks that could be executed."""
        return self._rate({"failure", "success"})

    def _rate(self, counted: set[HumanLabel]) -> Estimate:
        known = [float(label == "success") for label in self.labels.values() if label in counted]
        return mean_of_items(known, np.ones(len(known)), np.arange(len(known)))


def read_human_labels(file: Path) -> tuple[AgentLabels, ...]:
    """The labels of each agent, in the order in which the file names them.

    Raises:
        MalformedHumanLabels: it cannot be read, or holds something else.
    """
    try:
        tasks = decode(read_inside(file.parent, file.name, MOST), list[dict[str, Any]])
    except OSError as error:
        raise MalformedHumanLabels(f"{file} cannot be read: {error.strerror or error}") from error
    except Malformed as error:
        raise MalformedHumanLabels(f"{file} holds no labels: {error}") from error
    agents: dict[str, dict[str, HumanLabel]] = {}
    seen: set[str] = set()
    for number, task in enumerate(tasks, start=1):
        where = f"{file}, task {number}"
        task_id = task.get("task_id")
        if not isinstance(task_id, str) or not task_id:
            raise MalformedHumanLabels(f"{where}: it has no task_id")
        if task_id in seen:
            raise MalformedHumanLabels(f"{where}: {task_id!r} is there twice")
        seen.add(task_id)
        for agent, label in _labels_of(task, where):
            agents.setdefault(agent, {}).update({task_id: label} if label else {})
    if not agents:
        raise MalformedHumanLabels(f"{file} holds no label: none of its tasks has a key that ends with {_SUFFIX}")
    return tuple(AgentLabels(agent, labels, len(seen) - len(labels)) for agent, labels in agents.items())


def _labels_of(task: Mapping[str, Any], where: str) -> Iterator[tuple[str, HumanLabel | None]]:
    """By agent its label; None where there is none."""
    for key, value in task.items():
        if not key.endswith(_SUFFIX) or key == _SUFFIX:
            continue
        is_known = value is None or (
            isinstance(value, str | int) and not isinstance(value, bool) and str(value) in _LABELS
        )
        if not is_known:
            raise MalformedHumanLabels(f"{where}: {key} is {str(value)[:40]!r}, and known are {', '.join(_LABELS)}")
        yield key.removesuffix(_SUFFIX), None if value is None else _LABELS[str(value)]
