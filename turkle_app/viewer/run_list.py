"""The list of runs."""

from __future__ import annotations

from typing import get_args

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.reports.watch.listed_run import RUN_ORDERS, chosen_runs, listed_run
from harness.reports.watch.run_state import RunState
from turkle_app.access import staff
from turkle_app.viewer.slugs import runs_folder, slug_of
from turkle_app.viewer.watched import watched

_ORDERS = {
    "newest": "newest first",
    "name": "name",
    "score": "best first",
    "cost": "dearest first",
    "solver": "solver",
    "state": "state",
}

_HOLDS = 10.0
"""Seconds for which a look at a run holds that nobody writes."""


@require_safe
@staff
def run_list(request: HttpRequest) -> HttpResponse:
    """List the runs of the folder, for staff: those that match the words `q` and are in the state `state`."""
    folder = runs_folder()
    runs = [listed_run(place, watched(), _HOLDS) for place in folder.places()]
    query, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    sort = request.GET.get("sort", "")
    sort = sort if sort in RUN_ORDERS else "newest"
    shown = chosen_runs(runs, query, state, sort)
    context = {
        "folder": folder.folder,
        "count": len(runs),
        "runs": [(slug_of(run.place.parts), run) for run in shown],
        "query": query,
        "state": state,
        "states": {name: number for name in get_args(RunState) if (number := sum(run.state == name for run in runs))},
        "sort": sort,
        "orders": _ORDERS,
        "live": any(run.state == "running" or (run.index and run.index.busy) for run in runs),
    }
    return render(request, "viewer/run_list.html", context)
