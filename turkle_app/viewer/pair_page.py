"""One instance in two runs."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from harness.records.directory import RunDirectory
from harness.records.record_file import NotARun
from harness.reports.watch.episode_addresses import EpisodeLinks
from harness.reports.watch.episode_files import EpisodeFiles
from harness.reports.watch.episode_html import episode_css
from harness.reports.watch.episode_pair import episode_pair
from harness.reports.watch.episode_view import EpisodeView, episode_view
from harness.scoring.metrics import PROFILES
from turkle_app.access import staff
from turkle_app.viewer.episode_page import ServedAddresses
from turkle_app.viewer.slugs import find_run


@require_safe
@staff
def pair_page(  # noqa: PLR0917 - the parts of its address
    request: HttpRequest, run: str, other: str, task: str, index: int, other_index: int
) -> HttpResponse:
    """Show an instance in two runs beside each other, for staff: each run by its slug, with its place there."""
    files = (EpisodeFiles(find_run(run).folder), EpisodeFiles(find_run(other).folder))
    try:
        profile = RunDirectory(files[0].folder).read().config.metrics
        first = _view(files[0], run, task, index, profile)
        second = _view(files[1], other, task, other_index, profile)
    except NotARun as error:
        raise Http404(str(error)) from error
    context = {
        "pair": episode_pair(first, second, files),
        "css": episode_css(),
        "runs": [("A", run, first, index), ("B", other, second, other_index)],
        "task": task,
        "swapped": reverse("pair", args=[other, run, task, other_index, index]),
    }
    return render(request, "viewer/pair_page.html", context)


def _view(files: EpisodeFiles, slug: str, task: str, index: int, profile: str) -> EpisodeView:
    name = find_run(slug).name
    found = files.episode(task, index)
    return episode_view(
        files, found, PROFILES[profile], run=name, addresses=ServedAddresses(slug), links=EpisodeLinks()
    )
