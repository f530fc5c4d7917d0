"""Verdicts of a judge on one agent as Online-Mind2Web's repository publishes them, beside people's labels.

A file holds a JSON object a line, with ``task_id``, ``predicted_label`` (1 for success, 0 for failure), and what was
judged (``action_history``); what else stands there, such as the replies, is passed over. The public code writes 0 also
where it could not read a reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import MOST, read_inside
from harness.kit.text import shorten
from harness.scoring.judges.human_labels import AgentLabels
from harness.scoring.judges.judged_pairs import JudgedPair


class MalformedAutoResults(UserError):
    """A file holds no such verdicts, or of tasks that nobody labelled; the message says which, where, and why."""


@dataclass(frozen=True, kw_only=True)
class AutoResult:
    """One verdict.

    Attributes:
        task_id: The task.
        predicted_label: 1 for success, 0 for failure; anything else, or null, is no verdict.
        action_history: What was judged; None if the file does not say.
    """

    task_id: str
    predicted_label: int | None
    action_history: tuple[Any, ...] | None = None

    @property
    def verdict(self) -> bool | None:
        """Whether it says success; None if it says neither."""
        return bool(self.predicted_label) if self.predicted_label in (0, 1) else None


def read_auto_results(file: Path) -> Mapping[str, AutoResult]:
    """The verdicts in a file, by task.

    Raises:
        MalformedAutoResults: it cannot be read, or a line is no such verdict, or the second on its task.
    """
    try:
        lines = read_inside(file.parent, file.name, MOST).splitlines()
    except OSError as error:
        raise MalformedAutoResults(f"{file} cannot be read: {error.strerror or error}") from error
    found: dict[str, AutoResult] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            result = decode(line, AutoResult)
        except Malformed as error:
            raise MalformedAutoResults(f"{file}, line {number} is no verdict: {shorten(str(error), 200)}") from error
        if result.task_id in found:
            raise MalformedAutoResults(f"{file}, line {number}: {result.task_id!r} is there twice")
        found[result.task_id] = result
    if not found:
        raise MalformedAutoResults(f"{file} holds no verdict")
    return found


def pairs_with_people(labels: AgentLabels, results: Mapping[str, AutoResult], file: Path) -> tuple[JudgedPair, ...]:
    """A judge's verdicts on an agent beside people's; what people could not execute, or did not label, is left out.

    Args:
        labels: People's.
        results: The judge's, by task.
        file: Where these are from.

    Raises:
        MalformedAutoResults: none of them is on a task that people labelled.
    """
    pairs = tuple(
        JudgedPair(
            task=task,
            agent=labels.agent,
            truth=label == "success",
            verdict=result.verdict,
            steps=None if result.action_history is None else len(result.action_history),
        )
        for task, result in results.items()
        if (label := labels.labels.get(task)) in ("success", "failure")
    )
    if not pairs:
        raise MalformedAutoResults(f"{file} has no verdict on a task on which people labelled {labels.agent!r}")
    return pairs
