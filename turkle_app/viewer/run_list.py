"""The list of runs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.watch.listed_run import listed_run
from turkle_app.access import staff
from turkle_app.viewer.slugs import runs_folder


@require_safe
@staff
def run_list(request: HttpRequest) -> HttpResponse:
    """List the runs of the folder, for staff."""
    folder = runs_folder()
    runs = [listed_run(place) for place in folder.places()]
    return render(request, "viewer/run_list.html", {"folder": folder.folder, "runs": runs})
