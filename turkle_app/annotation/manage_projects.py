"""Pages about projects: what there are, their batches, how far they are, and who works on them."""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from turkle_app.access import requesters, staff
from turkle_app.annotation.claims import free_expired
from turkle_app.annotation.forms import ChangedProject, NewProject
from turkle_app.annotation.models import Assignment, BatchState, Project
from turkle_app.annotation.people import managed_projects, person
from turkle_app.annotation.progress import batch_progress, project_progress, without_account, worker_progress


@require_safe
@requesters
def project_list(request: HttpRequest) -> HttpResponse:
    """List all projects for staff, and theirs for requesters, with how far they are."""
    free_expired()
    projects = managed_projects(person(request)).prefetch_related("groups", "batches")
    rows = [(project, project_progress(project), _states(project)) for project in projects]
    return render(request, "annotation/manage.html", {"rows": rows})


@require_safe
@requesters
def project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Show a project to requesters and staff: its batches, how far they are, and what each worker has done."""
    free_expired()
    found = get_object_or_404(managed_projects(person(request)).prefetch_related("groups"), pk=project_id)
    workers = worker_progress(Assignment.objects.filter(batch__project=found))
    context = {
        "project": found,
        "progress": project_progress(found),
        "batches": [(batch, batch_progress(batch)) for batch in found.batches.all()],
        "workers": workers,
        "apart": without_account(workers),
        "open_link": request.build_absolute_uri(reverse("open-project", args=[found.pk])) if found.anonymous else "",
    }
    return render(request, "annotation/project.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def new_project(request: HttpRequest) -> HttpResponse:
    """Let staff make a project whose first batch is a task."""
    form = NewProject(request.POST if request.method == "POST" else None, initial={"task": request.GET.get("task", "")})
    if form.is_valid():
        form.instance.created_by = person(request)
        with transaction.atomic():
            made = form.save()
            form.make_first_batch()
        messages.success(request, f"“{made.title}” is made.")
        return redirect("project", project_id=made.pk)
    context = {"form": form, "title": "New project", "button": "Make the project"}
    return render(request, "annotation/project_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def change_project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let requesters and staff change the title of a project, and whom it is published to."""
    found = get_object_or_404(managed_projects(person(request)), pk=project_id)
    title = found.title
    form = ChangedProject(request.POST if request.method == "POST" else None, instance=found)
    if not person(request).is_staff:  # who manages a project is for staff to say, who know the accounts
        del form.fields["requesters"]
    if form.is_valid():
        form.save()
        messages.success(request, "The changes are kept.")
        return redirect("project", project_id=found.pk)
    context = {"form": form, "title": title, "button": "Keep the changes", "project": found}
    return render(request, "annotation/project_form.html", context)


def _states(project: Project) -> list[tuple[str, int]]:
    """How many batches of a project are in each state, as far as there are any."""
    counts = Counter(batch.state for batch in project.batches.all())
    return [(state, counts[state]) for state in BatchState.values if counts[state]]
