"""The moderators' queue: reports, one decision each."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.board_page import board, go, show_board
from turkle_app.sites.board.records import REASONS, Complaint
from turkle_app.sites.board.state import DECISIONS, BoardState
from turkle_app.sites.pages import page

_LONGEST_NOTE = 500


@page
def moderation(request: HttpRequest) -> HttpResponse:
    """Reports that wait, and those that were decided."""
    state = board(request)
    reports = [_shown(state, one) for one in state.world.complaints]
    return show_board(
        request,
        "moderation.html",
        waiting=[one for one in reports if not one["said"]],
        decided=[one for one in reports if one["said"]],
        decisions=DECISIONS,
        forums=[state.world.forums[slug] for slug in state.me.moderates],
    )


@page
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Take a decision, or take it back."""
    state = board(request)
    if request.method != "POST" or number not in [one.id for one in state.world.complaints]:
        raise Http404
    decision, note = request.POST.get("decision", ""), request.POST.get("note", "").strip()
    if decision == "undo":
        state.decisions.pop(number, None)
        state.notice = f"Report {number} waits again."
    elif decision not in DECISIONS:
        state.notice = "Please choose what to do first."
    elif decision == "warn" and not note:
        state.notice = "Please write a note to the author: a warning says what for."
    elif len(note) > _LONGEST_NOTE:
        state.notice = f"Please write at most {_LONGEST_NOTE} characters to the author."
    else:
        state.decisions[number] = {"decision": decision, "note": note}
        state.notice = f"Report {number} is decided."
    return go("/moderation/")


def _shown(state: BoardState, one: Complaint) -> dict[str, object]:
    thread = state.world.threads[one.post // 100]
    post = next(each for each in thread.posts if each.id == one.post)
    return {
        "report": one,
        "post": post,
        "thread": thread,
        "forum": state.world.forums[thread.forum],
        "author": state.member(post.author),
        "by": state.member(one.by),
        "reason": REASONS[one.reason],
        "said": state.decisions.get(one.id),
        "said_so": DECISIONS.get(state.decisions.get(one.id, {}).get("decision", "")),
    }
