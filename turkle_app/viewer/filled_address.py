"""The address of a filled page, which with accounts is a key to that one page for an hour.

The page is at the origin of strangers' pages, to which no cookie of people goes. So its address holds a signed token,
made for whoever may see the page around it. Without accounts whoever reaches the server sees it, and it needs none.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.urls import reverse

from harness.catalog.template.wrapping import ACCEPTED
from turkle_app.origins import pages_origin

LIVES = 3600
"""Seconds for which an address opens its page."""
_TOKEN = "token"  # noqa: S105 - the name of a parameter
_SALT = "turkle_app.viewer.filled"


def filled_address(request: HttpRequest, run: str, task: str, index: int, **query: str) -> str:
    """Return where the filled page of an episode is for who asks here.

    Args:
        request: Of somebody who may see the episode.
        run: The run's slug.
        task: The task's name as it stands in paths.
        index: Of the instance.
        query: Further parameters of the address.
    """
    if settings.TURKLE_ANNOTATION:
        query[_TOKEN] = _signer().sign(_page(run, task, index)).removeprefix(_page(run, task, index))
    address = pages_origin(request) + reverse("filled-page", args=[run, task, index])
    return f"{address}?{ACCEPTED}&{urlencode(query)}" if query else f"{address}?{ACCEPTED}"


def opens(request: HttpRequest, run: str, task: str, index: int) -> bool:
    """Return whether a request for a filled page may be granted: its token is of this page, and not too old."""
    if not settings.TURKLE_ANNOTATION:
        return True
    try:
        _signer().unsign(_page(run, task, index) + request.GET.get(_TOKEN, ""), max_age=LIVES)
    except BadSignature:
        return False
    return True


def _page(run: str, task: str, index: int) -> str:
    return f"{run}/{task}/{index}"


def _signer() -> TimestampSigner:
    return TimestampSigner(salt=_SALT)
