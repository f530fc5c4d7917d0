"""The list of runs, as a page and as a file."""

from __future__ import annotations

from typing import get_args

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.reports.watch.listed_run import ListedRun, listed_run
from harness.reports.watch.run_notes import MalformedNotes, PlacedNotes
from harness.reports.watch.run_state import RunState
from harness.reports.watch.run_table import NEWEST, RUN_COLUMNS, RUN_ORDERS, RunChoice, in_order, noted_runs
from harness.reports.watch.score_chart import HEIGHT, WIDTH, score_charts
from turkle_app.access import may_write, staff
from turkle_app.viewer.slugs import parts_of, runs_folder, slug_of
from turkle_app.viewer.tables import file_of, kept_columns, shown_table
from turkle_app.viewer.watched import watched

_HOLDS = 10.0
"""Seconds for which a look at a run holds that nobody writes."""
_PAGE = 100
"""Runs on a page."""
_COOKIE = "columns-runs"


@require_safe
@staff
def run_list(request: HttpRequest) -> HttpResponseBase:
    """List the runs of the folder, for staff: those that the query chooses, and their scores over time."""
    if kept := kept_columns(request, _COOKIE):
        return kept
    folder = runs_folder()
    runs, notes, trouble = _noted()
    choice, sort = _choice(request), request.GET.get("sort", "") or NEWEST
    chosen = in_order(choice.chosen(runs), sort)
    page = Paginator(chosen, _PAGE).get_page(request.GET.get("page"))
    context = {
        "folder": folder.folder,
        "count": len(runs),
        "chosen": len(chosen),
        "page": page,
        "page_numbers": list(page.paginator.get_elided_page_range(page.number)),
        "runs": [(slug_of(run.place.parts), run) for run in page],
        "choice": choice,
        "only": request.GET.getlist("run"),
        "states": {name: number for name in get_args(RunState) if (number := sum(run.state == name for run in runs))},
        "tags": notes.tags,
        "lost": notes.lost,
        "trouble": trouble,
        "may_write": may_write(),
        "sort": sort,
        "orders": RUN_ORDERS,
        "table": shown_table(request, RUN_COLUMNS, sort, _COOKIE),
        "charts": score_charts(chosen),
        "width": WIDTH,
        "height": HEIGHT,
        "live": any(run.state == "running" or (run.index and run.index.busy) for run in runs),
    }
    return render(request, "viewer/run_list.html", context)


@require_safe
@staff
def run_list_file(request: HttpRequest, form: str) -> HttpResponseBase:
    """Give the runs that the query chooses, as CSV or JSON, for staff."""
    runs, _, _ = _noted()
    chosen = in_order(_choice(request).chosen(runs), request.GET.get("sort", ""))
    return file_of(request, form, RUN_COLUMNS, chosen, "runs")


def _choice(request: HttpRequest) -> RunChoice:
    said = {name: request.GET.get(name, "").strip() for name in ("q", "state", "tag")}
    places = tuple(parts_of(slug) for slug in request.GET.getlist("run"))
    return RunChoice(words=said["q"], state=said["state"], tag=said["tag"], places=places)


def _noted() -> tuple[list[ListedRun], PlacedNotes, str]:
    """Return all runs with their notes, which run each note is of, and why notes cannot be read."""
    folder = runs_folder()
    runs = [listed_run(place, watched(), _HOLDS) for place in folder.places()]
    try:
        return *noted_runs(folder, runs), ""
    except MalformedNotes as error:
        return runs, PlacedNotes({}, ()), str(error)
