"""Pages of browse mode for what went wrong: what happened, what is near, what to do. Never a traceback."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from turkle_app.tasks import UnknownInstance, UnknownTask, catalog


@dataclass(frozen=True)
class SuggestedLink:
    """A link to what was perhaps meant."""

    text: str
    url: str


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read, or one under a foreign host name."""
    if isinstance(exception, DisallowedHost):
        what = "This server does not answer under this host name."
        remedy = "Open it as localhost or 127.0.0.1, or add the name to TURKLE_ALLOWED_HOSTS and start it again."
    elif isinstance(exception, RequestDataTooBig):
        what = (
            f"This form is larger than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20} MB, and nothing of it was kept."
        )
        remedy = "Go back and send less."
    else:
        what, remedy = "This request cannot be read.", "Go back and try again."
    return render(request, "turkle/error.html", {"what": what, "remedy": remedy}, status=400)


def forged_request(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that was not sent from a page of this server, or from one that is too old."""
    del reason
    what = "This form was not sent from a page of this server, or the page is too old."
    return render(
        request, "turkle/error.html", {"what": what, "remedy": "Open the page anew and try again."}, status=403
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what is not there and link what is near."""
    remedy = ""
    if request.path == "/admin/" and not settings.TURKLE_ANNOTATION:
        what, near = "This server is without accounts, and so without Django’s admin.", []
        remedy = (
            "Make the database (turkbench manage migrate) and an account (turkbench manage createsuperuser), then "
            "start it again with runserver, or with serve --annotate."
        )
    elif isinstance(exception, UnknownTask):
        what, near = str(exception), _near_tasks(exception.name)
    elif isinstance(exception, UnknownInstance):
        what, near = str(exception), _ends(exception)
    elif exception.args and isinstance(exception.args[0], str):  # one of ours says what is missing
        what, near = exception.args[0], []
    else:
        what, near = f"There is no page at {request.path}", []
    if settings.TURKLE_ANNOTATION and not _is_staff(request):
        near = []  # which tasks there are is not for all
    return render(request, "turkle/error.html", {"what": what, "near": near, "remedy": remedy}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after a defect of the server; the details are on its stderr."""
    what, remedy = "The server failed.", "The terminal in which it runs says why. Please report it."
    return render(request, "turkle/error.html", {"what": what, "remedy": remedy}, status=500)


def _is_staff(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_staff


def _near_tasks(name: str) -> list[SuggestedLink]:
    by_key = {known.casefold(): known for known in catalog().names()}
    keys = difflib.get_close_matches(name.casefold(), by_key, n=5, cutoff=0.5)
    keys += [key for key in by_key if name.casefold() in key and key not in keys][:5]
    return [SuggestedLink(by_key[key], reverse("task", kwargs={"name": by_key[key]})) for key in keys]


def _ends(missing: UnknownInstance) -> list[SuggestedLink]:
    name, last = missing.task.name, len(missing.task.pages) - 1
    return [
        SuggestedLink(f"Instance {index} of “{name}”", reverse("instance", kwargs={"name": name, "index": index}))
        for index in sorted({0, last})
    ]
