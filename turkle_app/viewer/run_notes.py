"""Tags and the note of a run, edited; and those forgotten whose run is gone."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from harness.kit.errors import UserError
from harness.reports.watch.listed_run import listed_run
from harness.reports.watch.run_notes import (
    CHANGED,
    LONGEST_NOTE,
    LONGEST_TAG,
    MOST_TAGS,
    MalformedNotes,
    NotesChanged,
    RunNotes,
    written_note,
)
from harness.reports.watch.run_table import noted_run
from turkle_app.access import may_write, staff
from turkle_app.viewer.slugs import find_run, runs_folder
from turkle_app.viewer.watched import watched


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def run_notes(request: HttpRequest, run: str) -> HttpResponseBase:
    """Show the tags and the note of a run, and keep what is posted in their place, for staff."""
    folder = runs_folder()
    listed = listed_run(find_run(run), watched())
    about = listed.note
    trouble, status = "", 200
    try:
        listed = noted_run(folder, listed)
    except MalformedNotes as error:
        trouble = str(error)
    before = listed.note
    tags, note = ", ".join(before.tags), before.note
    if request.method == "POST":
        tags, note = request.POST.get("tags", ""), request.POST.get("note", "")
        by = request.user.get_username() if settings.TURKLE_ANNOTATION else ""
        try:
            if request.POST.get("seen", "") != before.at:
                raise NotesChanged(CHANGED)
            RunNotes(folder.folder).write(written_note(about, tags, note, by), before)
            return redirect("run", run)
        except UserError as error:
            trouble, status = str(error), 409 if isinstance(error, NotesChanged) else 400
    context = {
        "slug": run,
        "run": listed,
        "tags": tags,
        "note": note,
        "file": RunNotes(folder.folder).file,
        "trouble": trouble,
        "is_changed": status == 409,
        "may_write": may_write(),
        "longest_note": LONGEST_NOTE,
        "longest_tag": LONGEST_TAG,
        "most_tags": MOST_TAGS,
        "live": False,
    }
    return render(request, "viewer/run_notes.html", context, status=status)


@require_POST
@staff
def forget_note(request: HttpRequest) -> HttpResponseBase:
    """Forget a note whose run is gone, for staff: the one of the posted path and time."""
    notes = RunNotes(runs_folder().folder)
    try:
        for note in notes.read():
            if (note.path, note.at) == (request.POST.get("path", ""), request.POST.get("at", "")):
                notes.forget(note)
    except UserError as error:
        context = {"what": str(error), "remedy": "Nothing was forgotten."}
        return render(request, "turkle/error.html", context, status=409)
    return redirect("runs")
