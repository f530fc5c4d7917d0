"""The API as a whole: who may ask, how errors are told, and lists page by page.

Addresses and names are those of Turkle's API where Turkle has them, so that Turkle's own client works with it; what
Turkle does not know has addresses and names beside these. The description in OpenAPI comes out of the types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Generic, TypeVar

from django.core.exceptions import ValidationError as InvalidValue
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Path, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security.http import HttpAuthBase
from pydantic import ConfigDict

from harness.kit.errors import UserError
from turkle_app.access import is_requester
from turkle_app.annotation.login_limits import WINDOW, address_of, begin_attempt
from turkle_app.annotation.tokens import user_of_token

PAGE_SIZE = 100
UNUSABLE = 422
_SCHEMES = frozenset({"token", "bearer"})
_NO_TOKEN = "This needs a token that works, in the header “Authorization: Bearer TOKEN”. Make one on the page API."  # noqa: S105

Number = Annotated[int, Path(ge=1, lt=2**63)]
"""The number of something in an address."""

_Record = TypeVar("_Record")
_Row = TypeVar("_Row", bound=Model)


class TokenAuth(HttpAuthBase):
    """Lets those ask who send a token of a requester or of staff.

    Raises:
        HttpError: If the account has not the rights, or from this address came too many tokens that do not work.
    """

    openapi_scheme = "bearer"

    def __init__(self, *, staff: bool = False) -> None:
        """Say whether staff alone may ask."""
        self._staff = staff
        super().__init__()

    def __call__(self, request: HttpRequest) -> object:
        """Return the account that a request is made for, None for one without a token that works."""
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.casefold() not in _SCHEMES or not text.strip():
            return None
        user = user_of_token(text.strip())
        if user is None:
            if not begin_attempt("a token", address_of(request)):
                minutes = int(WINDOW.total_seconds()) // 60
                raise HttpError(429, f"Too many tokens from here did not work. Wait {minutes} minutes.")
            return None
        if not (user.is_staff if self._staff else is_requester(user)):
            raise HttpError(403, f"This is for {'staff' if self._staff else 'requesters and staff'}.")
        request.user = user
        return user


class Answer(Schema):
    """What is sent."""


class Asked(Schema):
    """What is asked for; a name that is not known is refused, so that no wish is lost by a slip of the pen."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """Why something was not done.

    Attributes:
        detail: In a sentence.
    """

    detail: str


class Page(Schema, Generic[_Record]):
    """A part of a list.

    Attributes:
        count: How many there are in the whole list.
        next: The address of the next part; null at the end.
        previous: The address of the part before; null at the beginning.
        results: The records of this part.
    """

    count: int
    next: str | None
    previous: str | None
    results: list[_Record]


def page_of(
    request: HttpRequest, rows: QuerySet[_Row], record: Callable[[_Row], _Record], size: int = PAGE_SIZE
) -> dict[str, object]:
    """Return the part of a list that a request asks for, by ``?page=``: 1 if it does not say.

    Raises:
        HttpError: If there is no such part.
    """
    text = request.GET.get("page", "1")
    pages = Paginator(rows, size)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if number not in pages.page_range:
        raise HttpError(404, f"There is no page {text[:20]!r} of this list: it has {pages.num_pages}.")
    part = pages.page(number)
    here = request.build_absolute_uri(request.path)
    return {
        "count": pages.count,
        "next": f"{here}?page={number + 1}" if part.has_next() else None,
        "previous": f"{here}?page={number - 1}" if part.has_previous() else None,
        "results": [record(row) for row in part],
    }


def all_there(rows: QuerySet[_Row], numbers: Sequence[int], what: str) -> list[_Row]:
    """Return the rows of these numbers, in their order.

    Raises:
        HttpError: If one is missing.
    """
    found = {row.pk: row for row in rows.filter(pk__in=[number for number in numbers if 0 < number < 2**63])}
    if missing := [number for number in numbers if number not in found]:
        raise HttpError(UNUSABLE, f"There is no {what} {missing[0]}.")
    return [found[number] for number in numbers]


api = NinjaAPI(
    title="turkbench: tasks done by hand",
    version="1",
    description="Addresses and names are those of Turkle where Turkle has them. Every request carries a token.",
    docs_url=None,  # its page loads scripts from elsewhere
    urls_namespace="api",
    auth=TokenAuth(),
)


@api.exception_handler(AuthenticationError)
def _no_token(request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    response = api.create_response(request, {"detail": _NO_TOKEN}, status=401)
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(ValidationError)
def _unreadable(request: HttpRequest, error: ValidationError) -> HttpResponse:
    told = [f"{_place(each.get('loc', ()))}: {each.get('msg', 'it cannot be used')}" for each in error.errors]
    return api.create_response(request, {"detail": "; ".join(told)}, status=UNUSABLE)


@api.exception_handler(InvalidValue)
def _invalid(request: HttpRequest, error: InvalidValue) -> HttpResponse:
    if hasattr(error, "error_dict"):
        told = " ".join(f"{name}: {' '.join(messages)}" for name, messages in error.message_dict.items())
    else:
        told = " ".join(error.messages)
    return api.create_response(request, {"detail": told}, status=UNUSABLE)


@api.exception_handler(UserError)
def _refused(request: HttpRequest, error: UserError) -> HttpResponse:
    return api.create_response(request, {"detail": str(error)}, status=UNUSABLE)


@api.exception_handler(Http404)
def _missing(request: HttpRequest, _error: Http404) -> HttpResponse:
    return api.create_response(request, {"detail": "There is no such thing, or it is not yours to see."}, status=404)


def _place(location: Sequence[object]) -> str:
    """Where in a request something is wrong: without the name of the part of our code that reads it."""
    return ".".join(str(part) for part in location[1:] if part != "asked") or "the request"
