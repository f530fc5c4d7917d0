"""Who judges: who is logged in, where there are accounts; else who says so, kept in a cookie."""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from harness.records.verdict import Judge

_COOKIE = "reviewer"
_YEAR = 365 * 24 * 3600
LONGEST_NAME = 80
"""Characters."""


def reviewer_of(request: HttpRequest) -> Judge | None:
    """Return who judges, None if nobody has said so."""
    if settings.TURKLE_ANNOTATION:
        return Judge(name=request.user.get_username(), kind="person")
    name = unquote(request.COOKIES.get(_COOKIE, ""))
    return Judge(name=name, kind="person") if is_name(name) else None


def is_name(name: str) -> bool:
    """Return whether a text can stand beside verdicts: a name on one line."""
    return bool(name) and name == name.strip() and name.isprintable() and len(name) <= LONGEST_NAME


def remember(response: HttpResponse, name: str) -> None:
    """Keep in the browser who judges."""
    response.set_cookie(_COOKIE, quote(name), max_age=_YEAR, path="/runs/", httponly=True, samesite="Strict")


def forget(response: HttpResponse) -> None:
    """Ask anew who judges."""
    response.delete_cookie(_COOKIE, path="/runs/", samesite="Strict")
