"""The page of an episode, and what it loads: pictures, texts and the episode's own file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from harness.files.names import path_name
from harness.metrics import PROFILES
from harness.runlog.directory import RunDirectory
from harness.runlog.episode import Episode
from harness.runlog.record_file import NotARun
from harness.watch.episode_addresses import EpisodeLinks, ProfileLink
from harness.watch.episode_files import MEDIA_TYPES, EpisodeFiles, is_content_name
from harness.watch.episode_html import as_text, episode_css, episode_html
from harness.watch.episode_page import page_of
from harness.watch.neighbours import EpisodePlace, neighbours
from harness.watch.runs_folder import RunPlace
from turkle_app.access import staff
from turkle_app.origins import pages_origin
from turkle_app.viewer.slugs import find_run

P = ParamSpec("P")
T = TypeVar("T")

# Named by their content, which never changes; only for who has been let in.
_KEPT = {"Cache-Control": "private, max-age=31536000, immutable"}


@require_safe
@staff
def episode(request: HttpRequest, run: str, task: str, index: int) -> HttpResponse:
    """Show an episode, for staff: what happened, step by step, and why its fields have their scores."""
    place = find_run(run)
    files = EpisodeFiles(place.folder)
    context = {"run": place, "slug": run, "task": task, "index": index, "css": episode_css()}
    try:
        found = files.episode(task, index)
    except NotARun as error:
        # Not by ``Path.exists``, which fails for names that are too long.
        if not os.path.exists(place.folder / "episodes" / task / f"{index}.json"):  # noqa: PTH110
            raise Http404(str(error)) from error
        return render(request, "viewer/episode.html", {**context, "trouble": str(error)})
    profile = request.GET.get("metrics", "") or _profile_of(place)
    if profile not in PROFILES:
        raise Http404
    page = page_of(
        files,
        found,
        PROFILES[profile],
        run=place.name,
        addresses=ServedAddresses(run),
        links=_links(request, place, run, found, profile),
    )
    return render(request, "viewer/episode.html", {**context, "page": page, "body": episode_html(page)})


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
def text(request: HttpRequest, run: str, name: str) -> HttpResponse:
    """Show a text that was sent to a model or came back, whole and as nothing but text, for staff."""
    del request
    value = _found(EpisodeFiles(find_run(run).folder).whole_text, name)
    words = as_text(value).encode("utf-8", "replace")
    return HttpResponse(words, content_type="text/plain; charset=utf-8", headers=_KEPT)


@dataclass(frozen=True)
class ServedAddresses:
    """Addresses of this server; see ``harness.watch.episode_addresses.EpisodeAddresses``.

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

    def text(self, name: str) -> str:
        """Of a whole text."""
        return reverse("episode-text", args=[self.run, name]) if is_content_name(name) else ""


def _links(request: HttpRequest, place: RunPlace, slug: str, found: Episode, profile: str) -> EpisodeLinks:
    here = EpisodePlace(path_name(found.task), found.index)
    before, behind = neighbours(place.folder, here)
    arguments = [slug, here.task, here.index]
    own = reverse("episode", args=arguments)
    return EpisodeLinks(
        previous=_neighbour(request, slug, before),
        next=_neighbour(request, slug, behind),
        source=reverse("episode-source", args=arguments),
        profiles=tuple(ProfileLink(name, f"{own}?metrics={name}", name == profile) for name in PROFILES),
        filled_page=pages_origin(request) + reverse("filled-page", args=arguments) if found.submission else "",
        say=reverse("open-verdicts", args=arguments),
    )


def _neighbour(request: HttpRequest, slug: str, place: EpisodePlace | None) -> str:
    if place is None:
        return ""
    query = request.GET.urlencode()
    return reverse("episode", args=[slug, place.task, place.index]) + (f"?{query}" if query else "")


def _profile_of(place: RunPlace) -> str:
    """The profile of a run; the usual one if its ``run.json`` cannot be read, which its own page says."""
    try:
        return RunDirectory(place.folder).read().config.metrics
    except NotARun:
        return next(iter(PROFILES))


def _found(read: Callable[P, T], *arguments: P.args, **values: P.kwargs) -> T:
    """What a run holds; there is no such page if it cannot be read."""
    try:
        return read(*arguments, **values)
    except NotARun as error:
        raise Http404(str(error)) from error


def _picture(data: bytes, name: str) -> HttpResponse:
    headers = {**_KEPT, "Content-Security-Policy": "sandbox"}
    return HttpResponse(data, content_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=headers)
