"""A thread and what can be done with its posts: reply, quote, vote, edit, delete, report."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.blanks import Answers, Blank, filled, mistakes, read
from turkle_app.sites.board.board_page import board, go, paged, show_board
from turkle_app.sites.board.records import REASONS, BoardPost, BoardThread, Member
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.pages import page

REPLY_BLANKS = (Blank(name="text", label="Your reply", kind="long", least=2, most=20_000, needed=True),)
"""What is asked of who replies or edits."""
REPORT_BLANKS = (
    Blank(
        name="reason",
        label="What is wrong with it?",
        kind="radio",
        options=tuple(REASONS.items()),
        needed=True,
    ),
    Blank(name="note", label="A note for the moderators", kind="long", most=500),
)
"""What is asked of who reports a post."""


@dataclass(frozen=True)
class PostCard:
    """A post as a page shows it."""

    post: BoardPost
    number: int
    author: Member
    votes: int
    mine: int
    is_own: bool
    quotes: list[tuple[BoardPost, Member]]


@page
def thread(request: HttpRequest, number: int) -> HttpResponse:
    """A thread, a page at a time; ``?quote=`` opens the reply with posts quoted."""
    state = board(request)
    found = thread_of(state, number)
    return _thread_page(request, state, found, {}, "")


@page
def reply(request: HttpRequest, number: int) -> HttpResponse:
    """Take a reply."""
    state = board(request)
    found = thread_of(state, number)
    if request.method != "POST":
        return go(f"/thread/{number}/#reply-form")
    answers = read(REPLY_BLANKS, request.POST)
    if wrong := mistakes(REPLY_BLANKS, answers, state.today):
        return _thread_page(request, state, found, wrong, str(answers["text"]))
    quotes = tuple(dict.fromkeys(post.id for post in _asked_quotes(found, request.POST.getlist("quote"))))
    made = state.reply(number, str(answers["text"]), quotes)
    state.notice = "Your reply has been posted."
    return go(_address(state, made.id))


@page
def post(request: HttpRequest, number: int) -> HttpResponse:
    """Lead to a post in its thread."""
    return go(_address(board(request), post_of(board(request), number).id))


@page
def vote(request: HttpRequest, number: int) -> HttpResponse:
    """Take a vote for a post or against it."""
    state = board(request)
    found = post_of(state, number)
    value = {"up": 1, "down": -1}.get(request.POST.get("vote", ""))
    if value is None or found.author == state.world.reader:
        raise Http404
    state.vote(number, value)
    return go(_address(state, number))


@page
def edit(request: HttpRequest, number: int) -> HttpResponse:
    """Change or delete one of the reader's own posts."""
    state = board(request)
    found = post_of(state, number)
    if found.author != state.world.reader:
        raise Http404
    can_delete = found.id % 100 != 1
    if request.POST.get("go") == "delete" and can_delete:
        state.delete(number)
        state.notice = "Your post has been deleted."
        return go(f"/thread/{found.thread}/")
    answers: Answers = read(REPLY_BLANKS, request.POST) if request.method == "POST" else {"text": found.text}
    wrong = mistakes(REPLY_BLANKS, answers, state.today)
    if request.method == "POST" and not wrong:
        state.edit(number, str(answers["text"]))
        state.notice = "Your post has been changed."
        return go(_address(state, number))
    status = 422 if wrong else 200
    context = {"post": found, "thread": state.thread(found.thread), "can_delete": can_delete}
    return show_board(request, "edit_post.html", status, blanks=filled(REPLY_BLANKS, answers, wrong), **context)


@page
def report(request: HttpRequest, number: int) -> HttpResponse:
    """Report a post to the moderators."""
    state = board(request)
    found = post_of(state, number)
    answers = read(REPORT_BLANKS, request.POST)
    wrong = mistakes(REPORT_BLANKS, answers, state.today) if request.method == "POST" else {}
    if request.method == "POST" and not wrong:
        state.report(number, answers)
        state.notice = "Thank you. The moderators will look at it."
        return go(_address(state, number))
    context = {"card": _card(state, state.thread(found.thread), found), "thread": state.thread(found.thread)}
    status = 422 if wrong else 200
    return show_board(request, "report.html", status, blanks=filled(REPORT_BLANKS, answers, wrong), **context)


def thread_of(state: BoardState, number: int) -> BoardThread:
    """Return a thread.

    Raises:
        Http404: There is none of that number.
    """
    try:
        return state.thread(number)
    except KeyError as error:
        raise Http404 from error


def post_of(state: BoardState, number: int) -> BoardPost:
    """Return a post.

    Raises:
        Http404: There is none of that number.
    """
    try:
        return state.post(number)
    except KeyError as error:
        raise Http404 from error


def _thread_page(
    request: HttpRequest, state: BoardState, found: BoardThread, wrong: dict[str, str], entered: str
) -> HttpResponse:
    cards = [_card(state, found, one) for one in found.posts]
    asked = request.POST.getlist("quote") if request.method == "POST" else request.GET.getlist("quote")
    quoted = [(one, state.member(one.author)) for one in _asked_quotes(found, asked)]
    return show_board(
        request,
        "thread.html",
        422 if wrong else 200,
        thread=found,
        forum=state.world.forums[found.forum],
        listed=paged(request, cards, int(state.settings["appearance"]["per_page"])),
        is_followed=str(found.id) in state.following["threads"],
        quoted=quoted,
        wrong=wrong.get("text", ""),
        entered=entered,
    )


def _card(state: BoardState, thread: BoardThread, one: BoardPost) -> PostCard:
    by_id = {post.id: post for post in thread.posts}
    mine = state.votes.get(one.id, 0)
    return PostCard(
        post=one,
        number=one.id % 100,
        author=state.member(one.author),
        votes=one.votes + mine,
        mine=mine,
        is_own=one.author == state.world.reader,
        quotes=[(by_id[each], state.member(by_id[each].author)) for each in one.quotes if each in by_id],
    )


def _asked_quotes(thread: BoardThread, asked: list[str]) -> list[BoardPost]:
    return [one for one in thread.posts if str(one.id) in asked]


def _address(state: BoardState, post: int) -> str:
    """Return where a post is: the page of its thread, and its place there."""
    places = [one.id for one in state.thread(post // 100).posts]
    number = places.index(post) // int(state.settings["appearance"]["per_page"]) + 1
    return f"/thread/{post // 100}/{f'?page={number}' if number > 1 else ''}#p{post}"
