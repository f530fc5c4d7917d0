"""Pages about batches: how far they are, what is asked for, publishing, pausing, closing, and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from harness.analysis.people.collected_answers import CLOSE, FieldSoFar
from harness.kit.files.writing import path_name
from harness.kit.text import counted
from turkle_app.access import requesters
from turkle_app.annotation.claims import AssignmentRefused, change_state, free_expired
from turkle_app.annotation.forms import ChangedBatch
from turkle_app.annotation.instance_answers import agreement
from turkle_app.annotation.instances import TaskGone, task_fingerprint, task_of
from turkle_app.annotation.kept_figures import Kept, kept
from turkle_app.annotation.models import Adjudication, Batch, BatchState, Copilot, Reservation, State
from turkle_app.annotation.people import managed_batches, managed_projects, person
from turkle_app.annotation.progress import batch_progress, without_account, worker_progress
from turkle_app.annotation.project_results import results_of
from turkle_app.origins import REPORT_POLICY

if TYPE_CHECKING:
    from turkle_app.annotation.enough_labels import EnoughLabels

_SAID = {
    BatchState.PUBLISHED: "is published: its instances can be accepted.",
    BatchState.PAUSED: "is paused: nothing new can be accepted. What is accepted can be submitted.",
    BatchState.CLOSED: "is closed: nothing new can be accepted. What is accepted can be submitted in its time.",
}


@require_safe
@requesters
def batch(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show a batch to requesters and staff: how far it is, and what each worker has done."""
    free_expired()
    found = _batch(request, batch_id)
    workers = worker_progress(found.assignments.all())
    agreed, enough = _figures(found)
    context = {
        "batch": found,
        "progress": batch_progress(found),
        "workers": workers,
        "apart": without_account(workers),
        "changed": _has_changed(found),
        "agreement": agreed.figures if agreed else None,
        "agreed": agreed,
        "known": _known(agreed.figures) if agreed and agreed.figures else "",
        "enough": enough.figures if enough else None,
        "weighed": enough,
        "decided": _instances(found.adjudications.all()),
        "named": found.reservations.filter(instance_id="").values_list("worker__username", flat=True),
        "reserved_instances": _instances(found.reservations.exclude(instance_id="")),
    }
    return render(request, "annotation/batch.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def change_batch(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Let requesters and staff change the name of a batch, and what is asked for."""
    found = _batch(request, batch_id)
    name = found.name
    form = ChangedBatch(request.POST if request.method == "POST" else None, instance=found)
    if form.is_valid():
        form.save()
        messages.success(request, "The changes are kept.")
        return redirect("batch", batch_id=found.pk)
    context = {"form": form, "title": name, "button": "Keep the changes", "project": found.project, "batch": found}
    return render(request, "annotation/project_form.html", context)


@require_POST
@requesters
def batch_state(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Let requesters and staff publish, pause or close a batch."""
    found = _batch(request, batch_id)
    state = next((state for state in _SAID if state == request.POST.get("state")), None)
    try:
        if state:
            change_state(found, state)
            messages.success(request, f"“{found.name}” {_SAID[state]}")
    except AssignmentRefused as error:
        messages.warning(request, str(error))
    return redirect("batch", batch_id=found.pk)


@require_safe
@requesters
def replacement(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show requesters and staff whether the run whose answers a batch has may take workers' places."""
    found = _batch(request, batch_id)
    # Only here: it brings scipy along.
    from harness.reports.html.rendering import render as rendered  # noqa: PLC0415
    from turkle_app.annotation.enough_labels import NothingToWeigh, replacement_page  # noqa: PLC0415

    try:
        page = kept(found, "replacement", lambda: rendered(replacement_page(found))).figures
    except (NothingToWeigh, TaskGone) as error:
        messages.warning(request, str(error))
        return redirect("batch", batch_id=found.pk)
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": REPORT_POLICY}
    return HttpResponse(page.encode("utf-8", "replace"), content_type="text/html; charset=utf-8", headers=headers)


@require_safe
@requesters
def results(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Let requesters and staff download what was submitted to a batch, in the columns of AMT and Turkle."""
    found = _batch(request, batch_id)
    return _results(request, [found], found.task)


@require_safe
@requesters
def project_results(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let requesters and staff download what was submitted to a project, in AMT's and Turkle's columns."""
    project = get_object_or_404(managed_projects(person(request)), pk=project_id)
    return _results(request, project.batches.select_related("project"), project.title)


def _results(request: HttpRequest, batches: Iterable[Batch], name: str) -> HttpResponse:
    try:
        text = results_of(batches).csv
    except TaskGone as error:
        context = {"what": str(error), "remedy": "The answers are kept. Then download them again."}
        return render(request, "turkle/error.html", context, status=503)
    return HttpResponse(
        text.encode("utf-8", "backslashreplace"),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{path_name(name)}-results.csv"',
            "Cache-Control": "no-store",
        },
    )


def _batch(request: HttpRequest, batch_id: int) -> Batch:
    return get_object_or_404(managed_batches(person(request)), pk=batch_id)


def _instances(rows: QuerySet[Reservation] | QuerySet[Adjudication]) -> int:
    """Of how many instances they are."""
    return rows.order_by().values("instance_id").distinct().count()


def _figures(found: Batch) -> tuple[Kept[list[FieldSoFar] | None] | None, Kept[EnoughLabels | None] | None]:
    """How far workers agree, and whether there are enough labels; None for a task that cannot be read."""
    try:
        agreed = kept(found, "agreement", lambda: _agreement(found))
        return agreed, kept(found, "enough", lambda: _enough(found))
    except TaskGone:
        return None, None


def _agreement(found: Batch) -> list[FieldSoFar] | None:
    """How far workers agree, field by field; None if it cannot be known: no two have answered one instance."""
    fields = agreement(task_of(found.task), found.assignments.filter(state=State.SUBMITTED, gold=""))
    return [each for each in fields if each.instances] or None


def _enough(found: Batch) -> EnoughLabels | None:
    """Whether there are enough labels, field by field; None without answers of a run."""
    if not Copilot.objects.filter(batch=found).exists():
        return None
    # Only here: it brings scipy along.
    from turkle_app.annotation.enough_labels import enough_labels  # noqa: PLC0415

    return enough_labels(found)


def _known(fields: Sequence[FieldSoFar]) -> str:
    """Of how many fields agreement is known closely enough."""
    close = sum(each.further == 0 for each in fields)
    return f"{close} of {counted(len(fields), 'field')}: agreement is known to within {100 * CLOSE:g} points."


def _has_changed(found: Batch) -> bool:
    """Whether a file of the task has changed since the batch was made; False if the task cannot be read."""
    try:
        return found.fingerprint not in {"", task_fingerprint(found.task)}
    except TaskGone:
        return False
