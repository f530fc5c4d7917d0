"""The results of a project: what was submitted, from the database into the columns of AMT and Turkle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.catalog import Instance, MalformedTask, Task
from harness.catalog.annotations.handed_in import HandedIn, PublishedProject, results_csv
from harness.catalog.template import render
from harness.catalog.template.wrapping import IDS
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import Assignment, Project, State
from turkle_app.annotation.page_names import PageNames
from turkle_app.tasks import UnknownTask, find_task

_ENOUGH_WORKERS = 2
"""Who is not alone with a name has it from the page."""
_MOST_FIELDS = 2_000
"""Fields of one assignment that become columns: a script's names can have endless numbers in them."""


@dataclass(frozen=True)
class ProjectResults:
    """What was submitted to a project, and not rejected.

    Attributes:
        variables: The variables of its task's template, in the order of their columns.
        handed_in: The assignments, in the order in which they were claimed.
        strays: How many others there are, of instances that are no longer in the task's table.
    """

    project: PublishedProject
    variables: Sequence[str]
    handed_in: Sequence[HandedIn]
    strays: int

    @property
    def csv(self) -> str:
        """The text of the results file."""
        return results_csv(self.project, self.variables, self.handed_in)


def project_results(project: Project) -> ProjectResults:
    """Read what was submitted to a project.

    Raises:
        TaskGone: If the task is not in the served folder, or its files cannot be used.
    """
    try:
        task = find_task(project.task)
    except UnknownTask:
        raise TaskGone(project.task, "is no longer in the served folder. Put its folder back.") from None
    except MalformedTask as error:
        raise TaskGone(project.task, "cannot be used until its files are mended.") from error
    by_id = {instance.id: instance for instance in task.pages}
    rows = project.assignments.filter(state=State.SUBMITTED).select_related("worker").order_by("pk")
    here = [(row, by_id[row.instance_id]) for row in rows if row.instance_id in by_id]
    return ProjectResults(
        project=PublishedProject(
            id=str(project.pk),
            task=project.task,
            title=project.title,
            created=project.created,
            assignments=project.assignments_per_instance,
            seconds=project.expiry_seconds,
        ),
        variables=task.variables,
        handed_in=_all_handed_in(task, here),
        strays=len(rows) - len(here),
    )


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
    )
