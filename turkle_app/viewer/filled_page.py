"""A task's page with the values filled in that an episode's form sent. It comes from the origin of strangers' pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from harness.catalog import MalformedTask
from harness.records.episode import Episode
from harness.records.record_file import NotARun
from harness.reports.watch.episode_files import EpisodeFiles
from turkle_app.access import everybody
from turkle_app.marking import marked
from turkle_app.tasks import UnknownInstance, UnknownTask, find_instance, find_task, page_html
from turkle_app.viewer.filled_address import opens
from turkle_app.viewer.slugs import find_run

_SCRIPT = Path(__file__).parent / "filled_page.js"
_HEAD = re.compile(r"<head(?:\s[^>]*)?>", re.IGNORECASE)
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_CLOSED = "This address does not open the page, or not any more. Load the page again in which it stands."


@xframe_options_exempt  # a policy says who may frame it
@require_safe
@everybody
def filled_page(request: HttpRequest, run: str, task: str, index: int) -> HttpResponse:
    """Show everybody who has its address the page of an episode's instance with its answers; or why not.

    The field `mark` is framed. With accounts only staff are given the address (``turkle_app.viewer.filled_address``).
    """
    if not opens(request, run, task, index):
        return _refusal(request, _CLOSED, 403)
    try:
        episode = EpisodeFiles(find_run(run).folder).episode(task, index)
    except NotARun as error:
        return _refusal(request, str(error))
    if reason := _difference(episode):
        return _refusal(request, reason)
    html = _filled(page_html(episode.task, index), episode)
    return HttpResponse(marked(html, request.GET["mark"]) if "mark" in request.GET else html, headers=_HEADERS)


def _difference(episode: Episode) -> str:
    """Why this server's tasks do not have the instance of an episode; empty if they have."""
    if episode.submission is None:
        return "Nothing was read back from its form."
    try:
        instance = find_instance(find_task(episode.task), episode.index)
    except (UnknownTask, UnknownInstance) as error:
        return f"{error} Serve the run's own tasks with --tasks-dir."
    except MalformedTask:
        return "The files of its task cannot be used. The task's own page says what is wrong."
    if instance.id != episode.id:
        return "This server's tasks have another instance at its place. Serve the run's own tasks with --tasks-dir."
    return ""


def _filled(html: str, episode: Episode) -> str:
    """The page with a script that fills it in. What was sent cannot end the script: no sign of HTML is left in it."""
    values = json.dumps(dict(episode.submission.values) if episode.submission else {})
    literal = json.dumps(values).replace("<", "\\u003c")
    script = f"<script>{_SCRIPT.read_text(encoding='utf-8').replace('VALUES', literal)}</script>"
    head = _HEAD.search(html)
    return html[: head.end()] + script + html[head.end() :] if head else html + script


def _refusal(request: HttpRequest, reason: str, status: int = 200) -> HttpResponse:
    return render(request, "viewer/filled_refusal.html", {"reason": reason}, status=status)
