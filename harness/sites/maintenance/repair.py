"""Accepted repairs, written into the files of tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from harness.catalog.task import FACTS
from harness.catalog.trace import TRACE
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import write_bytes
from harness.sites.maintenance.records import FileEdit, MaintenanceReport, ReplayedTrace, TraceFinding

_INDENT = re.compile(rb"^\s*[{\[]\s*\n([ \t]+)")
_USUAL_INDENT = "  "


class NotRepaired(UserError):
    """A repair cannot be made; the message says which, and why."""


def repairable(report: MaintenanceReport) -> list[tuple[ReplayedTrace, TraceFinding]]:
    """What of a report has a repair, each once, in the order in which it was found."""
    found: dict[str, tuple[ReplayedTrace, TraceFinding]] = {}
    for trace in report.traces:
        for finding in trace.findings:
            if finding.proposal and finding.proposal.edits:
                found.setdefault(finding.id, (trace, finding))
    return list(found.values())


def check_known(report: MaintenanceReport, accepted: Collection[str]) -> None:
    """Make sure that all that is accepted was found.

    Raises:
        NotRepaired: there is no repair of that name.
    """
    known = {finding.id for _, finding in repairable(report)}
    if strange := sorted(set(accepted) - known):
        there = ", ".join(sorted(known)) or "none"
        raise NotRepaired(f"there is no repair {strange[0]!r}: those that were found are {there}")


def apply(
    tasks_dir: Path, report: MaintenanceReport, accepted: Collection[str], variant: str | None
) -> dict[str, tuple[str, ...]]:
    """Write the accepted repairs into the files of their tasks.

    Args:
        tasks_dir: The folder of the tasks.
        report: With the repairs.
        accepted: The names of those that are made.
        variant: The layout on which they were found, which the tasks are of from then on; None for that of each task.

    Returns:
        By task the names of what was repaired.

    Raises:
        NotRepaired: a file has changed meanwhile, or cannot be written.
    """
    by_task: dict[str, list[TraceFinding]] = {}
    for trace, finding in repairable(report):
        if finding.id in accepted:
            by_task.setdefault(trace.task, []).append(finding)
    bundled = {trace.task for trace in report.traces if trace.site}
    for task, findings in by_task.items():
        edits = [edit for finding in findings if finding.proposal for edit in finding.proposal.edits]
        if variant is not None and task in bundled:
            edits.append(FileEdit(file="task.json", at=("variant",), value=variant))
            edits.append(FileEdit(file="trace.json", at=("variant",), value=variant))
        for name in (TRACE, FACTS):
            wanted = [edit for edit in edits if edit.file == name]
            if wanted:
                _rewrite(tasks_dir / task, name, wanted)
    return {task: tuple(finding.id for finding in findings) for task, findings in by_task.items()}


def _rewrite(folder: Path, name: str, edits: Sequence[FileEdit]) -> None:
    file = folder / name
    try:
        before = read_inside(folder, name)
        data = json.loads(before)
        for edit in _in_order(edits):
            _edit(data, edit)
        write_bytes(file, formatted_as(before, data))
    except (LookupError, TypeError, ValueError) as error:
        raise NotRepaired(f"{file}: it has changed since the replay ({error}): replay it again") from error
    except OSError as error:
        raise NotRepaired(f"{file}: it is not repaired: {error.strerror or error}") from error


def _in_order(edits: Sequence[FileEdit]) -> Iterable[FileEdit]:
    """Insertions last, and from the end on, so that every place means what it did when it was found."""
    yield from (edit for edit in edits if not edit.insert)
    yield from sorted((edit for edit in edits if edit.insert), key=lambda edit: int(edit.at[-1]), reverse=True)


def _edit(data: Any, edit: FileEdit) -> None:
    *way, last = edit.at
    for key in way:
        data = data[key]
    if edit.insert:
        data.insert(last, edit.value)
    elif isinstance(data, list) and not 0 <= int(last) < len(data):
        raise IndexError(f"there is no {last} in {'.'.join(map(str, way))}")
    else:
        data[last] = edit.value


def formatted_as(before: bytes, data: Any) -> bytes:
    """JSON with the indentation, and the end, that a file had before."""
    found = _INDENT.match(before)
    indent = found[1].decode() if found else _USUAL_INDENT if b"\n" in before.strip() else None
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    # A lone surrogate, which UTF-8 cannot hold, becomes what JSON writes for it.
    return text.encode("utf-8", "backslashreplace") + (b"\n" if before.endswith(b"\n") else b"")
