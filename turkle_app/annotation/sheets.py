"""The sheet: the page of an assignment, filled in by its worker, at the origin of strangers' pages.

Its address holds a signed token that stands for this one assignment. Strangers' scripts run in it, and know the
address: all that they can do with it is what the worker can, to submit this assignment, once; the sheet of a correction
takes this one correction. The sheet has no other rights: it needs no cookie, stands in a sandbox, and says nothing
about the worker or others.
"""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from harness.catalog import Instance
from harness.catalog.annotations.help_drawing import Way
from harness.catalog.template.wrapping import SCRIPT
from turkle_app.access import everybody
from turkle_app.annotation.claims import AssignmentRefused, correct, correctable, submit
from turkle_app.annotation.instance_answers import Answers, page_fields
from turkle_app.annotation.instances import TaskGone, find_by_id, task_of
from turkle_app.annotation.models import Assignment, State
from turkle_app.annotation.script_files import script_text
from turkle_app.annotation.sheet_token import sheet_of
from turkle_app.annotation.suggested_answers import help_for
from turkle_app.tasks import page_html

_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


@csrf_exempt  # a stranger's form has no such token; the address is one
@xframe_options_exempt  # a policy says who may frame it
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def sheet(request: HttpRequest, token: str) -> HttpResponse:
    """Show everybody who has its address the sheet of an assignment, and take its answers."""
    number, correction = sheet_of(token) or (None, None)
    assignment = Assignment.objects.select_related("batch", "worker").filter(pk=number).first() if number else None
    if assignment is None:
        raise Http404
    if not assignment.worker.is_active:
        return _said(request, "The account of this assignment is closed, and nothing is taken for it.", 410)
    shown = _taken if request.method == "POST" else _shown
    return shown(request, assignment, correction)


def sheet_html(name: str, instance: Instance, more: str = "") -> str:
    """Return the page of an instance whose form sends its answers to the sheet's own address.

    Args:
        name: The name of the task.
        instance: The instance.
        more: The text of a further script that runs in it.

    Raises:
        MalformedTask: If the task's files cannot be used.
    """
    aiming = f"<script>{script_text('sheet')}\n{more}</script>"
    return page_html(name, instance.index).replace(SCRIPT, SCRIPT + aiming, 1)


def _shown(request: HttpRequest, assignment: Assignment, correction: int | None) -> HttpResponse:
    is_open = assignment.state == State.CLAIMED
    if correction is not None:
        is_open = bool(correctable([assignment])) and assignment.earlier.count() == correction
    if not is_open:
        return _said(request, "This assignment is over.", 410)
    try:
        instance = find_by_id(assignment.batch.task, assignment.instance_id)
    except TaskGone:
        return _said(request, "The task of this assignment cannot be shown at the moment. Tell who runs it.", 503)
    if instance is None:
        return _said(request, "The task has changed, and this instance is no longer in it. Return it.", 410)
    more = _helping(assignment) if correction is None else _filling(assignment, instance)
    html = sheet_html(assignment.batch.task, instance, more)
    return HttpResponse(html, headers=_HEADERS)


def _helping(assignment: Assignment) -> str:
    """The script that gives help with an assignment; empty if it gets none."""
    found = help_for(assignment)
    if found is None:
        return ""
    return _with_answers(*found)


def _filling(assignment: Assignment, instance: Instance) -> str:
    """The script that fills in what a worker answered before; a box that was not ticked, which sends nothing, too."""
    fields = page_fields(task_of(assignment.batch.task), instance)
    boxes: Answers = {field.name: () for field in fields if field.kind == "checkbox"}
    return _with_answers("fill", {**boxes, **(assignment.answers or {})})


def _with_answers(way: Way, answers: Answers) -> str:
    # In a script, no text may end it or begin a comment of HTML.
    told = json.dumps({"way": way, "answers": answers}).replace("<", "\\u003c")
    return script_text("help").replace("__HELP__", told)


def _taken(request: HttpRequest, assignment: Assignment, correction: int | None) -> HttpResponse:
    answers = {name: [str(value) for value in values] for name, values in request.POST.lists()}
    for name, files in request.FILES.lists():  # what a form sends that is no multipart form: names
        answers.setdefault(name, []).extend(str(file.name) for file in files)
    try:
        if correction is None:
            submit(assignment.pk, answers)
        else:
            correct(assignment.pk, correction, answers)
    except AssignmentRefused as error:
        return _said(request, str(error), 409)
    return _said(request, "Your answers have arrived.", 200)


def _said(request: HttpRequest, what: str, status: int) -> HttpResponse:
    response = render(request, "annotation/sheet_said.html", {"what": what, "good": status == 200}, status=status)
    for name, value in _HEADERS.items():
        response[name] = value
    return response
