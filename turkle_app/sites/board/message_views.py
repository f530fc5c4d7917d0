"""Private messages."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.blanks import Blank, filled, mistakes, read
from turkle_app.sites.board.board_page import board, go, paged, show_board
from turkle_app.sites.board.records import Letter
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.pages import page

_LETTERS_A_PAGE = 10
_FOLDERS = {"inbox": "Inbox", "sent": "Sent", "archive": "Archive"}
BLANKS = (
    Blank(name="to", label="To", needed=True, help="The name as in the address of a profile, e.g. oak_gall."),
    Blank(name="subject", label="Subject", least=2, most=100, needed=True),
    Blank(name="text", label="Message", kind="long", least=2, most=5_000, needed=True),
)
"""What is asked of who writes one."""


@page
def messages(request: HttpRequest) -> HttpResponse:
    """The inbox, what was sent, or what was put away."""
    state = board(request)
    folder = request.GET.get("folder", "inbox")
    if folder not in _FOLDERS:
        raise Http404
    letters = [one for one in state.letters() if _folder(state, one) == folder]
    rows = [(one, state.member(one.to if folder == "sent" else one.sender), state.is_unread(one)) for one in letters]
    listed = paged(request, rows, _LETTERS_A_PAGE)
    return show_board(request, "messages.html", folder=folder, folders=_FOLDERS, listed=listed)


@page
def message(request: HttpRequest, number: int) -> HttpResponse:
    """A message, which is read by that; putting it away, and back."""
    state = board(request)
    found = _letter_of(state, number)
    if request.method == "POST":
        is_away = number in state.archived
        (state.archived.remove if is_away else state.archived.append)(number)
        state.notice = "The message is in the inbox again." if is_away else "The message has been archived."
        return go("/messages/")
    if state.is_unread(found):
        state.read.append(number)
    before = [one for one in state.world.letters if one.id == found.answers]
    return show_board(
        request,
        "message.html",
        letter=found,
        sender=state.member(found.sender),
        to=state.member(found.to),
        is_own=found.sender == state.world.reader,
        is_away=number in state.archived,
        before=before,
    )


@page
def new_message(request: HttpRequest) -> HttpResponse:
    """The form for a message; ``?to=`` and ``?answers=`` fill it in."""
    state = board(request)
    asked = request.POST.get("answers") or request.GET.get("answers") or ""
    before = next((one for one in state.letters() if str(one.id) == asked), None)
    if request.method != "POST":
        subject = f"Re: {before.subject.removeprefix('Re: ')}" if before else ""
        first = {"to": before.sender if before else request.GET.get("to", ""), "subject": subject}
        return show_board(request, "new_message.html", blanks=filled(BLANKS, dict(first), {}), before=before)
    answers = read(BLANKS, request.POST)
    wrong = mistakes(BLANKS, answers, state.today)
    to = str(answers["to"]).lstrip("@")
    if "to" not in wrong and (to not in state.world.members or to == state.world.reader):
        wrong["to"] = "That is you." if to == state.world.reader else "There is no member of that name."
    if wrong:
        return show_board(request, "new_message.html", 422, blanks=filled(BLANKS, answers, wrong), before=before)
    state.send(to, str(answers["subject"]), str(answers["text"]), before.id if before else None)
    state.notice = f"Your message to {state.member(to).shown} has been sent."
    return go("/messages/?folder=sent")


def _folder(state: BoardState, letter: Letter) -> str:
    if letter.id in state.archived:
        return "archive"
    return "sent" if letter.sender == state.world.reader else "inbox"


def _letter_of(state: BoardState, number: int) -> Letter:
    for letter in state.letters():
        if letter.id == number:
            return letter
    raise Http404
