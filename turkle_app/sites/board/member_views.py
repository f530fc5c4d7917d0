"""Members: the list, profiles, blocking."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.board_page import board, go, paged, show_board, thread_row
from turkle_app.sites.board.records import Member
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.pages import page

_MEMBERS_A_PAGE = 16
_POSTS_A_PROFILE = 8


@page
def members(request: HttpRequest) -> HttpResponse:
    """All members, by name, by age or by what they wrote."""
    state = board(request)
    words, sort = request.GET.get("name", "").strip().lower(), request.GET.get("sort", "name")
    counts = _post_counts(state)
    found = [state.member(name) for name in state.world.members]
    found = [one for one in found if words in one.name.lower() or words in one.shown.lower()]
    found.sort(key=lambda one: one.shown.lower())
    if sort == "posts":
        found.sort(key=lambda one: -counts.get(one.name, 0))
    elif sort == "joined":
        found.sort(key=lambda one: one.joined)
    listed = paged(request, [(one, counts.get(one.name, 0)) for one in found], _MEMBERS_A_PAGE)
    sorts = {"name": "Name", "posts": "Most posts", "joined": "Longest here"}
    return show_board(request, "members.html", listed=listed, words=words, sort=sort, sorts=sorts)


@page
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a member says of themselves, began and wrote."""
    state = board(request)
    found = member_of(state, name)
    threads = state.threads()
    posts = sorted(
        ((post, thread) for thread in threads for post in thread.posts if post.author == name),
        key=lambda pair: pair[0].at,
        reverse=True,
    )
    begun = [thread_row(state, thread) for thread in threads if thread.posts[0].author == name]
    return show_board(
        request,
        "profile.html",
        member=found,
        is_me=name == state.world.reader,
        is_followed=name in state.following["members"],
        is_blocked=name in state.blocked,
        count=len(posts),
        votes=sum(post.votes for post, _ in posts),
        posts=posts[:_POSTS_A_PROFILE],
        rows=sorted(begun, key=lambda row: row.thread.posts[0].at, reverse=True),
        moderates=[state.world.forums[slug] for slug in found.moderates],
    )


@page
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block a member, or no longer."""
    state = board(request)
    found = member_of(state, name)
    if request.method != "POST" or name == state.world.reader:
        raise Http404
    wanted = request.POST.get("wanted") == "yes"
    if wanted and name not in state.blocked:
        state.blocked.append(name)
    elif not wanted and name in state.blocked:
        state.blocked.remove(name)
    state.notice = f"{found.shown} is blocked." if wanted else f"{found.shown} is no longer blocked."
    return go(f"/member/{name}/")


def member_of(state: BoardState, name: str) -> Member:
    """Return a member.

    Raises:
        Http404: There is none of that name.
    """
    if name not in state.world.members:
        raise Http404
    return state.member(name)


def _post_counts(state: BoardState) -> dict[str, int]:
    counts: dict[str, int] = {}
    for thread in state.threads():
        for post in thread.posts:
            counts[post.author] = counts.get(post.author, 0) + 1
    return counts
