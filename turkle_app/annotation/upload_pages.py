"""Pages for handing over a task: the form, what is wrong, a look at its pages, and the task as one of all."""

from __future__ import annotations

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
from turkle_app.access import everybody, requesters
from turkle_app.annotation.batches import make_project
from turkle_app.annotation.people import person
from turkle_app.annotation.uploads import KeptUpload, add, folder_refusal, forget, keep, kept
from turkle_app.origins import pages_origin
from turkle_app.preview import previews
from turkle_app.tasks import find_instance, instance_html

_FEW = 5
_MEBIBYTE = 2**20
LIMITS = {
    "most_template": MOST_TEMPLATE_BYTES // _MEBIBYTE,
    "most_table": MOST_TABLE_BYTES // _MEBIBYTE,
    "most_rows": f"{MOST_ROWS:,}",
}
"""What an upload may have, as forms say it."""
UNUSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def upload(request: HttpRequest) -> HttpResponse:
    """Let requesters and staff hand over a template and a table; what is wrong is told, and nothing is added."""
    context: dict[str, Any] = {
        "refusal": folder_refusal(),
        "name": request.POST.get("name", ""),
    } | LIMITS
    if request.method != "POST" or context["refusal"]:
        return render(request, "annotation/upload.html", context)
    template, table = (request.FILES.get(name) for name in ("template", "table"))
    context["wrong_name"] = name_refusal(context["name"], settings.TURKLE_TASKS_DIR)
    context["missing"] = [file for file, found in ((TEMPLATE, template), (TABLE, table)) if found is None]
    if template is None or table is None or context["wrong_name"]:
        return render(request, "annotation/upload.html", context, status=UNUSABLE)
    token, looked = keep(context["name"], template.read(), table.read())
    if not token:
        return render(request, "annotation/upload.html", context | {"problems": looked.problems}, status=UNUSABLE)
    return redirect("upload-preview", token=token)


@require_safe
@requesters
def upload_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Show requesters and staff what an uploaded task would be: its instances and the page of each."""
    found = kept_upload(token)
    refusal = name_refusal(found.task.name, settings.TURKLE_TASKS_DIR)
    return render(request, "annotation/upload_preview.html", upload_context(request, found) | {"refusal": refusal})


def upload_context(request: HttpRequest, found: KeptUpload) -> dict[str, Any]:
    """Return what a preview of an uploaded task shows: the instance that the address asks for, and the first rows."""
    last = len(found.task.pages) - 1
    index = _number(request.GET.get("instance", "0"), last)
    return {
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
    }


@require_POST
@requesters
def add_upload(request: HttpRequest, token: str) -> HttpResponse:
    """Let requesters and staff add an uploaded task to the served folder, or throw it away."""
    found = kept_upload(token)
    if request.POST.get("how") == "discard":
        forget(token)
        messages.success(request, f"“{found.task.name}” is thrown away. Nothing of it was added.")
        return redirect("upload")
    if refusal := folder_refusal() or _added(found):
        messages.warning(request, refusal)
        return redirect("upload-preview", token=token)
    owner = person(request)
    if owner.is_staff:
        return redirect("task", name=found.task.name)
    made = make_project(found.task, owner)
    messages.success(request, f"“{made.title}” is made. Its batch is a draft: choose whom it is for, then publish it.")
    return redirect("project", project_id=made.pk)


@csrf_exempt  # a stranger's form has no such token, and nothing of what it sends is kept
@xframe_options_exempt  # a policy says who may frame it
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def upload_page(request: HttpRequest, token: str, index: int) -> HttpResponse:
    """Show everybody who knows its address the page of an instance of an uploaded task; drop a posted form."""
    found = kept_upload(token)
    if request.method == "POST":
        return HttpResponse(status=204)
    html = instance_html(found.task, find_instance(found.task, index), found.beside)
    return HttpResponse(html, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


def kept_upload(token: str) -> KeptUpload:
    """Return an uploaded task; an address of none that is kept is of nothing."""
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


def _number(text: str, last: int) -> int:
    """The index of an instance in an address; the first where it is none."""
    index = int(text) if text.isascii() and text.isdecimal() and len(text) < len(str(MOST_ROWS)) + 1 else 0
    return min(index, last)
