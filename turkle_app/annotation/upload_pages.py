"""Staff's pages for handing over a task: the form, what is wrong, a look at its pages, and the task as one of all."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from harness.catalog.task import TABLE, TEMPLATE
from harness.catalog.template.wrapping import ACCEPTED
from harness.datasets.uploaded_task import MOST_ROWS, MOST_TABLE_BYTES, MOST_TEMPLATE_BYTES, NoNewTask, name_refusal
from harness.kit.files.installation import BUNDLED_TASKS
from turkle_app.access import everybody, staff
from turkle_app.annotation.uploads import KeptUpload, add, forget, keep, kept
from turkle_app.origins import pages_origin
from turkle_app.preview import previews
from turkle_app.tasks import find_instance, instance_html

_FEW = 5
_MEBIBYTE = 2**20
_UNUSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def upload(request: HttpRequest) -> HttpResponse:
    """Let staff hand over a template and a table; what is wrong with them is told, and nothing is added."""
    context: dict[str, Any] = {
        "refusal": _folder_refusal(),
        "name": request.POST.get("name", ""),
        "most_template": MOST_TEMPLATE_BYTES // _MEBIBYTE,
        "most_table": MOST_TABLE_BYTES // _MEBIBYTE,
        "most_rows": f"{MOST_ROWS:,}",
    }
    if request.method != "POST" or context["refusal"]:
        return render(request, "annotation/upload.html", context)
    template, table = (request.FILES.get(name) for name in ("template", "table"))
    context["wrong_name"] = name_refusal(context["name"], settings.TURKLE_TASKS_DIR)
    context["missing"] = [file for file, found in ((TEMPLATE, template), (TABLE, table)) if found is None]
    if template is None or table is None or context["wrong_name"]:
        return render(request, "annotation/upload.html", context, status=_UNUSABLE)
    token, looked = keep(context["name"], template.read(), table.read())
    if not token:
        return render(request, "annotation/upload.html", context | {"problems": looked.problems}, status=_UNUSABLE)
    return redirect("upload-preview", token=token)


@require_safe
@staff
def upload_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Show staff what an uploaded task would be: its instances, and the page of each, before it is added."""
    found = _kept(token)
    last = len(found.task.pages) - 1
    index = _number(request.GET.get("instance", "0"), last)
    context = {
        "upload": found,
        "task": found.task,
        "instances": previews(found.task.pages[:_FEW]),
        "instance": find_instance(found.task, index),
        "last": last,
        "previous": index - 1 if index > 0 else None,
        "next": index + 1 if index < last else None,
        "problems": found.problems,
        "pages_origin": pages_origin(request),
        "accepted": ACCEPTED,
        "refusal": name_refusal(found.task.name, settings.TURKLE_TASKS_DIR),
    }
    return render(request, "annotation/upload_preview.html", context)


@require_POST
@staff
def add_upload(request: HttpRequest, token: str) -> HttpResponse:
    """Let staff add an uploaded task to the served folder, or throw it away."""
    found = _kept(token)
    if request.POST.get("how") == "discard":
        forget(token)
        messages.success(request, f"“{found.task.name}” is thrown away. Nothing of it was added.")
        return redirect("upload")
    if refusal := _folder_refusal() or _added(found):
        messages.warning(request, refusal)
        return redirect("upload-preview", token=token)
    return redirect("task", name=found.task.name)


@csrf_exempt  # a stranger's form has no such token, and nothing of what it sends is kept
@xframe_options_exempt  # a policy says who may frame it
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def upload_page(request: HttpRequest, token: str, index: int) -> HttpResponse:
    """Show everybody who knows its address the page of an instance of an uploaded task; drop a posted form."""
    found = _kept(token)
    if request.method == "POST":
        return HttpResponse(status=204)
    html = instance_html(found.task, find_instance(found.task, index))
    return HttpResponse(html, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


def _kept(token: str) -> KeptUpload:
    if (found := kept(token)) is None:
        raise Http404
    return found


def _added(found: KeptUpload) -> str:
    """Add an uploaded task to the served folder; say why it cannot be, "" if it has been."""
    try:
        add(found, settings.TURKLE_TASKS_DIR)
    except NoNewTask as error:
        return str(error)
    except OSError as error:
        return f"The task cannot be written: {error.strerror or error}."
    return ""


def _folder_refusal() -> str:
    """Say why no task can be added to the served folder; "" if one can."""
    folder = settings.TURKLE_TASKS_DIR
    if folder.resolve() == BUNDLED_TASKS.resolve():
        return (
            "This server shows the tasks that come with the project, and nothing is added to those. "
            "Start it with --tasks-dir and a folder of your own."
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"The folder of the tasks, {folder}, cannot be written by this server. Change its permissions."
    return ""


def _number(text: str, last: int) -> int:
    """The index of an instance in an address; the first where it is none."""
    index = int(text) if text.isascii() and text.isdecimal() and len(text) < len(str(MOST_ROWS)) + 1 else 0
    return min(index, last)
