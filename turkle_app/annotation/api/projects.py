"""The API's part about projects and batches: those that the owner of the token manages."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Status
from ninja.errors import HttpError

from harness.catalog.csv_table import CsvTable, UnreadableTable, read_table
from harness.catalog.task import ANSWER, TABLE, TEMPLATE
from harness.catalog.template.instantiation import variables
from harness.kit.files.writing import write_bytes
from turkle_app.annotation.api.records import (
    HOUR,
    Added,
    AskedPermissions,
    BatchRecord,
    ChangedBatch,
    ChangedProject,
    NewBatch,
    NewProject,
    NewTasks,
    Permissions,
    ProgressRecord,
    ProjectRecord,
)
from turkle_app.annotation.api.service import UNUSABLE, Number, Page, Problem, all_there, page_of
from turkle_app.annotation.batches import make_batch
from turkle_app.annotation.claims import change_state, free_expired
from turkle_app.annotation.instances import TaskGone, instance_ids, task_fingerprint
from turkle_app.annotation.models import (
    Batch,
    BatchState,
    Project,
    ProjectTemplate,
)
from turkle_app.annotation.people import makes_projects, managed_batches, managed_projects, person
from turkle_app.annotation.progress import batch_progress
from turkle_app.annotation.project_results import results_of
from turkle_app.annotation.uploads import UnusableUpload, add_at_once, checked, folder_refusal
from turkle_app.tasks import catalog

router = Router(tags=["projects"])
_REFUSALS = {frozenset({401, 403, 404, UNUSABLE, 429}): Problem}
_CSV = {200: {"description": "A CSV in UTF-8", "content": {"text/csv": {"schema": {"type": "string"}}}}}
_PROJECTS_A_PAGE = 20
"""Each has its template with it."""


@router.get("/projects/", response={200: Page[ProjectRecord], **_REFUSALS}, operation_id="list_projects")
def list_projects(request: HttpRequest, page: int = 1) -> Any:
    """List the projects."""
    rows = managed_projects(person(request)).order_by("pk")
    return page_of(request, rows, _project_record, _PROJECTS_A_PAGE)


@router.post("/projects/", response={201: ProjectRecord, **_REFUSALS}, operation_id="make_project")
def make_project(request: HttpRequest, asked: NewProject) -> Any:
    """Make a project, which has no batch yet. A requester's is theirs to manage."""
    owner = person(request)
    if not (owner.is_staff or makes_projects(owner)):
        raise HttpError(403, "You may manage projects, and not make one. Staff can change that.")
    _check_template(asked.html_template)
    groups = all_there(Group.objects.all(), asked.groups, "group")
    with transaction.atomic():
        made = Project.objects.create(
            title=asked.name,
            everybody=not asked.custom_permissions,
            anonymous=not asked.login_required,
            created_by=owner,
        )
        made.groups.set(groups)
        if not owner.is_staff:
            made.requesters.add(owner)
        ProjectTemplate.objects.create(project=made, html=asked.html_template)
    return Status(201, _project_record(made))


@router.get("/projects/{number}/", response={200: ProjectRecord, **_REFUSALS}, operation_id="project")
def project(request: HttpRequest, number: Number) -> Any:
    """Return a project."""
    return _project_record(_project(request, number))


@router.patch("/projects/{number}/", response={200: ProjectRecord, **_REFUSALS}, operation_id="change_project")
def change_project(request: HttpRequest, number: Number, asked: ChangedProject) -> Any:
    """Change what is named of a project."""
    found = _project(request, number)
    if asked.requesters is not None and not person(request).is_staff:
        raise HttpError(403, "Who manages a project is for staff to say.")
    if asked.html_template is not None:
        _check_template(asked.html_template)
    groups = None if asked.groups is None else all_there(Group.objects.all(), asked.groups, "group")
    requesters = None if asked.requesters is None else _requesters(asked.requesters)
    with transaction.atomic():
        found.title = asked.name or found.title
        found.anonymous = found.anonymous if asked.login_required is None else not asked.login_required
        found.everybody = found.everybody if asked.custom_permissions is None else not asked.custom_permissions
        found.save()
        if groups is not None:
            found.groups.set(groups)
        if requesters is not None:
            found.requesters.set(requesters)
        if asked.html_template is not None:
            ProjectTemplate.objects.update_or_create(project=found, defaults={"html": asked.html_template})
        if asked.active is not None:
            old, new = (
                (BatchState.PAUSED, BatchState.PUBLISHED) if asked.active else (BatchState.PUBLISHED, BatchState.PAUSED)
            )
            for batch in found.batches.filter(state=old):
                change_state(batch, new)
    return _project_record(found)


@router.get("/projects/{number}/batches/", response={200: Page[BatchRecord], **_REFUSALS}, operation_id="batches_of")
def batches_of(request: HttpRequest, number: Number, page: int = 1) -> Any:
    """List the batches of a project."""
    return page_of(request, _project(request, number).batches.select_related("project"), _batch_record)


@router.get("/projects/{number}/permissions/", response={200: Permissions, **_REFUSALS}, operation_id="permissions")
def permissions(request: HttpRequest, number: Number) -> Any:
    """Return to which groups a project is published."""
    return _permissions(_project(request, number))


@router.post("/projects/{number}/permissions/", response={201: Permissions, **_REFUSALS}, operation_id="publish_to")
def publish_to(request: HttpRequest, number: Number, asked: AskedPermissions) -> Any:
    """Publish a project to more groups; it is for all accounts no more."""
    return Status(201, _published(_project(request, number), asked, keep=True))


@router.put("/projects/{number}/permissions/", response={200: Permissions, **_REFUSALS}, operation_id="publish_only_to")
def publish_only_to(request: HttpRequest, number: Number, asked: AskedPermissions) -> Any:
    """Publish a project to these groups alone; it is for all accounts no more."""
    return _published(_project(request, number), asked, keep=False)


@router.get("/batches/", response={200: Page[BatchRecord], **_REFUSALS}, operation_id="list_batches")
def list_batches(request: HttpRequest, page: int = 1) -> Any:
    """List the batches of all projects."""
    return page_of(request, managed_batches(person(request)).order_by("pk"), _batch_record)


@router.post("/batches/", response={201: BatchRecord, **_REFUSALS}, operation_id="make_batch")
def new_batch(request: HttpRequest, asked: NewBatch) -> Any:
    """Add a batch to a project: a table for its template. The files become a folder of the served tasks."""
    project = managed_projects(person(request)).filter(pk=asked.project).first() if 0 < asked.project < 2**63 else None
    if project is None:
        raise HttpError(UNUSABLE, f"There is no project {asked.project}, or it is not yours.")
    if asked.login_required not in {None, not project.anonymous} or asked.custom_permissions not in {
        None,
        not project.everybody,
    }:
        raise HttpError(UNUSABLE, "login_required and custom_permissions are of the project here: change them there.")
    if project.batches.filter(name=asked.name).exists():
        raise HttpError(UNUSABLE, f"Another batch of this project is called {asked.name}.")
    template = asked.html_template or _template(project)
    if not template:
        raise HttpError(UNUSABLE, "The project has no template that can be read: send html_template.")
    task = add_at_once(f"{project.title} - {asked.name}", template.encode(), asked.csv_text.encode())
    with transaction.atomic():
        made = make_batch(
            project,
            task.name,
            person(request),
            name=asked.name,
            assignments=asked.assignments_per_task,
            seconds=asked.expiry_seconds or round(asked.allotted_assignment_time * HOUR),
            publish=asked.published,
        )
        if asked.published and not asked.active:
            made = change_state(made, BatchState.PAUSED)
        if asked.html_template:
            ProjectTemplate.objects.update_or_create(project=project, defaults={"html": template})
    return Status(201, _batch_record(made))


@router.get("/batches/{number}/", response={200: BatchRecord, **_REFUSALS}, operation_id="batch")
def batch(request: HttpRequest, number: Number) -> Any:
    """Return a batch."""
    return _batch_record(_batch(request, number))


@router.patch("/batches/{number}/", response={200: BatchRecord, **_REFUSALS}, operation_id="change_batch")
def change_batch(request: HttpRequest, number: Number, asked: ChangedBatch) -> Any:
    """Change what is named of a batch; publish, pause or close it."""
    found = _batch(request, number)
    if asked.name and found.project.batches.filter(name=asked.name).exclude(pk=found.pk).exists():
        raise HttpError(UNUSABLE, f"Another batch of this project is called {asked.name}.")
    with transaction.atomic():
        found.name = asked.name or found.name
        if asked.allotted_assignment_time is not None:
            found.expiry_seconds = round(asked.allotted_assignment_time * HOUR)
        found.expiry_seconds = asked.expiry_seconds or found.expiry_seconds
        found.assignments_per_instance = asked.assignments_per_task or found.assignments_per_instance
        found.save(update_fields=["name", "expiry_seconds", "assignments_per_instance"])
        wanted = asked.state
        if wanted is None and asked.active is not None and asked.active != (found.state == BatchState.PUBLISHED):
            wanted = "published" if asked.active else "paused" if found.state == BatchState.PUBLISHED else None
        if wanted is not None and wanted != found.state:
            found = change_state(found, BatchState(wanted))
    return _batch_record(_batch(request, number))


@router.post("/batches/{number}/tasks/", response={201: Added, **_REFUSALS}, operation_id="add_tasks")
def add_tasks(request: HttpRequest, number: Number, asked: NewTasks) -> Any:
    """Add rows to the table of a batch, at any time; what has been answered stays what it is."""
    found = _batch(request, number)
    if refusal := folder_refusal():
        raise UnusableUpload(refusal=refusal)
    with transaction.atomic():
        found = Batch.objects.select_for_update(no_key=True).select_related("project").get(pk=found.pk)
        if Batch.objects.filter(task=found.task).exclude(pk=found.pk).exists():
            raise HttpError(
                UNUSABLE, f"Another batch is of the same task, “{found.task}”, and would change with this one."
            )
        before = set(instance_ids(found.task))
        folder = catalog().tasks_dir / found.task
        table = _appended((folder / TABLE).read_bytes(), asked.csv_text)
        with tempfile.TemporaryDirectory() as scratch:
            checked(found.task, (folder / TEMPLATE).read_bytes(), table, Path(scratch))
        was_known = found.fingerprint == task_fingerprint(found.task)
        write_bytes(folder / TABLE, table)
        if was_known:
            found.fingerprint = task_fingerprint(found.task)
            found.save(update_fields=["fingerprint"])
        added = len(set(instance_ids(found.task)) - before)
    return Status(201, {"new_tasks": added})


@router.get("/batches/{number}/input/", response=_REFUSALS, operation_id="input", openapi_extra={"responses": _CSV})
def batch_input(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the table of a batch as CSV, without the labels that it may have."""
    table = _read(_batch(request, number).task)
    shown = [at for at, column in enumerate(table.header) if not column.startswith(ANSWER)]
    return _csv([[table.header[at] for at in shown], *([row[at] for at in shown] for row in table.rows)])


@router.get("/batches/{number}/results/", response=_REFUSALS, operation_id="results", openapi_extra={"responses": _CSV})
def results(request: HttpRequest, number: Number) -> HttpResponse:
    """Return what was submitted to a batch as CSV, in the columns of AMT and Turkle."""
    return _as_csv(results_of([_batch(request, number)]).csv)


@router.get("/batches/{number}/progress/", response={200: ProgressRecord, **_REFUSALS}, operation_id="progress")
def progress(request: HttpRequest, number: Number) -> Any:
    """Return how far a batch is."""
    free_expired()
    found = batch_progress(_batch(request, number))
    return {
        "total_tasks": found.instances,
        "total_task_assignments": found.asked,
        "total_finished_tasks": found.complete,
        "total_finished_task_assignments": found.submitted,
    }


@router.get(
    "/batches/{number}/permissions/", response={200: Permissions, **_REFUSALS}, operation_id="batch_permissions"
)
def batch_permissions(request: HttpRequest, number: Number) -> Any:
    """Return to which groups the project of a batch is published: a batch is for those that its project is for."""
    return _permissions(_batch(request, number).project)


def _project(request: HttpRequest, number: int) -> Project:
    return get_object_or_404(managed_projects(person(request)), pk=number)


def _batch(request: HttpRequest, number: int) -> Batch:
    return get_object_or_404(managed_batches(person(request)), pk=number)


def _project_record(project: Project) -> dict[str, object]:
    batches = list(project.batches.all())
    last = batches[-1] if batches else None
    return {
        "id": project.pk,
        "name": project.title,
        "created_at": project.created,
        "created_by": project.created_by_id,
        "active": any(batch.state == BatchState.PUBLISHED for batch in batches),
        "allotted_assignment_time": last.expiry_seconds / HOUR if last else None,
        "assignments_per_task": last.assignments_per_instance if last else None,
        "login_required": not project.anonymous,
        "custom_permissions": not project.everybody,
        "filename": TEMPLATE,
        "html_template": _template(project),
        "batches": [batch.pk for batch in batches],
        "groups": sorted(group.pk for group in project.groups.all()),
        "requesters": sorted(user.username for user in project.requesters.all()),
    }


def _batch_record(batch: Batch) -> dict[str, object]:
    found = batch_progress(batch)
    return {
        "id": batch.pk,
        "name": batch.name,
        "created_at": batch.created,
        "created_by": batch.created_by_id,
        "project": batch.project_id,
        "filename": TABLE,
        "task": batch.task,
        "allotted_assignment_time": batch.expiry_seconds / HOUR,
        "expiry_seconds": batch.expiry_seconds,
        "assignments_per_task": batch.assignments_per_instance,
        "login_required": not batch.project.anonymous,
        "custom_permissions": not batch.project.everybody,
        "active": batch.state == BatchState.PUBLISHED,
        "completed": None if found.instances is None else found.complete == found.instances,
        "published": batch.state != BatchState.DRAFT,
        "state": batch.state,
    }


def _permissions(project: Project) -> dict[str, object]:
    return {"users": [], "groups": sorted(group.pk for group in project.groups.all())}


def _published(project: Project, asked: AskedPermissions, *, keep: bool) -> dict[str, object]:
    if asked.users:
        raise HttpError(UNUSABLE, "A project is published to groups: make one of these accounts, and publish to it.")
    groups = all_there(Group.objects.all(), asked.groups, "group")
    with transaction.atomic():
        if project.everybody:
            project.everybody = False
            project.save(update_fields=["everybody"])
        (project.groups.add if keep else lambda *each: project.groups.set(each))(*groups)
    return _permissions(project)


def _requesters(names: Sequence[str]) -> list[User]:
    found = {user.username: user for user in User.objects.filter(username__in=names, anonymous=None)}
    if missing := [name for name in names if name not in found]:
        raise HttpError(UNUSABLE, f"There is no account {missing[0]}.")
    return list(found.values())


def _template(project: Project) -> str | None:
    """The page that the next batch of a project begins with; None if there is none that can be read."""
    kept = ProjectTemplate.objects.filter(project=project).first()
    if kept is not None:
        return kept.html
    last = project.batches.last()
    try:
        return None if last is None else (catalog().tasks_dir / last.task / TEMPLATE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _check_template(html: str) -> None:
    """Refuse a page that is none even with a table that fits; raises ``UnusableUpload``."""
    columns = variables(html) or ("row",)
    table = io.StringIO()
    csv.writer(table).writerows([columns, ["x"] * len(columns)])
    with tempfile.TemporaryDirectory() as scratch:
        checked("template", html.encode(), table.getvalue().encode(), Path(scratch))


def _read(task: str) -> CsvTable:
    try:
        return read_table((catalog().tasks_dir / task / TABLE).read_bytes())
    except OSError as error:
        raise TaskGone(task, f"cannot be read: {error.strerror}.") from error
    except UnreadableTable:
        raise TaskGone(task, "has a table that cannot be read.") from None


def _appended(table: bytes, rows: str) -> bytes:
    """A table with further rows at its end, whose columns may stand in another order."""
    try:
        known, new = read_table(table), read_table(rows.encode())
    except UnreadableTable as error:
        fault = error.faults[0]
        raise HttpError(UNUSABLE, f"csv_text: {fault.what}. {fault.remedy}.") from None
    inputs = [column for column in known.header if not column.startswith(ANSWER)]
    if set(new.header) != set(inputs):
        raise HttpError(UNUSABLE, f"csv_text: its columns have to be those of the batch: {', '.join(inputs)}.")
    at = {column: number for number, column in enumerate(new.header)}
    text = io.StringIO()
    csv.writer(text).writerows(
        [
            known.header,
            *known.rows,
            *([row[at[name]] if name in at else "" for name in known.header] for row in new.rows),
        ]
    )
    return text.getvalue().encode()


def _csv(rows: Sequence[Sequence[str]]) -> HttpResponse:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return _as_csv(text.getvalue())


def _as_csv(text: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(
        text.encode("utf-8", "backslashreplace"), content_type="text/csv; charset=utf-8", headers=headers
    )
