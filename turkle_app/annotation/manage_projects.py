"""Staff's pages about projects: what there are, how far they are, who works on them, and what is asked for."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from turkle_app.access import staff
from turkle_app.annotation.claims import free_expired
from turkle_app.annotation.forms import ChangedProject, NewProject
from turkle_app.annotation.instances import TaskGone, task_fingerprint
from turkle_app.annotation.models import Project
from turkle_app.annotation.people import person
from turkle_app.annotation.progress import project_progress, worker_progress


@require_safe
@staff
def project_list(request: HttpRequest) -> HttpResponse:
    """List all projects for staff, with how far they are."""
    free_expired()
    projects = Project.objects.prefetch_related("groups")
    rows = [(project, project_progress(project)) for project in projects]
    return render(request, "annotation/manage.html", {"rows": rows})


@require_safe
@staff
def project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Show a project to staff: how far it is, and what each worker has done."""
    free_expired()
    found = get_object_or_404(Project.objects.prefetch_related("groups"), pk=project_id)
    context = {
        "project": found,
        "progress": project_progress(found),
        "workers": worker_progress(found),
        "changed": _has_changed(found),
    }
    return render(request, "annotation/project.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def new_project(request: HttpRequest) -> HttpResponse:
    """Let staff make a project of a task."""
    form = NewProject(request.POST if request.method == "POST" else None, initial={"task": request.GET.get("task", "")})
    if form.is_valid():
        form.instance.created_by = person(request)
        made = form.save()
        messages.success(request, f"“{made.title}” is made.")
        return redirect("project", project_id=made.pk)
    context = {"form": form, "title": "New project", "button": "Make the project"}
    return render(request, "annotation/project_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def change_project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let staff change what is asked for in a project, whom it is published to, and pause it."""
    found = get_object_or_404(Project, pk=project_id)
    title = found.title
    form = ChangedProject(request.POST if request.method == "POST" else None, instance=found)
    if form.is_valid():
        form.save()
        messages.success(request, "The changes are kept.")
        return redirect("project", project_id=found.pk)
    context = {"form": form, "title": title, "button": "Keep the changes", "project": found}
    return render(request, "annotation/project_form.html", context)


def _has_changed(found: Project) -> bool:
    """Whether a file of the task has changed since the project was made; False if the task cannot be read."""
    try:
        return found.fingerprint not in {"", task_fingerprint(found.task)}
    except TaskGone:
        return False
