"""The line of a program's standard output in which it reports its own tokens, cost and steps."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NoReturn

from harness.files.codec import Malformed, typed
from harness.models.keys import redact
from harness.runlog.agent_report import AgentReport
from harness.text.shortening import shorten

KEY = "agent_report"
"""The one key of the line's JSON object."""
_MOST_CHARACTERS = 4_000


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
                return AgentReport(), f"the agent's report does not count: it is no JSON: {shorten(line.strip(), 100)}"
            continue
        if isinstance(said, dict) and set(said) == {KEY}:
            return _typed(said[KEY])
    return AgentReport(), ""


def _typed(said: object) -> tuple[AgentReport, str]:
    known = AgentReport.__dataclass_fields__
    if isinstance(said, dict) and (strange := [name for name in said if name not in known]):
        return AgentReport(), f"the agent's report does not count: it has no {strange[0]!r}, but {', '.join(known)}"
    try:
        report = typed(said, AgentReport)
    except Malformed as error:
        return AgentReport(), f"the agent's report does not count: {error}"
    return replace(report, model=" ".join(redact(report.model or "").split()) or None), ""


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
