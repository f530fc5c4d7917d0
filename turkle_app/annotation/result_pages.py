"""Staff's page with the results of a project as a file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from harness.kit.files.writing import path_name
from turkle_app.access import staff
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import Project
from turkle_app.annotation.project_results import project_results


@require_safe
@staff
def results(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let staff download what was submitted to a project, in the columns of AMT and Turkle."""
    project = get_object_or_404(Project, pk=project_id)
    try:
        text = project_results(project).csv
    except TaskGone as error:
        context = {"what": str(error), "remedy": "The answers are kept. Then download them again."}
        return render(request, "turkle/error.html", context, status=503)
    return HttpResponse(
        text.encode("utf-8", "backslashreplace"),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{path_name(project.task)}-results.csv"',
            "Cache-Control": "no-store",
        },
    )
