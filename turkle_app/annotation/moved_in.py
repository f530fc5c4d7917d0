"""Moving in from Turkle: its accounts, projects, batches and answers become ours, all of it or nothing."""

from __future__ import annotations

import csv
import io
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction

from harness.catalog import Task
from harness.kit.text import counted
from turkle_app.annotation.anonymous import make_anonymous_worker
from turkle_app.annotation.instances import task_fingerprint
from turkle_app.annotation.models import (
    LEAST_SECONDS,
    MOST_ASSIGNMENTS,
    MOST_SECONDS,
    Assignment,
    Batch,
    BatchState,
    Project,
    ProjectTemplate,
    State,
)
from turkle_app.annotation.turkle_export import Offered, TurkleBatch, TurkleExport, TurkleProject, TurkleUser
from turkle_app.annotation.uploads import UnusableUpload, add_at_once, free_name

_OF_GUARDIAN = "AnonymousUser"
"""An account that Turkle makes for itself, and nobody's."""
_LONGEST = 200
_HOUR = 3600
_FIRST_ROW = 2
"""The number of the first row below the header, as a table counts."""


@dataclass
class MovedIn:
    """What has moved.

    Attributes:
        opened: How many accounts were opened.
        known: Names of accounts that were here before; they are taken for the same people, and stay as they were.
        projects: How many projects were made.
        batches: How many batches were made.
        answers: How many completed assignments came with them.
        notes: What did not move, or not as it was, a sentence each.
    """

    opened: int = 0
    known: list[str] = field(default_factory=list)
    projects: int = 0
    batches: int = 0
    answers: int = 0
    notes: list[str] = field(default_factory=list)


def move_in(export: TurkleExport) -> MovedIn:
    """Make accounts, projects and batches here of what a server of Turkle holds.

    Args:
        export: What it holds. For each batch, a folder is added to the served tasks.

    Raises:
        harness.datasets.uploaded_task.NoNewTask: If a folder of the same name was added meanwhile.
        OSError: If the folder cannot be written. Nothing has moved then.
    """
    added: list[Path] = []
    try:
        with transaction.atomic():
            return _Move(export, added).done()
    except BaseException:
        for folder in added:
            shutil.rmtree(folder, ignore_errors=True)
        raise


class _Move:
    """One move, within a transaction."""

    def __init__(self, export: TurkleExport, added: list[Path]) -> None:
        self._export, self._added = export, added
        self._moved = MovedIn()
        self._users: dict[int, User] = {}

    def done(self) -> MovedIn:
        """Do it, in the order in which one thing needs the other."""
        groups = {number: Group.objects.get_or_create(name=name)[0] for number, name in self._export.groups.items()}
        for user in self._export.users:
            if user.username != _OF_GUARDIAN:
                self._users[user.id] = self._account(user, [groups[each] for each in user.groups])
        for project in self._export.projects:
            batches = [batch for batch in self._export.batches if batch.project == project.id]
            self._project(project, batches, groups)
        return self._moved

    def _account(self, user: TurkleUser, groups: Sequence[Group]) -> User:
        there = User.objects.filter(username=user.username).first()
        if there is not None:
            self._moved.known.append(user.username)
            there.groups.add(*groups)
            return there
        names = ("username", "password", "email", "first_name", "last_name", "is_active", "is_staff")
        made = User.objects.create(**{name: getattr(user, name) for name in names})
        made.groups.set(groups)
        self._moved.opened += 1
        return made

    def _project(self, project: TurkleProject, batches: Sequence[TurkleBatch], groups: dict[int, Group]) -> None:
        made = Project.objects.create(
            title=project.name[:_LONGEST],
            everybody=project.offered.to_all,
            anonymous=not project.login_required,
            created_by=self._users.get(project.created_by or 0),
        )
        ProjectTemplate.objects.create(project=made, html=project.template)
        Project.objects.filter(pk=made.pk).update(created=project.created)  # which creating sets to now
        made.groups.set(self._published_to(project.name, project.offered, groups))
        self._moved.projects += 1
        for batch in sorted(batches, key=lambda batch: batch.id):
            if batch.offered != project.offered:
                self._note(project, batch, "is offered to the project's groups, and not to its own")
            self._batch(project, made, batch)

    def _published_to(self, name: str, offered: Offered, groups: dict[int, Group]) -> list[Group]:
        if offered.to_all:
            return []
        found = [groups[number] for number in offered.groups]
        if offered.users:  # ours are offered to groups alone
            own, _ = Group.objects.get_or_create(name=f"Turkle: {name}"[:150])
            own.user_set.add(*(self._users[number] for number in offered.users if number in self._users))
            found.append(own)
        return found

    def _batch(self, project: TurkleProject, ours: Project, batch: TurkleBatch) -> None:
        task = self._task(project, batch)
        if task is None:
            return
        made = Batch.objects.create(
            project=ours,
            name=free_name(batch.name[:_LONGEST] or "Batch", ours.batches.values_list("name", flat=True), _LONGEST),
            task=task.name,
            state=_state(project, batch),
            assignments_per_instance=min(max(batch.assignments, 1), MOST_ASSIGNMENTS),
            expiry_seconds=min(max(batch.hours * _HOUR, LEAST_SECONDS), MOST_SECONDS),
            fingerprint=task_fingerprint(task.name),
            published_at=batch.created if batch.published else None,
            created_by=self._users.get(batch.created_by or 0),
        )
        Batch.objects.filter(pk=made.pk).update(created=batch.created)
        self._moved.batches += 1
        if batch.unfinished:
            self._note(project, batch, f"leaves {counted(batch.unfinished, 'assignment')} behind that nobody completed")
        self._answers(project, batch, made, task)

    def _task(self, project: TurkleProject, batch: TurkleBatch) -> Task | None:
        """Add the folder of a batch's task; None if Turkle's template and rows make no task here."""
        if not batch.tasks:
            self._note(project, batch, "is left out: it has no tasks")
            return None
        try:
            task = add_at_once(f"{project.name} - {batch.name}", project.template.encode(), _table(batch))
        except UnusableUpload as error:
            answers = f", with {counted(len(batch.answers), 'answer')}" if batch.answers else ""
            self._note(project, batch, f"is left out{answers}: {str(error).rstrip('.')}")
            return None
        self._added.append(settings.TURKLE_TASKS_DIR / task.name)
        return task

    def _answers(self, project: TurkleProject, batch: TurkleBatch, made: Batch, task: Task) -> None:
        """Keep what was answered; of two equal tasks, which are one instance here, the first answer of a worker."""
        by_row = {row: instance for instance in task.pages for row in instance.rows}
        instances = {number: by_row.get(row) for row, number in enumerate(batch.tasks, _FIRST_ROW)}
        nobody = make_anonymous_worker() if any(answer.worker is None for answer in batch.answers) else None
        rows, seen, left = [], set(), Counter[str]()
        for answer in sorted(batch.answers, key=lambda answer: answer.submitted):
            instance = instances.get(answer.task)
            worker = nobody if answer.worker is None else self._users.get(answer.worker)
            if instance is None or worker is None:
                left["of rows or accounts that are not here"] += 1
                continue
            if (instance.id, worker.pk) in seen:
                left["by people who had answered an equal row before"] += 1
                continue
            seen.add((instance.id, worker.pk))
            rows.append(
                Assignment(
                    batch=made,
                    worker=worker,
                    index=instance.index,
                    instance_id=instance.id,
                    state=State.SUBMITTED,
                    claimed_at=answer.accepted,
                    expires_at=answer.submitted,
                    submitted_at=answer.submitted,
                    seconds=(answer.submitted - answer.accepted).total_seconds(),
                    answers={name: list(values) for name, values in answer.answers.items()},
                )
            )
        Assignment.objects.bulk_create(rows)
        self._moved.answers += len(rows)
        for why, count in left.items():
            self._note(project, batch, f"leaves {counted(count, 'answer')} behind {why}")
        if nobody is not None:
            self._note(project, batch, "has answers without an account; they count as one worker, of unknown number")

    def _note(self, project: TurkleProject, batch: TurkleBatch, what: str) -> None:
        self._moved.notes.append(f"Batch {batch.id}, “{project.name}”, “{batch.name}”, {what}.")


def _state(project: TurkleProject, batch: TurkleBatch) -> BatchState:
    if not batch.published:
        return BatchState.DRAFT
    return BatchState.PUBLISHED if batch.active and project.active else BatchState.PAUSED


def _table(batch: TurkleBatch) -> bytes:
    """The rows of a batch as CSV, in the order of its tasks."""
    columns = list(dict.fromkeys(name for inputs in batch.tasks.values() for name in inputs))
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows([inputs.get(name, "") for name in columns] for inputs in batch.tasks.values())
    return text.getvalue().encode()
