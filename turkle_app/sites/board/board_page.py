"""What all pages of the board are made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect

from turkle_app.sites.board.records import BoardThread, Forum, Member
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.board.variants import Wording
from turkle_app.sites.pages import show, state_of

T = TypeVar("T")


@dataclass(frozen=True)
class Paged(Generic[T]):
    """One page of a list.

    Attributes:
        items: What is on it.
        number: Which page it is, from 1.
        pages: How many there are, at least 1.
        found: How many items there are on all of them.
        query: What the address of another page keeps, e.g. ``sort=new&``.
    """

    items: Sequence[T]
    number: int
    pages: int
    found: int
    query: str

    @property
    def numbers(self) -> list[int]:
        """The numbers of pages that are offered: the first, the last, those around this one."""
        wanted = {1, self.pages, *range(self.number - 2, self.number + 3)}
        return sorted(number for number in wanted if 1 <= number <= self.pages)


@dataclass(frozen=True)
class ThreadRow:
    """A thread in a list."""

    thread: BoardThread
    forum: Forum
    author: Member
    last_author: Member
    replies: int
    votes: int
    is_followed: bool


def board(request: HttpRequest) -> BoardState:
    """Return the state of a request's episode."""
    return state_of(request, BoardState)


def show_board(request: HttpRequest, template: str, status: int = 200, /, **context: object) -> HttpResponse:
    """Return a page of the board, with what its frame shows: unread letters, open reports, what was just done."""
    state = board(request)
    frame = {
        "board": state,
        "me": state.me,
        "w": Wording(state.variant),
        "moved": state.variant == "moved",
        "unread": sum(state.is_unread(letter) for letter in state.letters()),
        "open_reports": sum(one.id not in state.decisions for one in state.world.complaints),
        "notice": state.notice,
        "here": request.get_full_path(),
        "look": state.settings["appearance"],
    }
    state.notice = ""
    return show(request, template, {**frame, **context}, status)


def go(address: str) -> HttpResponse:
    """Return a redirection to a page that is then asked for with GET."""
    response = HttpResponseRedirect(address)
    response.status_code = 303
    return response


def go_back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """Return a redirection to where a form says that it was, if that is an address of this site."""
    back = request.POST.get("back", "")
    return go(back if back.startswith("/") and not back.startswith(("//", "/\\")) else otherwise)


def paged(request: HttpRequest, items: Sequence[T], size: int) -> Paged[T]:
    """Return the page of a list that ``?page=`` asks for; the last one if there are not so many.

    Raises:
        Http404: That is no number of a page.
    """
    asked = request.GET.get("page", "1")
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 7 and int(asked)):
        raise Http404
    pages = max(1, -(-len(items) // size))
    number = min(int(asked), pages)
    kept = [(key, value) for key in request.GET for value in request.GET.getlist(key) if key != "page" and value]
    query = urlencode(kept)
    shown = items[(number - 1) * size : number * size]
    return Paged(shown, number, pages, len(items), f"{query}&" if query else "")


def thread_row(state: BoardState, thread: BoardThread) -> ThreadRow:
    """Return a thread as lists show it."""
    first, last = thread.posts[0], thread.posts[-1]
    return ThreadRow(
        thread=thread,
        forum=state.world.forums[thread.forum],
        author=state.member(first.author),
        last_author=state.member(last.author),
        replies=len(thread.posts) - 1,
        votes=first.votes + state.votes.get(first.id, 0),
        is_followed=str(thread.id) in state.following["threads"],
    )


def enough(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Tell who has written as much as an episode may hold; the board's ``handler403``."""
    del exception
    return show_board(request, "enough.html", 403)


def no_such_page(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that the board does not have; its ``handler404``."""
    del exception
    return show_board(request, "not_found.html", 404)
