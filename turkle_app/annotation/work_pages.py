"""Workers' pages: what there is to do, a look at it before it is accepted, and what one has done."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from harness.catalog import Facts
from harness.catalog.template.wrapping import PREVIEWED
from turkle_app.access import workers
from turkle_app.annotation.claims import (
    AssignmentRefused,
    Offer,
    claim,
    claim_next,
    correctable,
    free_expired,
    held_in,
    next_in_project,
    open_batches,
    open_projects,
    skip,
)
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import Assignment, Batch, Project, State
from turkle_app.annotation.people import person
from turkle_app.annotation.progress import OwnProgress, own_progress
from turkle_app.origins import pages_origin
from turkle_app.tasks import catalog

PAGE_SIZE = 50
PACE = "without_pause"
"""Under which name a session remembers that the next instance is to follow at once."""


@dataclass(frozen=True)
class OfferedProject:
    """A project in the list of what there is to do.

    Attributes:
        project: The project.
        progress: How far this worker is in it.
        offer: The instance that they would get now; None if there is none.
        facts: What the task of this instance says of itself; without one, the task of the first batch.
        problem: Why it cannot be worked on; empty if it can.
    """

    project: Project
    progress: OwnProgress
    offer: Offer | None = None
    facts: Facts | None = None
    problem: str = ""


@require_safe
@workers
def project_list(request: HttpRequest) -> HttpResponse:
    """List what there is to do for workers: the projects that are published to one of their groups."""
    free_expired()
    worker = person(request)
    offered = [_offered(project, worker) for project in open_projects(worker)]
    held = Assignment.objects.filter(worker=worker, state=State.CLAIMED).select_related("batch__project")
    return render(request, "annotation/work.html", {"offered": offered, "held": held})


@require_safe
@workers
def own_assignments(request: HttpRequest) -> HttpResponse:
    """List what workers have done themselves, newest first, with what has become of it."""
    free_expired()
    own = Assignment.objects.filter(worker=person(request)).select_related("batch__project").order_by("-id")
    page = Paginator(own, PAGE_SIZE).get_page(request.GET.get("page"))
    numbers = page.paginator.get_elided_page_range(page.number)
    context = {"page": page, "page_numbers": numbers, "correctable": correctable(page.object_list)}
    return render(request, "annotation/own_assignments.html", context)


@require_safe
@workers
def preview(request: HttpRequest, project_id: int) -> HttpResponse:
    """Show workers the instance that they would get next, without accepting it."""
    free_expired()
    worker = person(request)
    project = _open_project(worker, project_id)
    if held := held_in(project, worker):
        return redirect("assignment", number=held.pk)
    offered = _offered(project, worker)
    context = {"project": project, "without_pause": request.session.get(PACE, False)}
    if offered.problem:
        return render(request, "annotation/unusable.html", context, status=503)
    context |= {"offered": offered, "offer": offered.offer, "pages_origin": pages_origin(request)}
    context |= {"previewed": PREVIEWED}
    return render(request, "annotation/preview.html", context)


@require_POST
@workers
def accept(request: HttpRequest, project_id: int) -> HttpResponse:
    """Claim an instance for workers: the one that they saw, or the next."""
    worker = person(request)
    project = _open_project(worker, project_id)
    try:
        batch, wanted = _posted_batch(request, project), request.POST.get("instance") or None
        held = held_in(project, worker)
        claimed = held or (claim(batch.pk, worker, wanted) if batch else claim_next(project, worker))
    except (AssignmentRefused, TaskGone) as error:
        messages.warning(request, str(error))
        return redirect("preview", project_id=project.pk)
    return redirect("assignment", number=claimed.pk)


@require_POST
@workers
def skip_unseen(request: HttpRequest, project_id: int) -> HttpResponse:
    """Put an instance off that workers saw but have not accepted: it comes last for them."""
    worker = person(request)
    project = _open_project(worker, project_id)
    batch = _posted_batch(request, project)
    if batch is None:
        raise Http404
    try:
        skip(batch.pk, worker, request.POST.get("instance", ""))
    except (AssignmentRefused, TaskGone) as error:
        messages.warning(request, str(error))
    return redirect("preview", project_id=project.pk)


@require_POST
@workers
def set_pace(request: HttpRequest) -> HttpResponse:
    """Remember for workers whether the next instance is to follow at once, for as long as they are logged in."""
    request.session[PACE] = request.POST.get(PACE) == "yes"
    if (number := _number(request.POST.get("assignment", ""))) is not None:
        return redirect("assignment", number=number)
    project_id = _number(request.POST.get("project", ""))
    return redirect("work") if project_id is None else redirect("preview", project_id=project_id)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _open_project(worker: User, project_id: int) -> Project:
    project = open_projects(worker).filter(pk=project_id).first()
    if project is None:
        raise Http404
    return project


def _posted_batch(request: HttpRequest, project: Project) -> Batch | None:
    """The batch of a project that a form names; None if it names none that is its own."""
    number = _number(request.POST.get("batch", ""))
    return None if number is None else project.batches.filter(pk=number).first()


def _offered(project: Project, worker: User) -> OfferedProject:
    progress = own_progress(project, worker)
    try:
        offer = next_in_project(project, worker)
        first = offer.batch if offer else open_batches(project).first()
        return OfferedProject(project, progress, offer, catalog().facts(first.task) if first else None)
    except TaskGone as error:
        return OfferedProject(project, progress, problem=str(error))
