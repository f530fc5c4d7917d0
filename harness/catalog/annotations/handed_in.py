"""What people handed in as a table in the columns of Amazon Mechanical Turk and of Turkle.

The columns are those of Turkle (github.com/hltcoe/turkle), which are AMT's that have a meaning outside of AMT, spelled
and ordered as there, and nine of our own behind them. Who reads AMT's files reads these.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.catalog.task import ANSWER
from harness.catalog.template.wrapping import IDS

INPUT = "Input."
WORKER, USER = "WorkerId", "Turkle.Username"
SECONDS, TASK, INDEX, HELPED = "WorkTimeInSeconds", "Turkbench.Task", "Turkbench.Index", "Turkbench.Helped"
BATCH, OTHERS = "Turkbench.Batch", "Turkbench.Others"
CORRECTIONS, APPROVED = "Turkbench.Corrections", "Turkbench.Approved"
GOLD, ADJUDICATED = "Turkbench.Gold", "Turkbench.Adjudicated"
SEPARATOR = "|"
"""Between the values of one field, as labels are written (docs/reference/task-folder.md)."""
_TIME = "%a %b %d %H:%M:%S %Z %Y"
_FIRST = (
    "HITId",
    "HITTypeId",
    "Title",
    "CreationTime",
    "MaxAssignments",
    "AssignmentDurationInSeconds",
    "AssignmentId",
    WORKER,
    "AcceptTime",
    "SubmitTime",
    SECONDS,
)
_LAST = (USER, BATCH, TASK, INDEX, OTHERS, HELPED, CORRECTIONS, APPROVED, GOLD, ADJUDICATED)
HELP = {True: "yes", False: "no", None: ""}
"""Whether help was given -> what the column says; empty where it was not drawn."""


@dataclass(frozen=True)
class HandedIn:
    """One assignment that a worker has submitted, or the answer to an instance that staff decided on.

    Attributes:
        id: What tells it from others.
        instance_id: The instance's id, a hash of its inputs.
        index: The instance's place in its table.
        inputs: Template variable -> value.
        answers: Field -> the values that its form sent, in its order; those of AMT's own fields do not count.
        worker_id: What tells the worker from others.
        worker: The name by which the worker logs in.
        accepted: When it was taken.
        submitted: When it was handed in.
        seconds: How long was worked on it; None if that is not known: then the time between the two.
        helped: Whether a model's answers were shown; None if that was not drawn.
        others: How many names it sent besides, which are no fields of its page; their values are not in ``answers``.
        corrections: How often the worker has replaced the answers by others; these are the last.
        approved: When staff approved it; None unless they did.
        gold: How it was given as a gold question, ``secret`` or ``feedback``; empty if it was none.
        adjudicated: When it was decided that this answer counts; ``worker`` is who decided then, and nobody worked on
            it. None for an assignment.
    """

    id: str
    instance_id: str
    index: int
    inputs: Mapping[str, str]
    answers: Mapping[str, Sequence[str]]
    worker_id: str
    worker: str
    accepted: datetime.datetime
    submitted: datetime.datetime
    seconds: float | None = None
    helped: bool | None = None
    others: int = 0
    corrections: int = 0
    approved: datetime.datetime | None = None
    gold: str = ""
    adjudicated: datetime.datetime | None = None

    @property
    def worked_seconds(self) -> float | None:
        """How long was worked on it; None where nobody did."""
        if self.adjudicated is not None:
            return None
        return (self.submitted - self.accepted).total_seconds() if self.seconds is None else self.seconds


@dataclass(frozen=True)
class PublishedBatch:
    """What was handed in of a batch, and what all its assignments have in common.

    Attributes:
        project_id: What tells its project from others.
        title: What workers saw in the list.
        name: The batch's own name.
        task: The name of the task folder.
        created: When it was made.
        assignments: How many are wanted of each instance.
        seconds: How long a worker may keep one.
        variables: Those of the task's template, in the order of their columns.
        handed_in: The assignments, in the order of their rows.
    """

    project_id: str
    title: str
    name: str
    task: str
    created: datetime.datetime
    assignments: int
    seconds: int
    variables: Sequence[str]
    handed_in: Sequence[HandedIn]


def results_csv(batches: Sequence[PublishedBatch]) -> str:
    """The results of batches as the text of a CSV file, one row an assignment, and one an answer decided on.

    Answers are data and stand as they were given, those that begin like a formula of a spreadsheet, too.

    Args:
        batches: Batches, in the order of their rows; a column that not all of them have is empty for the others.
    """
    answered = {field for batch in batches for each in batch.handed_in for field in each.answers}
    fields = sorted(answered - set(IDS))
    inputs = list(dict.fromkeys(name for batch in batches for name in batch.variables))
    header = [*_FIRST, *(INPUT + name for name in inputs), *(ANSWER + field for field in fields), *_LAST]
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(header)
    for batch in batches:
        for each in batch.handed_in:
            first, last = _cells(batch, each)
            given = (each.inputs.get(name, "") for name in inputs)
            sent = (SEPARATOR.join(each.answers.get(field, ())) for field in fields)
            table.writerow([*first, *given, *sent, *last])
    return out.getvalue()


def _cells(batch: PublishedBatch, each: HandedIn) -> tuple[Sequence[object], Sequence[object]]:
    """The cells of ``_FIRST`` and of ``_LAST``."""
    seconds = "" if each.worked_seconds is None else f"{each.worked_seconds:.0f}"
    first = (
        each.instance_id,
        batch.project_id,
        batch.title,
        _time(batch.created),
        batch.assignments,
        batch.seconds,
        each.id,
        each.worker_id,
        _time(each.accepted),
        _time(each.submitted),
        seconds,
    )
    last = (
        each.worker,
        batch.name,
        batch.task,
        each.index,
        each.others,
        HELP[each.helped],
        each.corrections,
        "" if each.approved is None else _time(each.approved),
        each.gold,
        "" if each.adjudicated is None else _time(each.adjudicated),
    )
    return first, last


def _time(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).strftime(_TIME)
