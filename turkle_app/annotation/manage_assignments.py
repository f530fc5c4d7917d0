"""Requesters' and staff's pages about assignments: a list, one with its answers, and for whom some are reserved."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from turkle_app.access import requesters
from turkle_app.annotation.claims import AssignmentRefused, approve, free_expired, reject
from turkle_app.annotation.forms import Rejection, ReservationForm
from turkle_app.annotation.gold import marked
from turkle_app.annotation.instances import TaskGone, instance_ids
from turkle_app.annotation.models import Assignment, State
from turkle_app.annotation.people import managed_batches, person
from turkle_app.annotation.reservations import (
    ReservationRefused,
    read_reservations,
    reserve,
    written_reservations,
)

PAGE_SIZE = 50


@require_safe
@requesters
def assignment_list(request: HttpRequest, batch_id: int) -> HttpResponse:
    """List the assignments of a batch for requesters and staff, newest first, those in `state` and of `worker`."""
    free_expired()
    batch = get_object_or_404(managed_batches(person(request)), pk=batch_id)
    state, worker = request.GET.get("state", ""), request.GET.get("worker", "").strip()
    found = batch.assignments.select_related("worker").order_by("-id")
    if state in State.values:
        found = found.filter(state=state)
    if worker:
        found = found.filter(worker__username=worker.replace("\0", ""))
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "batch": batch,
        "page": page,
        "page_numbers": page.paginator.get_elided_page_range(page.number),
        "states": State.values,
        "state": state,
        "worker": worker,
        "query": urlencode({"state": state, "worker": worker}) + "&",
    }
    return render(request, "annotation/assignments.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def answered(request: HttpRequest, number: int) -> HttpResponse:
    """Show an assignment with its answers to requesters and staff, and let them approve it or reject it."""
    free_expired()
    theirs = Assignment.objects.filter(batch__in=managed_batches(person(request)))
    rows = theirs.select_related("batch__project", "worker", "rejected_by", "approved_by")
    found = get_object_or_404(rows, pk=number)
    if request.method == "POST" and request.POST.get("how") == "approve":
        try:
            approve(found, person(request))
            messages.success(request, "The assignment is approved. Its worker does not change it any more.")
        except AssignmentRefused as error:
            messages.warning(request, str(error))
        return redirect("answered", number=found.pk)
    form = Rejection(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            reject(found, person(request), form.cleaned_data["reason"])
            messages.success(request, "The assignment is rejected. Its instance is free for another worker.")
        except AssignmentRefused as error:
            messages.warning(request, str(error))
        return redirect("answered", number=found.pk)
    context = {
        "assignment": found,
        "batch": found.batch,
        "form": form,
        "is_stray": _is_stray(found),
        "earlier": found.earlier.all(),
        "points": marked(found) if found.gold and found.answers is not None else None,
    }
    return render(request, "annotation/answered.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def reserved(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show requesters and staff what of a batch is for named workers, and let them change it."""
    batch = get_object_or_404(managed_batches(person(request)), pk=batch_id)
    context: dict[str, object] = {"batch": batch}
    try:
        whole, instances = written_reservations(batch)
        form = ReservationForm(
            request.POST if request.method == "POST" else None, initial={"whole": whole, "instances": instances}
        )
        if form.is_valid():
            told = form.cleaned_data
            reserve(batch, read_reservations(batch, told["whole"], told["instances"]), person(request))
            messages.success(request, "What is reserved is kept.")
            return redirect("batch", batch_id=batch_id)
        context["form"] = form
    except ReservationRefused as error:
        form.add_error(None, str(error))
        context["form"] = form
    except TaskGone as error:
        context["problem"] = str(error)
    return render(request, "annotation/reserved.html", context)


def _is_stray(found: Assignment) -> bool:
    """Whether the task's table is known not to hold the instance any more."""
    try:
        return found.instance_id not in instance_ids(found.batch.task)
    except TaskGone:
        return False
