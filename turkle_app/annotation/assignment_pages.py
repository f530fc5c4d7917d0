"""The page of an assignment: the sheet in its frame with the time that is left, or what has become of it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from harness.catalog.template.wrapping import ACCEPTED
from turkle_app.access import workers
from turkle_app.annotation import claims
from turkle_app.annotation.claims import (
    AssignmentRefused,
    correctable,
    free_expired,
    next_in_project,
    open_projects,
    seconds_left,
)
from turkle_app.annotation.gold import marked
from turkle_app.annotation.instances import TaskGone, find_by_id
from turkle_app.annotation.models import Assignment, GoldMode, State
from turkle_app.annotation.people import person
from turkle_app.annotation.sheet_token import sheet_token
from turkle_app.annotation.work_pages import PACE
from turkle_app.origins import pages_origin
from turkle_app.tasks import catalog


@require_safe
@workers
def assignment(request: HttpRequest, number: int) -> HttpResponse:
    """Show workers their own assignment: its sheet while it is theirs to fill in, else what has become of it."""
    free_expired()
    own = _own(request, number)
    context = {"assignment": own, "project": own.batch.project, "without_pause": request.session.get(PACE, False)}
    if own.state != State.CLAIMED:
        told = marked(own) if own.gold == GoldMode.FEEDBACK and own.state == State.SUBMITTED else None
        context |= {"more": _is_more(own), "told": told, "correctable": bool(correctable([own]))}
        return render(request, "annotation/over.html", context)
    context |= _sheet(request, own, sheet_token(own.pk)) | {"seconds_left": round(seconds_left(own), 3)}
    return render(request, "annotation/assignment.html", context)


@require_safe
@workers
def correction(request: HttpRequest, number: int) -> HttpResponse:
    """Let workers change the answers of their own assignment, until it is reviewed."""
    own = _own(request, number)
    if not correctable([own]):
        messages.warning(request, "This assignment cannot be changed any more.")
        return redirect("assignment", number=own.pk)
    done = own.earlier.count()
    context = {"assignment": own, "project": own.batch.project, "correction": done}
    return render(request, "annotation/assignment.html", context | _sheet(request, own, sheet_token(own.pk, done)))


@require_safe
@workers
def state(request: HttpRequest, number: int) -> HttpResponse:
    """Tell the page of workers what has become of their own assignment, or of its correction."""
    free_expired()
    own = _own(request, number)
    found: str = own.state
    if (done := request.GET.get("correction")) is not None:
        corrected = str(own.earlier.count()) != done
        found = State.SUBMITTED if corrected else State.CLAIMED if correctable([own]) else "over"
    return JsonResponse({"state": found}, headers={"Cache-Control": "no-store"})


@require_POST
@workers
def give_back(request: HttpRequest, number: int) -> HttpResponse:
    """Return or skip an assignment of workers' own: others can have it, and it comes last for them."""
    own = _own(request, number)
    skipped = request.POST.get("how") == "skip"
    try:
        claims.give_back(own, State.SKIPPED if skipped else State.RETURNED)
        if not skipped:
            messages.success(request, f"You have returned instance {own.index} of “{own.batch.project.title}”.")
    except AssignmentRefused as error:
        messages.warning(request, str(error))
    return redirect("preview", project_id=own.batch.project_id) if skipped else redirect("work")


def _sheet(request: HttpRequest, own: Assignment, token: str) -> dict[str, object]:
    """What a page with a sheet shows: its address, what the task says of itself, and why it cannot be filled in."""
    found: dict[str, object] = {}
    try:
        if find_by_id(own.batch.task, own.instance_id) is None:
            found["problem"] = "The task has changed, and this instance is no longer in it."
        found["facts"] = catalog().facts(own.batch.task)
    except TaskGone as error:
        found["problem"] = str(error)
    return found | {"sheet": f"{pages_origin(request)}{reverse('sheet', kwargs={'token': token})}?{ACCEPTED}"}


def _own(request: HttpRequest, number: int) -> Assignment:
    found = Assignment.objects.select_related("batch__project").filter(worker=person(request), pk=number).first()
    if found is None:
        raise Http404
    return found


def _is_more(own: Assignment) -> bool:
    """Whether there is another instance of the project for the worker of an assignment."""
    try:
        project = own.batch.project
        return project in open_projects(own.worker) and next_in_project(project, own.worker) is not None
    except TaskGone:
        return False
