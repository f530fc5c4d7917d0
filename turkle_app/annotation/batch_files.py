"""Staff's pages for the template and the table of a batch: a further batch of a project, and changes of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from harness.catalog.problems import decode
from harness.datasets.uploaded_task import NoNewTask
from turkle_app.access import requesters
from turkle_app.annotation.batches import (
    FilesFixed,
    NameTaken,
    add_uploaded,
    batch_files,
    free_name,
    new_task_name,
    refuse_fixed,
    replace_files,
)
from turkle_app.annotation.forms import NewBatch
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import Batch
from turkle_app.annotation.people import managed_batches, managed_projects, person
from turkle_app.annotation.upload_pages import LIMITS, UNUSABLE, kept_upload, upload_context
from turkle_app.annotation.uploads import folder_refusal, forget, keep

_WRITING = ["GET", "HEAD", "POST"]


@require_http_methods(_WRITING)
@requesters
def new_batch(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let requesters and staff hand over the table of a further batch, for the last template or a new version."""
    project = get_object_or_404(managed_projects(person(request)), pk=project_id)
    last = project.batches.last()
    context: dict[str, Any] = {"project": project, "last": last, "refusal": folder_refusal()} | LIMITS
    try:
        template = batch_files(last)[0] if last else b""
    except TaskGone as error:
        template, context["gone"] = b"", str(error)
    context["template"] = _text(template)
    if request.method != "POST" or context["refusal"]:
        return render(request, "annotation/batch_files.html", context)
    table = request.FILES.get("table")
    context["template"] = request.POST.get("template", "")
    context["missing"] = table is None
    if table is None:
        return render(request, "annotation/batch_files.html", context, status=UNUSABLE)
    page, beside = _typed(context["template"], template), last.task if last and "gone" not in context else ""
    token, looked = keep(new_task_name(project), page, table.read(), beside)
    if not token:
        context["problems"] = looked.problems
        return render(request, "annotation/batch_files.html", context, status=UNUSABLE)
    return redirect("new-batch-preview", project_id=project.pk, token=token)


@require_http_methods(_WRITING)
@requesters
def new_batch_preview(request: HttpRequest, project_id: int, token: str) -> HttpResponse:
    """Show requesters and staff what a further batch would be, and let them add it or throw it away."""
    project = get_object_or_404(managed_projects(person(request)), pk=project_id)
    found = kept_upload(token)
    if request.POST.get("how") == "discard":
        forget(token)
        messages.success(request, "The batch is thrown away. Nothing of it was added.")
        return redirect("project", project_id=project.pk)
    last = project.batches.last()
    form = NewBatch(
        request.POST if request.method == "POST" else None,
        instance=Batch(
            project=project,
            name=free_name(project),
            assignments_per_instance=last.assignments_per_instance if last else 1,
            expiry_seconds=last.expiry_seconds if last else Batch().expiry_seconds,
        ),
    )
    refusal = folder_refusal()
    if not refusal and form.is_valid():
        try:
            made = add_uploaded(project, found, person(request), **form.asked)
        except (NameTaken, NoNewTask, OSError) as error:
            refusal = f"The batch cannot be added. {error}"
        else:
            messages.success(request, f"“{made.name}” is added.")
            return redirect("batch", batch_id=made.pk)
    context = {"project": project, "form": form, "refusal": refusal}
    return render(request, "annotation/batch_preview.html", upload_context(request, found) | context)


@require_http_methods(_WRITING)
@requesters
def change_files(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Let requesters and staff change the template and the table of a batch that nobody has begun."""
    batch = get_object_or_404(managed_batches(person(request)), pk=batch_id)
    context: dict[str, Any] = {"project": batch.project, "batch": batch, "refusal": _files_refusal(batch)} | LIMITS
    if context["refusal"]:
        return render(request, "annotation/batch_files.html", context)
    try:
        template, table = batch_files(batch)
    except TaskGone as error:
        return render(request, "annotation/batch_files.html", context | {"refusal": str(error)})
    context["template"] = _text(template)
    if request.method != "POST":
        return render(request, "annotation/batch_files.html", context)
    context["template"] = request.POST.get("template", "")
    if given := request.FILES.get("table"):
        table = given.read()
    token, looked = keep(batch.task, _typed(context["template"], template), table, batch.task)
    if not token:
        context["problems"] = looked.problems
        return render(request, "annotation/batch_files.html", context, status=UNUSABLE)
    return redirect("change-files-preview", batch_id=batch.pk, token=token)


@require_http_methods(_WRITING)
@requesters
def change_files_preview(request: HttpRequest, batch_id: int, token: str) -> HttpResponse:
    """Show requesters and staff a batch with another template or table, and let them keep that or throw it away."""
    batch = get_object_or_404(managed_batches(person(request)), pk=batch_id)
    found = kept_upload(token)
    if request.POST.get("how") == "discard":
        forget(token)
        messages.success(request, "The changes are thrown away. The batch is as it was.")
        return redirect("batch", batch_id=batch.pk)
    refusal = _files_refusal(batch)
    if request.method == "POST" and not refusal:
        try:
            replace_files(batch, found)
        except (FilesFixed, TaskGone, OSError) as error:
            refusal = str(error)
        else:
            messages.success(request, "The template and the table are changed.")
            return redirect("batch", batch_id=batch.pk)
    context = {"project": batch.project, "batch": batch, "refusal": refusal}
    return render(request, "annotation/batch_preview.html", upload_context(request, found) | context)


def _files_refusal(batch: Batch) -> str:
    """Say why the files of a batch cannot be changed here; "" if they can."""
    try:
        refuse_fixed(batch)
    except FilesFixed as error:
        return str(error)
    return folder_refusal()


def _text(template: bytes) -> str:
    try:
        return decode(template)
    except UnicodeDecodeError:
        return template.decode("utf-8", "replace")


def _typed(text: str, before: bytes) -> bytes:
    """The bytes of a template that came back from a text area, which makes the ends of all lines CR LF.

    Args:
        text: What came.
        before: What was in it: lines end as they did there, and without a change its very bytes are returned.
    """
    plain = text.replace("\r\n", "\n")
    if plain == _text(before).replace("\r\n", "\n"):
        return before
    return (text if b"\r\n" in before else plain).encode()
