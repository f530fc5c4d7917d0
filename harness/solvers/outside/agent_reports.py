"""What an agent from outside reports of its own tokens, cost and steps.

A program writes a line to its standard output; a client of MCP puts it into the ``_meta`` of a call of a tool.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NoReturn

from harness.episode.trajectory import Trajectory
from harness.kit.files.codec import Malformed, typed
from harness.kit.text import shorten
from harness.models.keys import redact
from harness.records.agent_report import AgentReport

KEY = "agent_report"
"""The one key of the line's JSON object, and the key in ``_meta``."""
ANSWER = "answer"
"""The one key of the line by which a program answers."""
_MOST_CHARACTERS = 4_000
_REFUSED = "the agent's report does not count: "


def read_report(output: str) -> tuple[AgentReport, str]:
    """What a program reports; of several such lines the last one counts.

    Args:
        output: Its standard output, of which anything may be missing.

    Returns:
        The report, and why one that was made does not count; empty if it does, or none was made.
    """
    for line in reversed(output.splitlines()):
        if KEY not in line or len(line) > _MOST_CHARACTERS:
            continue
        try:
            said = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError):
            if line.lstrip().startswith("{"):
                return AgentReport(), f"{_REFUSED}it is no JSON: {shorten(line.strip(), 100)}"
            continue
        if isinstance(said, dict) and set(said) == {KEY}:
            return check_report(said[KEY])
    return AgentReport(), ""


def check_report(said: object) -> tuple[AgentReport, str]:
    """Look a report over.

    Args:
        said: What JSON holds of it, whatever that is.

    Returns:
        As ``read_report``.
    """
    known = AgentReport.__dataclass_fields__
    if isinstance(said, dict) and (strange := [name for name in said if name not in known]):
        return AgentReport(), f"{_REFUSED}it has no {shorten(str(strange[0]), 60)!r}, but {', '.join(known)}"
    try:
        report = typed(said, AgentReport)
    except Malformed as error:
        return AgentReport(), f"{_REFUSED}{shorten(str(error), 200)}"
    return replace(report, model=" ".join(redact(report.model or "").split()) or None), ""


def read_answer(output: str) -> str | None:
    """What a program answers where a goal asks for it: a line ``{"answer": "17.50"}``, the last one that it wrote.

    Args:
        output: Its standard output, of which anything may be missing.

    Returns:
        The answer; None if it gave none.
    """
    for line in reversed(output.splitlines()):
        if ANSWER not in line or len(line) > _MOST_CHARACTERS:
            continue
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict) and set(said) == {ANSWER} and isinstance(said[ANSWER], str | int | float):
            return str(said[ANSWER])
    return None


class ReportHearer:
    """Takes down in an episode what a client of MCP reports; of several reports the last one counts."""

    def __init__(self, trajectory: Trajectory) -> None:
        """Of an agent that has reported nothing yet."""
        self._trajectory = trajectory
        trajectory.agent_report = AgentReport()

    def hear(self, said: object) -> None:
        """Take down a report, or in the turn's note why it does not count.

        Args:
            said: What stands under ``KEY`` in the ``_meta`` of the last turn's call.
        """
        self._trajectory.agent_report, refusal = check_report(said)
        if refusal:
            self._trajectory.add_to_note(refusal)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
