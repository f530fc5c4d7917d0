"""How far the imagined workers agree, held against how far real ones do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from harness.analysis.people.ballots import Ballots
from harness.analysis.people.label_agreement import Agreement, agreement_of, pooled
from harness.browser.form.fields import Field
from harness.datasets.controls import declared_fields
from harness.records.episode import FieldRecord
from tasks._generator.model import Batch

PUBLISHED: Mapping[str, tuple[float, float]] = {
    "checkbox": (-0.05, 0.68),
    "radio": (0.06, 0.49),
    "range": (0.16, 0.52),
    "select": (0.08, 0.80),
    "text": (0.0, 0.95),
    "textarea": (0.0, 0.34),
}
"""Kind of field -> Krippendorff's alpha at the 10th and the 90th of 100 published tasks.

Source: the public data of TurkingBench (JHU-CLSP/turking-bench at commit f1a3854), 131 task folders. Of every task the
fields that its template declares, on up to 60 instances with two workers or more; pooled over the task's fields of a
kind, where 20 questions or more were answered twice: 16 tasks with checkboxes, 59 with radio buttons, 4 with sliders,
6 with lists, 16 with lines of text, 6 with longer texts. Measured by ``harness.analysis.people.label_agreement``.
"""


def agreements(made: Sequence[Batch], tasks: Path) -> dict[str, Agreement]:
    """Measure the agreement on all fields of each kind.

    Args:
        made: what was made for each task.
        tasks: the folder of all tasks, whose templates say of which kind a field is.
    """
    found: dict[str, list[Agreement]] = defaultdict(list)
    for batch in made:
        for kind, agreement in of_task(batch, tasks):
            found[kind].append(agreement)
    return {kind: pooled(each) for kind, each in sorted(found.items())}


def of_task(batch: Batch, tasks: Path) -> list[tuple[str, Agreement]]:
    """Measure the agreement on each field of a task: its kind, and the numbers."""
    template = (tasks / batch.name / "template.html").read_text(encoding="utf-8")
    fields = {field.name: field for field in declared_fields(template)}
    ballots = Ballots()
    for index, made in enumerate(batch.made):
        records = [
            _record(fields[name], [worker[name] for worker in made.answers])
            for name in made.answers[0]
            if name in fields and any(worker[name] for worker in made.answers)
        ]
        ballots.add(batch.name, index, records, range(len(made.answers)))
    return [(column.kind, agreement_of(column)) for _, column in ballots]


def _record(field: Field, labels: list[str]) -> FieldRecord:
    options = tuple(option.value for option in field.options)
    # All that a ballot reads of a record.
    return cast("FieldRecord", SimpleNamespace(name=field.name, kind=field.kind, options=options, labels=tuple(labels)))


def out_of_range(made: Sequence[Batch], tasks: Path) -> list[str]:
    """Say in words which kinds of field have an agreement that is not one of published data."""
    found = []
    for kind, agreement in agreements(made, tasks).items():
        if kind not in PUBLISHED or agreement.alpha is None:
            continue
        low, high = PUBLISHED[kind]
        if not low <= agreement.alpha <= high:
            found.append(f"alpha of {kind} is {agreement.alpha:.2f}; in published data it is {low} to {high}")
    return found
