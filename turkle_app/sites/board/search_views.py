"""The search page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from turkle_app.sites.board.board_page import board, paged, show_board
from turkle_app.sites.board.search import AGES, SORTS, Query, find, since
from turkle_app.sites.pages import page

_HITS_A_PAGE = 10


@page
def search(request: HttpRequest) -> HttpResponse:
    """What was found, a page at a time, beside the filters."""
    state = board(request)
    asked = {key: request.GET.get(key, "").strip() for key in ("q", "author", "forum", "in", "age", "sort")}
    author = asked["author"].lstrip("@")
    by_shown = {one.shown.lower(): name for name, one in state.world.members.items()}
    author = author if author in state.world.members else by_shown.get(author.lower(), author)
    query = Query(
        words=asked["q"],
        author=author,
        forum=asked["forum"] if asked["forum"] in state.world.forums else "",
        titles=asked["in"] == "titles",
        since=since(asked["age"], state.world.now),
        sort=asked["sort"] if asked["sort"] in SORTS else "relevance",
    )
    unknown = bool(author) and author not in state.world.members
    is_asked = bool(query.words or query.author or query.forum)
    hits = find(query, state.threads(), state.votes) if is_asked and not unknown else []
    listed = paged(request, hits, _HITS_A_PAGE)
    return show_board(
        request,
        "search.html",
        asked=asked,
        query=query,
        is_asked=is_asked,
        unknown_author=author if unknown else "",
        listed=listed,
        shown=[(hit, state.member(hit.post.author), state.world.forums[hit.thread.forum]) for hit in listed.items],
        sorts=SORTS,
        ages=AGES,
        forums=list(state.world.forums.values()),
        names=sorted(state.world.members),
    )
