"""The page of a run: its figures, its tasks, what went wrong, and a table of its episodes."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.installation import to_type
from harness.records.directory import CONFIG_FILE, RUN_FILE
from harness.records.episode import OUTCOMES
from harness.records.run_record import RunRecord
from harness.reports.watch.episode_query import ORDER_WORDS, EpisodeQuery
from harness.reports.watch.episode_table import PAGE, EpisodePage, episode_page
from harness.reports.watch.judged_list import judged_episodes
from harness.reports.watch.listed_run import ListedRun, listed_run
from harness.reports.watch.run_counts import RunCounts, counts, pace
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.run_settings import run_settings
from turkle_app.access import staff
from turkle_app.viewer.slugs import find_run
from turkle_app.viewer.watched import watched

_NEWEST = 6
"""Episodes that are named while a run goes on."""


@require_safe
@staff
def run_page(request: HttpRequest, run: str) -> HttpResponse:
    """Show a run, for staff: its figures, and the episodes that the query chooses (see ``EpisodeQuery``)."""
    listed = listed_run(find_run(run), watched())
    context: dict[str, Any] = {"slug": run, "run": listed, "record": listed.record}
    if listed.record is None:
        return render(request, "viewer/run_broken.html", context)
    if not listed.index or not listed.index.built:
        return render(request, "viewer/run_indexing.html", context)
    try:
        context |= _tables(request, listed, listed.record)
    except (IndexGone, OSError):  # it is being made anew, or cannot be read just now: the next look says why
        return render(request, "viewer/run_indexing.html", context)
    return render(request, "viewer/run_page.html", context)


@require_safe
@staff
def run_file(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Give ``run.json`` or ``config.toml`` as it stands, for staff."""
    del request
    if name not in (RUN_FILE, CONFIG_FILE):
        raise Http404(f"{name} is no file that is shown of a run: {RUN_FILE} and {CONFIG_FILE} are.")
    try:
        data = read_inside(find_run(run).folder, name, MOST)
    except OSError as error:
        raise Http404(f"This run has no {name}: {error}") from error
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(data, content_type="text/plain; charset=utf-8", headers=headers)


def _tables(request: HttpRequest, run: ListedRun, record: RunRecord) -> dict[str, Any]:
    query = EpisodeQuery.of(request.GET.dict())
    page = request.GET.get("page", "")
    running = run.state == "running"
    judged = judged_episodes(run.place.folder, record)
    with RunIndex(run.place.folder, record).open() as database:
        number = int(page) if page.isdecimal() and len(page) < 9 else 1
        chosen = episode_page(database, query, number, judged=judged.chosen(query.judged))
        counted = _counted(run, database)
        newest = episode_page(database, EpisodeQuery(sort="newest"), size=_NEWEST).episodes if running else ()
        at_pace = pace(database, _left(run, record)) if running else None
    return {
        "query": query,
        "settings": run_settings(record),
        "again": to_type("evaluate", "--config", run.place.folder / CONFIG_FILE),
        "judged": judged,
        "judged_choices": sorted(judged.choices.items(), key=lambda each: each[0].partition(" ")[::-1]),
        "page": chosen,
        "page_numbers": _numbers(chosen),
        "counts": counted,
        "outcomes": [(name, number) for name, number in counted.outcomes.items() if number or name in OUTCOMES[:2]],
        "numbers": run.index.numbers if run.index else None,
        "newest": newest,
        "pace": at_pace,
        "orders": ORDER_WORDS,
        "all_outcomes": OUTCOMES,
        "list": query.to_query(),
        "live": running or (run.index is not None and run.index.busy),
    }


def _left(run: ListedRun, record: RunRecord) -> int | None:
    """How many episodes are still to come, by what lies in the directory; None if that is not known yet."""
    return None if record.planned_episodes is None else record.planned_episodes - run.episodes


def _counted(run: ListedRun, database: sqlite3.Connection) -> RunCounts:
    """What is counted of a run; counted anew only when its index has changed."""
    index, record = run.index, run.record
    assert index is not None  # noqa: S101 - the page is shown only once both are there
    assert record is not None  # noqa: S101
    state = (record.started, index.newest, index.episodes, index.broken)
    if (kept := _COUNTS.get(run.place.folder)) is None or kept[0] != state:
        kept = _COUNTS[run.place.folder] = (state, counts(database))
    return kept[1]


_COUNTS: dict[Path, tuple[tuple[str, int, int, int], RunCounts]] = {}


def _numbers(page: EpisodePage) -> list[Any]:
    """The numbers of pages to choose from, with gaps."""
    return list(Paginator(range(page.count), PAGE).get_elided_page_range(page.number))
