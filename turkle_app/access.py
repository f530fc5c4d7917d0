"""Who may see a view: each has one audience, which stands in its decorator and in its docstring.

``everybody``   who reaches the server
``workers``     with accounts: who is logged in
``requesters``  with accounts: staff, and who may make projects or manages one; a view shows them no other projects
``programs``    with accounts: a program that sends a token of a requester or of staff (``annotation/api``)
``staff``       with accounts: staff who are logged in. What shows labels or runs is theirs

An audience stands next to the function, below the decorators that say which methods it takes.

The server has accounts if annotation is on (``TURKLE_ANNOTATION``). Without them, who reaches the server may read all,
and a view of workers, requesters or staff writes only if the server listens on loopback alone (``TURKLE_LOOPBACK``):
then it is reached by the people of this machine.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url

Audience = Literal["everybody", "workers", "requesters", "programs", "staff"]

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)
View = Callable[Concatenate[HttpRequest, P], R]

_READING = frozenset({"GET", "HEAD"})
_NOT_HERE = "Nothing can be changed here: the server can be reached from other machines and has no accounts."
_HOW = "Start it without --host, or with --annotate, which brings accounts."
_NOT_THEIRS = {"staff": "This page is for staff.", "requesters": "This page is for requesters and staff."}
_AS_WORKER = "You are logged in as a worker. Whoever runs this server can change that."


def everybody(view: View[P, R]) -> View[P, R]:
    """Let whoever reaches the server see a view, and post to it."""
    view.audience = "everybody"  # type: ignore[attr-defined]
    return view


def workers(view: View[P, R]) -> View[P, HttpResponseBase]:
    """Let those see a view who are logged in; the module says what holds without accounts."""
    return _guarded(view, "workers")


def requesters(view: View[P, R]) -> View[P, HttpResponseBase]:
    """Let staff and requesters see a view who are logged in; the module says what holds without accounts."""
    return _guarded(view, "requesters")


def staff(view: View[P, R]) -> View[P, HttpResponseBase]:
    """Let staff see a view who are logged in; the module says what holds without accounts."""
    return _guarded(view, "staff")


def audience_of(view: Callable[..., object]) -> Audience | None:
    """Return the audience of a view, None if nobody has given it one."""
    audience: Audience | None = getattr(view, "audience", None)
    return audience


def is_requester(user: Any) -> bool:
    """Return whether somebody who is logged in may make projects, or manage some; of staff all do."""
    if user.is_staff or user.has_perm("annotation.add_project"):
        return True
    return bool(user.requested_projects.exists())


def may_write() -> bool:
    """Return whether views of workers and staff write for whoever passes their audience."""
    return settings.TURKLE_ANNOTATION or settings.TURKLE_LOOPBACK


def is_here_alone() -> bool:
    """Return whether the server is reached by the people of this machine alone: a proxy comes from here, too."""
    return settings.TURKLE_LOOPBACK and not settings.TURKLE_ORIGINS


def _guarded(view: View[P, R], audience: Audience) -> View[P, HttpResponseBase]:
    @functools.wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        refusal = _refusal(request, audience)
        return view(request, *args, **kwargs) if refusal is None else refusal

    guarded.audience = audience  # type: ignore[attr-defined]
    return cast("View[P, HttpResponseBase]", guarded)


def _refusal(request: HttpRequest, audience: Audience) -> HttpResponse | None:
    """Return the answer to a request that may not be granted, None for one that may."""
    if not settings.TURKLE_ANNOTATION:
        return None if request.method in _READING or may_write() else _forbidden(request, _NOT_HERE, _HOW)
    # Put there by Django's middleware of accounts, which is on exactly if annotation is.
    user: Any = request.user
    if not user.is_authenticated:
        return redirect(f"{resolve_url(settings.LOGIN_URL)}?next={quote(_address(request))}")
    may = audience == "workers" or (is_requester(user) if audience == "requesters" else user.is_staff)
    return None if may else _forbidden(request, _NOT_THEIRS[audience], _AS_WORKER)


def _address(request: HttpRequest) -> str:
    """Path and query as they were asked for: names that hold `%` in `request.path` were encoded twice."""
    query = request.META.get("QUERY_STRING", "")
    return quote(request.path) + (f"?{query}" if query else "")


def _forbidden(request: HttpRequest, what: str, remedy: str) -> HttpResponse:
    return render(request, "turkle/error.html", {"what": what, "remedy": remedy}, status=403)
