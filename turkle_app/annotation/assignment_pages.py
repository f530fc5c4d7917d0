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
from turkle_app.annotation.claims import AssignmentRefused, free_expired, next_instance, open_projects, seconds_left
from turkle_app.annotation.instances import TaskGone, find_by_id
from turkle_app.annotation.models import Assignment, State
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
    context = {"assignment": own, "project": own.project, "without_pause": request.session.get(PACE, False)}
    if own.state != State.CLAIMED:
        return render(request, "annotation/over.html", context | {"more": _is_more(own)})
    try:
        if find_by_id(own.project.task, own.instance_id) is None:
            context["problem"] = "The task has changed, and this instance is no longer in it."
        context["facts"] = catalog().facts(own.project.task)
    except TaskGone as error:
        context["problem"] = str(error)
    context |= {
        "seconds_left": round(seconds_left(own), 3),
        "sheet": f"{pages_origin(request)}{reverse('sheet', kwargs={'token': sheet_token(own.pk)})}?{ACCEPTED}",
    }
    return render(request, "annotation/assignment.html", context)


@require_safe
@workers
def state(request: HttpRequest, number: int) -> HttpResponse:
    """Tell the page of workers what has become of their own assignment."""
    free_expired()
    return JsonResponse({"state": _own(request, number).state}, headers={"Cache-Control": "no-store"})


@require_POST
@workers
def give_back(request: HttpRequest, number: int) -> HttpResponse:
    """Return or skip an assignment of workers' own: others can have it, and it comes last for them."""
    own = _own(request, number)
    skipped = request.POST.get("how") == "skip"
    try:
        claims.give_back(own, State.SKIPPED if skipped else State.RETURNED)
        if not skipped:
            messages.success(request, f"You have returned instance {own.index} of “{own.project.title}”.")
    except AssignmentRefused as error:
        messages.warning(request, str(error))
    return redirect("preview", project_id=own.project_id) if skipped else redirect("work")


def _own(request: HttpRequest, number: int) -> Assignment:
    found = Assignment.objects.select_related("project").filter(worker=person(request), pk=number).first()
    if found is None:
        raise Http404
    return found


def _is_more(own: Assignment) -> bool:
    """Whether there is another instance of the project for the worker of an assignment."""
    try:
        return own.project in open_projects(own.worker) and next_instance(own.project, own.worker) is not None
    except TaskGone:
        return False
