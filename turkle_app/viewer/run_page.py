"""The page of a run: its figures, its tasks, what went wrong, and a table of its episodes."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.installation import to_type
from harness.records.directory import CONFIG_FILE, REPORT_FILE, RUN_FILE
from harness.records.episode import OUTCOMES
from harness.records.record_file import NotARun
from harness.records.run_record import RunRecord
from harness.records.under_way import UnderWay, episodes_under_way, picture_under_way
from harness.reports.watch.episode_files import EpisodeFiles
from harness.reports.watch.episode_query import ORDER_WORDS, ORDERS_ON_SITES, EpisodeQuery
from harness.reports.watch.episode_table import (
    PAGE,
    EpisodePage,
    IndexedEpisode,
    amount_summaries,
    chosen_episodes,
    episode_columns,
    episode_page,
)
from harness.reports.watch.episode_words import told_in_order
from harness.reports.watch.judged_list import judged_episodes
from harness.reports.watch.listed_run import ListedRun, listed_run
from harness.reports.watch.run_counts import RunCounts, counts, failure_places, pace
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.run_notes import MalformedNotes
from harness.reports.watch.run_settings import run_settings
from harness.reports.watch.run_table import noted_run
from harness.reports.watch.search_terms import SearchTerms, Snippet
from turkle_app.access import staff
from turkle_app.origins import REPORT_POLICY
from turkle_app.viewer.slugs import find_run, runs_folder
from turkle_app.viewer.tables import file_of, kept_columns, shown_table
from turkle_app.viewer.watched import watched

_NEWEST = 6
"""Episodes that are named while a run goes on."""
_COOKIE = "columns-episodes"


@require_safe
@staff
def run_page(request: HttpRequest, run: str) -> HttpResponse:
    """Show a run, for staff: its figures, and the episodes that the query chooses (see ``EpisodeQuery``)."""
    if kept := kept_columns(request, _COOKIE):
        return kept
    listed = listed_run(find_run(run), watched())
    trouble = ""
    try:
        listed = noted_run(runs_folder(), listed)
    except MalformedNotes as error:
        trouble = str(error)
    context: dict[str, Any] = {"slug": run, "run": listed, "record": listed.record, "trouble": trouble}
    if listed.record is None:
        return render(request, "viewer/run_broken.html", context)
    context["under_way"] = _under_way(listed)
    if not listed.index or not (listed.index.built or listed.index.episodes):
        return render(request, "viewer/run_indexing.html", context)
    try:
        context |= _tables(request, listed, listed.record)
    except (IndexGone, OSError):  # it is being made anew, or cannot be read just now: the next look says why
        return render(request, "viewer/run_indexing.html", context)
    return render(request, "viewer/run_page.html", context)


@require_safe
@staff
def episodes_file(request: HttpRequest, run: str, form: str) -> HttpResponseBase:
    """Give the episodes that the query chooses, as CSV or JSON, for staff."""
    place = find_run(run)
    listed = listed_run(place, watched())
    record = listed.record
    if record is None:
        raise Http404(f"The run {place.name} cannot be read: {listed.reason}")
    if not listed.index or not listed.index.built:
        return _later()
    query = EpisodeQuery.of(request.GET.dict())
    judged = judged_episodes(place.folder, record)

    def rows() -> Iterator[IndexedEpisode]:
        with RunIndex(place.folder, record).open() as database:
            yield from chosen_episodes(database, query, judged.chosen(query.judged))

    try:
        return file_of(request, form, episode_columns(judged), rows(), "episodes")
    except (IndexGone, OSError):
        return _later()


def _later() -> HttpResponse:
    said = "The episodes of this run are being read: open its page, and ask again when it shows them.\n"
    return HttpResponse(said, status=503, content_type="text/plain; charset=utf-8", headers={"Retry-After": "5"})


@require_safe
@staff
def run_file(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Give ``run.json``, ``config.toml`` or the report as it stands, for staff."""
    del request
    if name not in (RUN_FILE, CONFIG_FILE, REPORT_FILE):
        raise Http404(f"{name} is no file that is shown of a run: {RUN_FILE}, {CONFIG_FILE} and {REPORT_FILE} are.")
    try:
        data = read_inside(find_run(run).folder, name, MOST)
    except OSError as error:
        raise Http404(f"This run has no {name}: {error}") from error
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    kind = "plain"
    if name == REPORT_FILE:  # anybody may have written it
        kind, headers["Content-Security-Policy"] = "html", REPORT_POLICY
    return HttpResponse(data, content_type=f"text/{kind}; charset=utf-8", headers=headers)


@require_safe
@staff
def reported_episode(request: HttpRequest, run: str, task: str, index: int) -> HttpResponse:
    """Lead to the page of an episode from where a report has its file, for staff."""
    del request
    return redirect("episode", run=run, task=task, index=index)


@require_safe
@staff
def under_way_picture(request: HttpRequest, run: str, process: int) -> HttpResponse:
    """Show what an episode that goes on saw last, for staff."""
    del request
    try:
        data = picture_under_way(find_run(run).folder, process)
    except OSError as error:
        raise Http404(str(error)) from error
    kind = next((kind for kind, (first, at, sign) in _PICTURES.items() if data[first:at] == sign), None)
    if kind is None:
        raise Http404("It is no picture.")
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": "sandbox"}
    return HttpResponse(data, content_type=kind, headers=headers)


_PICTURES = {
    "image/png": (0, 8, b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": (0, 3, b"\xff\xd8\xff"),
    "image/webp": (8, 12, b"WEBP"),
}
"""Type of a picture -> where its sign stands, and the sign."""


def _under_way(run: ListedRun) -> list[tuple[UnderWay, float, float | None]]:
    """The episodes that go on, each with the seconds since it began, and since it has been waiting."""
    found = episodes_under_way(run.place.folder) if run.state == "running" else ()
    return [
        (each, _seconds_since(each.since), _seconds_since(each.waiting) if each.waiting else None) for each in found
    ]


def _seconds_since(moment: str) -> float:
    """Seconds since a moment; 0 if it is none, or to come by this machine's clock."""
    try:
        then = datetime.datetime.fromisoformat(moment)
        return max(0.0, (datetime.datetime.now(datetime.UTC) - then).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def _tables(request: HttpRequest, run: ListedRun, record: RunRecord) -> dict[str, Any]:
    query = EpisodeQuery.of(request.GET.dict())
    page = request.GET.get("page", "")
    running = run.state == "running"
    judged = judged_episodes(run.place.folder, record)
    with RunIndex(run.place.folder, record).open() as database:
        number = int(page) if page.isdecimal() and len(page) < 9 else 1
        among = judged.chosen(query.judged)
        chosen = episode_page(database, query, number, judged=among)
        amounts = amount_summaries(database, query, among)
        counted = _counted(run, database)
        folds = bool(query.error and query.message)
        places = failure_places(database, query.error, query.message) if folds else None
        newest = episode_page(database, EpisodeQuery(sort="newest"), size=_NEWEST).episodes if running else ()
        at_pace = pace(database, _left(run, record)) if running else None
    config = run.place.folder / CONFIG_FILE
    columns = episode_columns(judged, on_sites=bool(counted.sites), is_judged=bool(judged.said))
    return {
        "query": query,
        "table": shown_table(request, columns, query.sort, _COOKIE),
        "amounts": {each.name: each for each in amounts},
        "settings": run_settings(record),
        "report": (run.place.folder / REPORT_FILE).is_file(),
        "reporting": to_type("report", run.place.folder),
        "again": to_type("evaluate", "--config", config) if config.is_file() else "",
        "judged": judged,
        "judged_choices": sorted(judged.choices.items(), key=lambda each: each[0].partition(" ")[::-1]),
        "page": chosen,
        "page_numbers": _numbers(chosen),
        "snippets": _snippets(run.place.folder, chosen, query.q),
        "counts": counted,
        "places": places,
        "ended_choices": list(dict.fromkeys([*(end.message for end in counted.ends), *filter(None, [query.ended])])),
        "outcomes": [(name, number) for name, number in counted.outcomes.items() if number or name in OUTCOMES[:2]],
        "numbers": run.index.numbers if run.index else None,
        "newest": newest,
        "pace": at_pace,
        "orders": {name: said for name, said in ORDER_WORDS.items() if counted.sites or name not in ORDERS_ON_SITES},
        "all_outcomes": OUTCOMES,
        "list": query.to_query(),
        "live": running or (run.index is not None and run.index.busy),
    }


def _snippets(folder: Path, page: EpisodePage, words: str) -> dict[tuple[str, int], Snippet]:
    """Of the episodes of a page, by folder and index: the first place at which what was searched for stands."""
    terms, files = SearchTerms.of(words), EpisodeFiles(folder)
    found = {}
    for each in page.episodes if terms.terms else ():
        with contextlib.suppress(NotARun):  # it was changed or removed since it was taken into the index
            texts = told_in_order(folder, files.episode(each.folder, each.index))
            if snippet := next(filter(None, map(terms.snippet, texts)), None):
                found[each.folder, each.index] = snippet
    return found


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
