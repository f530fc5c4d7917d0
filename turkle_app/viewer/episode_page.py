"""The page of an episode, and what it loads: pictures, texts and the episode's own file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import resolve, reverse
from django.views.decorators.http import require_safe

from harness.kit.files.installation import BUNDLED_TASKS, to_type
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.record_file import NotARun
from harness.records.run_record import RunRecord
from harness.reports.watch.episode_addresses import EpisodeLinks, ProfileLink
from harness.reports.watch.episode_files import MEDIA_TYPES, EpisodeFiles, is_content_name
from harness.reports.watch.episode_html import as_text, episode_css, episode_html
from harness.reports.watch.episode_query import EpisodeQuery
from harness.reports.watch.episode_table import IndexedEpisode, Neighbours, neighbours
from harness.reports.watch.episode_view import episode_view
from harness.reports.watch.found_marks import MOST_MARKS, marked
from harness.reports.watch.judged_list import judged_episodes
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.run_order import EpisodePlace, around
from harness.reports.watch.runs_folder import RunPlace
from harness.reports.watch.search_terms import SearchTerms
from harness.scoring.metrics import PROFILES
from turkle_app.access import is_here_alone, staff
from turkle_app.viewer.filled_address import filled_address
from turkle_app.viewer.slugs import find_run, slug_of

P = ParamSpec("P")
T = TypeVar("T")

_MARKDOWN = "markdown"
"""Asks for replies as their Markdown means them."""
# Named by their content, which never changes; only for who has been let in.
_KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}


@require_safe
@staff
def episode(request: HttpRequest, run: str, task: str, index: int) -> HttpResponse:
    """Show an episode, for staff: what happened, step by step, and why its fields have their scores."""
    place = find_run(run)
    files = EpisodeFiles(place.folder)
    context: dict[str, Any] = {"run": place, "slug": run, "task": task, "index": index, "css": episode_css()}
    try:
        found = files.episode(task, index)
    except NotARun as error:
        # Not by ``Path.exists``, which fails for names that are too long.
        if not os.path.exists(place.folder / "episodes" / task / f"{index}.json"):  # noqa: PTH110
            raise Http404(str(error)) from error
        return render(request, "viewer/episode.html", {**context, "trouble": str(error)})
    record = record_of(place)
    # A run whose ``run.json`` cannot be read says so on its own page.
    profile = request.GET.get("metrics", "") or (record.config.metrics if record else next(iter(PROFILES)))
    if profile not in PROFILES:
        raise Http404
    addresses = ServedAddresses(run)
    links = _links(request, found, profile, _around(request, place, record, task, index))
    links = replace(links, replay=_replaying(place, found))
    markdown = request.GET.get("replies") == _MARKDOWN
    page = episode_view(
        files, found, PROFILES[profile], run=place.name, addresses=addresses, links=links, markdown=markdown
    )
    context |= {"page": page, "body": episode_html(page)}
    terms = SearchTerms.of(_searched(request))
    if terms.terms:
        marks = marked(context["body"], terms, partial(_long_text, files))
        context |= {"body": marks.html, "marks": marks.marks, "searched": _searched(request), "most": MOST_MARKS}
    return render(request, "viewer/episode.html", context)


@require_safe
@staff
def episode_source(request: HttpRequest, run: str, task: str, index: int) -> HttpResponse:
    """Give the file of an episode as it stands, for staff."""
    del request
    data = _found(EpisodeFiles(find_run(run).folder).source, task, index)
    headers = {"Content-Disposition": "attachment", "Cache-Control": "no-store"}
    return HttpResponse(data, content_type="application/json", headers=headers)


@require_safe
@staff
def step_picture(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Show a picture that a step or a turn names, for staff."""
    del request
    return _picture(_found(EpisodeFiles(find_run(run).folder).step_picture, name), name)


@require_safe
@staff
def film_picture(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Show a picture of a film, for staff."""
    del request
    return _picture(_found(EpisodeFiles(find_run(run).folder).film_picture, name), name)


@require_safe
@staff
def film_page(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Show what a page held at a moment of a film, as nothing but text, for staff."""
    del request
    html = _found(EpisodeFiles(find_run(run).folder).film_page, name)
    return HttpResponse(html.encode(), content_type="text/plain; charset=utf-8", headers=_KEPT)


@require_safe
@staff
def text(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Show a text that was sent to a model or came back, whole and as nothing but text, for staff."""
    del request
    value = _found(EpisodeFiles(find_run(run).folder).whole_text, name)
    words = as_text(value).encode("utf-8", "replace")
    return HttpResponse(words, content_type="text/plain; charset=utf-8", headers=_KEPT)


@dataclass(frozen=True)
class ServedAddresses:
    """Addresses of this server; see ``harness.reports.watch.episode_addresses.EpisodeAddresses``.

    Attributes:
        run: The run's slug.
    """

    run: str
    thumbnails = True

    def step_picture(self, name: str) -> str:
        """Of a picture that a step or a turn names."""
        return reverse("step-picture", args=[self.run, f"{name}.png"]) if is_content_name(name) else ""

    def film_picture(self, name: str) -> str:
        """Of a picture that a frame names."""
        return reverse("film-picture", args=[self.run, name])

    def film_page(self, name: str) -> str:
        """Of what a page held."""
        return reverse("film-page", args=[self.run, name])

    def text(self, name: str) -> str:
        """Of a whole text."""
        return reverse("episode-text", args=[self.run, name]) if is_content_name(name) else ""


def _searched(request: HttpRequest) -> str:
    """What was searched for in the list from which an episode was chosen."""
    return EpisodeQuery.of(QueryDict(request.GET.get("list")).dict()).q


def _long_text(files: EpisodeFiles, address: str) -> str:
    """A text by its address on this server; empty if it cannot be had."""
    try:
        return as_text(files.whole_text(address.rpartition("/")[2]))
    except NotARun:
        return ""


def _links(request: HttpRequest, found: Episode, profile: str, links: EpisodeLinks) -> EpisodeLinks:
    arguments = list(resolve(request.path_info).kwargs.values())
    given = request.GET.copy()
    profiles = []
    for name in PROFILES:
        given["metrics"] = name
        profiles.append(ProfileLink(name, f"?{given.urlencode()}", name == profile))
    other = request.GET.copy()
    if other.pop("replies", None) != [_MARKDOWN]:
        other["replies"] = _MARKDOWN
    return replace(
        links,
        ask=reverse("ask-again", args=[*arguments, 1]).removesuffix("1/") if is_here_alone() else "",
        replies=f"?{other.urlencode()}",
        source=reverse("episode-source", args=arguments),
        profiles=tuple(profiles),
        filled_page=filled_address(request, *arguments) if found.submission else "",
        say=reverse("open-verdicts", args=arguments),
    )


def _replaying(place: RunPlace, episode: Episode) -> str:
    """The command that does the actions of an episode again; empty where there are none that are known."""
    if not episode.steps or episode.unseen:
        return ""
    tasks = settings.TURKLE_TASKS_DIR
    source = () if tasks == BUNDLED_TASKS else ("--tasks-dir", tasks)
    return to_type("replay", place.folder, episode.task, str(episode.index), *source)


def _around(request: HttpRequest, place: RunPlace, record: RunRecord | None, task: str, index: int) -> EpisodeLinks:
    """The links to the episodes around one: in the list that it was chosen from, else in the order of the run."""

    def link(other: EpisodePlace | IndexedEpisode | None) -> str:
        if other is None:
            return ""
        name = other.task if isinstance(other, EpisodePlace) else other.folder
        address = reverse("episode", args=[slug_of(place.parts), name, other.index])
        fragment = "#hit-1" if _searched(request) else ""
        return f"{address}?{request.GET.urlencode()}{fragment}" if request.GET else address

    chosen = request.GET.get("list")
    if chosen is None:
        before, behind = around(place.folder, EpisodePlace(task, index))
        return EpisodeLinks(previous=link(before), next=link(behind))
    listed = _in_list(place, record, EpisodeQuery.of(QueryDict(chosen).dict()), (task, index))
    if listed is None or listed.position is None:
        return EpisodeLinks(position="not in the list any more")
    position = f"{listed.position:,} of {listed.count:,} in the list"
    return EpisodeLinks(previous=link(listed.before), next=link(listed.after), position=position)


def _in_list(
    place: RunPlace, record: RunRecord | None, query: EpisodeQuery, here: tuple[str, int]
) -> Neighbours | None:
    """The episodes around one in a list; None where there is no list."""
    if record is None:
        return None
    try:
        with RunIndex(place.folder, record).open() as database:
            return neighbours(database, here, query, judged_episodes(place.folder, record).chosen(query.judged))
    except (IndexGone, OSError):  # it is being made anew, or there is no place for it
        return None


def record_of(place: RunPlace) -> RunRecord | None:
    """Return the record of a run; None if it cannot be read."""
    try:
        return RunDirectory(place.folder).read()
    except NotARun:
        return None


def _found(read: Callable[P, T], *arguments: P.args, **values: P.kwargs) -> T:
    """What a run holds; there is no such page if it cannot be read."""
    try:
        return read(*arguments, **values)
    except NotARun as error:
        raise Http404(str(error)) from error


def _picture(data: bytes, name: str) -> HttpResponse:
    headers = {**_KEPT, "Content-Security-Policy": "sandbox"}
    return HttpResponse(data, content_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=headers)
