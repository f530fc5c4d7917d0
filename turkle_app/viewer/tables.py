"""What the tables of runs and of episodes have in common: which columns are shown, and the table as a file.

The columns stand in the address, each as `column`; whoever chooses them has them kept in a cookie, which holds where an
address names none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse

from harness.reports.watch.table_columns import USUAL, Column, FileForm, Heading, chosen_columns, headings, table_file

T = TypeVar("T")
_COLUMN, _KEEP, _PAGE = "column", "keep", "page"
_YEAR = 365 * 24 * 3600
_TYPES: dict[FileForm, str] = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
_NOT_PASSED_ON = {_COLUMN, _KEEP, _PAGE}


@dataclass(frozen=True)
class ShownTable(Generic[T]):
    """A table as a page shows it.

    Attributes:
        all: Its columns.
        columns: Those that are shown.
        headings: Their headings.
        asked: The columns that the address names, as it does.
        passed_on: What else the address says, name by name: a form that chooses columns says it again.
    """

    all: Sequence[Column[T]]
    columns: Sequence[Column[T]]
    headings: Sequence[Heading]
    asked: Sequence[str]
    passed_on: Sequence[tuple[str, str]]

    @property
    def shown(self) -> list[str]:
        """The names of the columns that are shown, but for those that always are."""
        return [column.name for column in self.columns if column.shown != "always"]

    @property
    def choices(self) -> list[Column[T]]:
        """The columns of which it can be chosen whether they are shown."""
        return [column for column in self.all if column.shown != "always"]


def shown_table(request: HttpRequest, columns: Sequence[Column[T]], sort: str, cookie: str) -> ShownTable[T]:
    """Return a table as an address asks for it.

    Args:
        request: Who asks.
        columns: All its columns.
        sort: The order that its rows are in.
        cookie: The name of the cookie with the columns that were chosen last.
    """
    names = request.GET.getlist(_COLUMN) or request.COOKIES.get(cookie, "").split(".")
    chosen = chosen_columns(columns, names)
    passed_on = [(name, value) for name in request.GET for value in request.GET.getlist(name)]
    passed_on = [each for each in passed_on if each[0] not in _NOT_PASSED_ON]
    return ShownTable(columns, chosen, headings(chosen, sort), request.GET.getlist(_COLUMN), passed_on)


def kept_columns(request: HttpRequest, cookie: str) -> HttpResponse | None:
    """Keep columns that were just chosen, and lead to the table with them; None if none were.

    Args:
        request: Who asks.
        cookie: The name of the cookie to keep them in.
    """
    if _KEEP not in request.GET:
        return None
    query = request.GET.copy()
    del query[_KEEP]
    names = [name for name in query.getlist(_COLUMN) if name.isidentifier()]
    if USUAL in names:
        del query[_COLUMN]
    response = HttpResponseRedirect(f"?{query.urlencode()}")
    if USUAL in names or not names:
        response.delete_cookie(cookie, path="/runs/", samesite="Strict")
    else:
        response.set_cookie(cookie, ".".join(names), max_age=_YEAR, path="/runs/", httponly=True, samesite="Strict")
    return response


def file_of(
    request: HttpRequest, form: str, columns: Sequence[Column[T]], rows: Iterable[T], name: str
) -> StreamingHttpResponse:
    """Return a table as a file that is sent as it is read; of an address that names no column with all of them.

    Args:
        request: Who asks.
        form: `csv` or `json`.
        columns: All columns of the table.
        rows: Its rows.
        name: What the file is called, without its ending.

    Raises:
        Http404: There is no such form.
    """
    content_type = next((kind for each, kind in _TYPES.items() if each == form), None)
    if content_type is None:
        raise Http404(f"{form} is no form of a table: csv and json are.")
    wanted = request.GET.getlist(_COLUMN)
    pieces = table_file(
        "json" if form == "json" else "csv", chosen_columns(columns, wanted) if wanted else columns, rows
    )
    # The first piece is read here, so that a table that cannot be read is told of in words.
    first = next(pieces, b"")
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(_joined(first, pieces), content_type=content_type, headers=headers)


def _joined(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from pieces
