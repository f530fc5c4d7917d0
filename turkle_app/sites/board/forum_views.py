"""The front page, forums and their threads, new threads, and following."""

from __future__ import annotations

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.blanks import Blank, filled, mistakes, read
from turkle_app.sites.board.board_page import ThreadRow, board, go, go_back, paged, show_board, thread_row
from turkle_app.sites.board.records import Forum
from turkle_app.sites.board.state import BoardState, Followed, tags_of
from turkle_app.sites.pages import page

_THREADS_A_PAGE = 12
SORTS = {
    "latest": "Latest reply",
    "new": "Newest thread",
    "replies": "Most replies",
    "votes": "Most votes",
}
"""How a forum's threads can be sorted."""
THREAD_BLANKS = (
    Blank(name="title", label="Title", least=8, most=120, needed=True, help="What it is about, in a line."),
    Blank(name="text", label="Text", kind="long", least=20, most=20_000, needed=True),
    Blank(name="tags", label="Tags", most=80, help="Separated by commas, at most three."),
    Blank(name="follow", label="Follow this thread", kind="switch"),
)
"""What is asked of who starts a thread."""


@page
def home(request: HttpRequest) -> HttpResponse:
    """All forums under their headings, what was said last, who is about."""
    state = board(request)
    rows = sorted(_rows(state), key=lambda row: row.thread.posts[-1].at, reverse=True)
    by_category = groupby(state.world.forums.values(), key=lambda one: one.category)
    categories = [(name, [_forum_card(state, one, rows) for one in group]) for name, group in by_category]
    return show_board(
        request,
        "home.html",
        categories=categories,
        latest=rows[:6],
        events=state.gatherings()[:3],
        posts=sum(row.replies + 1 for row in rows),
        threads=len(rows),
    )


@page
def forum(request: HttpRequest, slug: str) -> HttpResponse:
    """The threads of a forum, a page at a time."""
    state = board(request)
    found = forum_of(state, slug)
    sort = request.GET.get("sort", "latest")
    rows = _sorted([row for row in _rows(state) if row.thread.forum == slug], sort if sort in SORTS else "latest")
    return show_board(
        request,
        "forum.html",
        forum=found,
        listed=paged(request, rows, _THREADS_A_PAGE),
        sort=sort,
        sorts=SORTS,
        is_followed=slug in state.following["forums"],
        moderators=[one for one in state.world.members.values() if slug in one.moderates],
    )


@page
def new_thread(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new thread."""
    state = board(request)
    found = forum_of(state, slug)
    answers = read(THREAD_BLANKS, request.POST)
    wrong = mistakes(THREAD_BLANKS, answers, state.today) if request.method == "POST" else {}
    if len(tags_of(str(answers["tags"]))) > 3:
        wrong["tags"] = "Please give at most three tags."
    if request.method == "POST" and not wrong:
        made = state.begin_thread(slug, str(answers["title"]), str(answers["text"]), tags_of(str(answers["tags"])))
        if answers["follow"]:
            state.follow("threads", str(made.id), True)
        state.notice = "Your thread has been started."
        return go(f"/thread/{made.id}/")
    status = 422 if wrong else 200
    return show_board(request, "new_thread.html", status, forum=found, blanks=filled(THREAD_BLANKS, answers, wrong))


@page
def follow(request: HttpRequest, kind: Followed, what: str) -> HttpResponse:
    """Begin or cease to follow a thread, a forum or a member."""
    state = board(request)
    if request.method != "POST":
        raise Http404
    known = {"threads": [str(row.thread.id) for row in _rows(state)], "forums": state.world.forums}
    if what not in known.get(kind, state.world.members) or what == state.world.reader:
        raise Http404
    wanted = request.POST.get("wanted") == "yes"
    state.follow(kind, what, wanted)
    state.notice = "You follow this now." if wanted else "You no longer follow this."
    return go_back(request, "/")


@page
def followed(request: HttpRequest) -> HttpResponse:
    """What the reader follows."""
    state = board(request)
    rows = [row for row in _rows(state) if row.is_followed]
    return show_board(
        request,
        "followed.html",
        rows=_sorted(rows, "latest"),
        forums=[state.world.forums[slug] for slug in state.following["forums"]],
        members=[state.member(name) for name in state.following["members"]],
    )


def forum_of(state: BoardState, slug: str) -> Forum:
    """Return a forum by its slug.

    Raises:
        Http404: There is none.
    """
    if slug not in state.world.forums:
        raise Http404
    return state.world.forums[slug]


def _rows(state: BoardState) -> list[ThreadRow]:
    return [thread_row(state, thread) for thread in state.threads()]


def _forum_card(state: BoardState, forum: Forum, rows: list[ThreadRow]) -> dict[str, object]:
    own = [row for row in rows if row.thread.forum == forum.slug]
    return {
        "forum": forum,
        "threads": len(own),
        "posts": sum(row.replies + 1 for row in own),
        "last": own[0],
        "is_followed": forum.slug in state.following["forums"],
    }


def _sorted(rows: list[ThreadRow], sort: str) -> list[ThreadRow]:
    """Return rows in an order of ``SORTS``, with pinned threads on top."""
    by_time = sorted(rows, key=lambda row: row.thread.posts[-1].at, reverse=True)
    match sort:
        case "new":
            by_time.sort(key=lambda row: row.thread.posts[0].at, reverse=True)
        case "replies":
            by_time.sort(key=lambda row: -row.replies)
        case "votes":
            by_time.sort(key=lambda row: -row.votes)
    return sorted(by_time, key=lambda row: not row.thread.pinned)
