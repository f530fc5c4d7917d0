"""Forms over three pages, and the events that one of them makes."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.applications import EVENT, SHEAVES, Sheaf, first_wrong_page, wrong_on
from turkle_app.sites.board.blanks import filled, read
from turkle_app.sites.board.board_page import board, go, show_board
from turkle_app.sites.board.records import Gathering
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.pages import page


@page
def take_part(request: HttpRequest) -> HttpResponse:
    """What one can do beside reading and writing."""
    return show_board(request, "take_part.html", sheaves=SHEAVES.values())


@page
def form_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A page of a form: going on checks it, going back keeps what was entered."""
    state = board(request)
    sheaf = _sheaf_of(slug)
    if not 1 <= number <= len(sheaf.pages):
        raise Http404
    draft = state.drafts.get(slug, {})
    names = state.world.members
    if number > (reached := first_wrong_page(sheaf, draft, state.today, names)):
        return go(f"/apply/{slug}/{reached}/")
    wrong: dict[str, str] = {}
    if request.method == "POST":
        draft = state.drafts[slug] = {**draft, **read(sheaf.pages[number - 1][1], request.POST)}
        if request.POST.get("go") == "back" and number > 1:
            return go(f"/apply/{slug}/{number - 1}/")
        wrong = wrong_on(sheaf, number, draft, state.today, names)
        if not wrong and number < len(sheaf.pages):
            return go(f"/apply/{slug}/{number + 1}/")
        if not wrong:
            return _sent(state, sheaf)
    heading, blanks = sheaf.pages[number - 1]
    return show_board(
        request,
        "form_page.html",
        422 if wrong else 200,
        sheaf=sheaf,
        number=number,
        steps=[(place, title) for place, (title, _) in enumerate(sheaf.pages, start=1)],
        heading=heading,
        blanks=filled(blanks, draft, wrong),
        is_last=number == len(sheaf.pages),
    )


@page
def done(request: HttpRequest, slug: str) -> HttpResponse:
    """What is said when a form has been sent."""
    state = board(request)
    if slug == EVENT.slug or not state.applications:
        raise Http404
    forum = state.world.forums[str(state.applications[-1]["forum"])]
    return show_board(request, "form_done.html", sheaf=_sheaf_of(slug), forum=forum, count=len(state.applications))


@page
def events(request: HttpRequest) -> HttpResponse:
    """All events by day."""
    state = board(request)
    rows = [(one, state.world.forums[one.forum], one.id in state.attending) for one in state.gatherings()]
    return show_board(request, "events.html", rows=rows)


@page
def event(request: HttpRequest, number: int) -> HttpResponse:
    """An event; saying that one comes, or not after all."""
    state = board(request)
    found = _gathering_of(state, number)
    if request.method == "POST":
        comes = number in state.attending
        (state.attending.remove if comes else state.attending.append)(number)
        state.notice = "You are off the list." if comes else "You are on the list."
        return go(f"/events/{number}/")
    comes = number in state.attending
    return show_board(
        request,
        "event.html",
        event=found,
        forum=state.world.forums[found.forum],
        host=state.member(found.host),
        coming=[state.member(name) for name in found.coming],
        comes=comes,
        free=found.seats - len(found.coming) - comes,
        is_own=found.host == state.world.reader,
    )


def _sent(state: BoardState, sheaf: Sheaf) -> HttpResponse:
    answers = state.drafts.pop(sheaf.slug)
    if sheaf is EVENT:
        made = state.give_event(answers)
        state.notice = sheaf.done
        return go(f"/events/{made.id}/")
    state.apply(answers)
    return go(f"/apply/{sheaf.slug}/done/")


def _sheaf_of(slug: str) -> Sheaf:
    if slug not in SHEAVES:
        raise Http404
    return SHEAVES[slug]


def _gathering_of(state: BoardState, number: int) -> Gathering:
    for one in state.gatherings():
        if one.id == number:
            return one
    raise Http404
