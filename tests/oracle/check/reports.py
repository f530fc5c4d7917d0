"""Reports made in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.records.config import RunConfig
from harness.records.provenance import Provenance, WorkingCopy
from oracle.check.finding import Finding, Verdict
from oracle.check.mistakes.mistake import Mistake
from oracle.check.validity_report import About, TaskReport, ValidityReport
from tests.samples import missed_outside

ABOUT = About(
    config=RunConfig("oracle", Path("tasks"), max_instances=50),
    provenance=Provenance(WorkingCopy("abc", ()), "", "", "Chrome/1", {}),
    started="2026-01-01T00:00:00+00:00",
    ended="2026-01-01T00:01:00+00:00",
    status="complete",
    task_set="",
    comparability_id="0123456789",
    problems=(),
    outside=missed_outside(),
    left_out={"tasks without a table of labels": 2},
    taken_over=0,
)


def finding(field: str = "a", category: str = "unreached", **values: Any) -> Finding:
    given: dict[str, Any] = {
        "kind": "radio",
        "labels": ("yes",),
        "options": ("yes", "no"),
        "sent": (),
        "reason": "nobody knows",
    }
    return Finding(field=field, category=category, **{**given, **values})  # type: ignore[arg-type]


def mistake(**values: Any) -> Mistake:
    given: dict[str, Any] = {"task": "T", "kind": "no option", "what": "wrong", "remedy": "Mend it", "field": "a"}
    return Mistake(**{**given, **values})


def verdict(*findings: Finding, fields: int = 2, key: str = "k", **unscored: int) -> Verdict:
    return Verdict("0" * 12, (1, 2), fields, unscored, findings, key)


def report(*verdicts: Verdict, split: str = "test", name: str = "T", **values: Any) -> ValidityReport:
    return ValidityReport(ABOUT, {name: TaskReport(split, instances=dict(enumerate(verdicts)), **values)})
