"""The results of batches: what was submitted, from the database into the columns of AMT and Turkle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from harness.catalog import Instance, Task
from harness.catalog.annotations.handed_in import HandedIn, PublishedBatch, results_csv
from harness.catalog.template import render
from harness.catalog.template.wrapping import IDS
from turkle_app.annotation.instance_answers import all_adjudicated
from turkle_app.annotation.instances import TaskGone, task_of
from turkle_app.annotation.models import Adjudication, Assignment, Batch, State
from turkle_app.annotation.page_names import PageNames

_ENOUGH_WORKERS = 2
"""Who is not alone with a name has it from the page."""
_MOST_FIELDS = 2_000
"""Fields of one assignment that become columns: a script's names can have endless numbers in them."""


@dataclass(frozen=True)
class Results:
    """What was submitted to batches, and not rejected, and what staff decided on.

    Attributes:
        batches: Each with its assignments, in the order in which they were claimed, and the answers that count.
        strays: How many others there are, of instances that are no longer in the table of their task.
    """

    batches: Sequence[PublishedBatch]
    strays: int

    @property
    def csv(self) -> str:
        """The text of the results file."""
        return results_csv(self.batches)

    @property
    def count(self) -> int:
        """How many assignments there are."""
        return sum(len(batch.handed_in) for batch in self.batches)


def results_of(batches: Iterable[Batch]) -> Results:
    """Read what was submitted to batches.

    Raises:
        TaskGone: If the task of one that has answers is not in the served folder, or its files cannot be used.
    """
    found = []
    for batch in batches:
        try:
            found.append(_batch_results(batch))
        except TaskGone:
            if batch.assignments.filter(state=State.SUBMITTED).exists():
                raise
    return Results([published for published, _ in found], sum(strays for _, strays in found))


def _batch_results(batch: Batch) -> tuple[PublishedBatch, int]:
    """What was submitted to a batch, and how many assignments are of no instance of it."""
    task = task_of(batch.task)
    by_id = {instance.id: instance for instance in task.pages}
    submitted = batch.assignments.filter(state=State.SUBMITTED).select_related("worker").order_by("pk")
    rows = submitted.annotate(corrections=Count("earlier"))
    decided = list(all_adjudicated(batch).values())
    here = [(row, by_id[row.instance_id]) for row in rows if row.instance_id in by_id]
    published = PublishedBatch(
        project_id=str(batch.project_id),
        title=batch.project.title,
        name=batch.name,
        task=batch.task,
        created=batch.created,
        assignments=batch.assignments_per_instance,
        seconds=batch.expiry_seconds,
        variables=task.variables,
        handed_in=[
            *_all_handed_in(task, here),
            *(_decided(each, by_id[each.instance_id]) for each in decided if each.instance_id in by_id),
        ],
    )
    gone = sum(each.instance_id not in by_id for each in decided)
    return published, len(rows) - len(here) + gone


def _all_handed_in(task: Task, rows: Sequence[tuple[Assignment, Instance]]) -> list[HandedIn]:
    """What was submitted, with what the pages can have sent as answers.

    A page's scripts, those from elsewhere among them, can add fields whose names stand nowhere in it: such a name is
    one of the page's once two workers have sent it.
    """
    workers: Counter[str] = Counter()
    for _, name in {(row.worker_id, name) for row, _ in rows for name in row.answers or {}}:
        workers[name] += 1
    pages: dict[str, PageNames] = {}
    found = []
    for row, instance in rows:
        if instance.id not in pages:
            pages[instance.id] = PageNames(render(task.template, instance.inputs, None))
        names = pages[instance.id]
        sent = row.answers or {}
        known = [
            name
            for name in sent
            if name in task.columns or name in IDS or name in names or workers[name] >= _ENOUGH_WORKERS
        ]
        answers = {name: sent[name] for name in known[:_MOST_FIELDS]}
        found.append(_handed_in(row, instance, answers, len(sent) - len(answers)))
    return found


def _handed_in(row: Assignment, instance: Instance, answers: Mapping[str, Sequence[str]], others: int) -> HandedIn:
    return HandedIn(
        id=str(row.pk),
        instance_id=instance.id,
        index=instance.index,
        inputs=instance.inputs,
        answers=answers,
        worker_id=str(row.worker_id),
        worker=row.worker.username,
        accepted=row.claimed_at,
        submitted=row.submitted_at or row.claimed_at,
        seconds=row.seconds,
        helped=row.helped,
        others=others,
        corrections=row.corrections,  # type: ignore[attr-defined] # counted by the query
        approved=row.approved_at,
        gold=row.gold,
    )


def _decided(decision: Adjudication, instance: Instance) -> HandedIn:
    """The answer that counts for an instance."""
    return HandedIn(
        id=f"adjudication-{decision.pk}",
        instance_id=instance.id,
        index=instance.index,
        inputs=instance.inputs,
        answers=decision.answers,
        worker_id=str(decision.by_id),
        worker=decision.by.username,
        accepted=decision.at,
        submitted=decision.at,
        adjudicated=decision.at,
    )
