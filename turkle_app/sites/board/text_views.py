"""The text shelf: long texts that are pasted, looked over and published."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.blanks import Answers, Blank, filled, mistakes, read
from turkle_app.sites.board.board_page import board, go, show_board
from turkle_app.sites.board.records import TEXT_KINDS
from turkle_app.sites.board.state import tags_of
from turkle_app.sites.board.variants import Wording
from turkle_app.sites.pages import page

BLANKS = (
    Blank(name="title", label="Title", least=4, most=100, needed=True),
    Blank(name="kind", label="Kind", kind="choice", options=tuple(TEXT_KINDS.items()), needed=True),
    Blank(name="tags", label="Tags", most=80, help="Separated by commas."),
    Blank(
        name="seen_by",
        label="Who may read it",
        kind="radio",
        options=(("everyone", "Everyone"), ("members", "Members only")),
        needed=True,
    ),
    Blank(name="text", label="Text", kind="long", least=10, most=50_000, needed=True),
)
"""What is asked of who pastes a text."""


@page
def texts(request: HttpRequest) -> HttpResponse:
    """The shelf, newest first, or one kind of it."""
    state = board(request)
    kind = request.GET.get("kind", "")
    found = sorted(state.texts().values(), key=lambda one: one.at, reverse=True)
    rows = [(one, state.member(one.author), TEXT_KINDS[one.kind]) for one in found if kind in ("", one.kind)]
    return show_board(request, "texts.html", rows=rows, kind=kind, kinds=TEXT_KINDS)


@page
def text(request: HttpRequest, number: int) -> HttpResponse:
    """A text with its lines numbered; taking one's own away."""
    state = board(request)
    found = state.texts().get(number)
    if found is None:
        raise Http404
    is_own = found.author == state.world.reader
    if request.method == "POST" and is_own:
        state.withdraw(number)
        state.notice = "The text is off the shelf."
        return go(Wording(state.variant)["texts_address"])
    author, kind = state.member(found.author), TEXT_KINDS[found.kind]
    lines = found.text.split("\n")
    return show_board(request, "text.html", text=found, author=author, kind=kind, lines=lines, is_own=is_own)


@page
def new_text(request: HttpRequest) -> HttpResponse:
    """The form for a text, its preview, and its publication, by what ``go`` says."""
    state = board(request)
    answers: Answers = read(BLANKS, request.POST) if request.method == "POST" else {"seen_by": "everyone"}
    wanted = request.POST.get("go", "")
    wrong = mistakes(BLANKS, answers, state.today) if wanted in ("preview", "publish") else {}
    if wrong or wanted not in ("preview", "publish"):
        blanks = filled(BLANKS, answers, wrong)
        return show_board(request, "new_text.html", 422 if wrong else 200, blanks=blanks)
    pasted = str(answers["text"])
    if wanted == "publish":
        made = state.publish(answers, pasted)
        state.notice = "Your text is on the shelf."
        return go(f"{Wording(state.variant)['texts_address']}{made.id}/")
    return show_board(
        request,
        "preview_text.html",
        answers=answers,
        kind=TEXT_KINDS[str(answers["kind"])],
        tags=tags_of(str(answers["tags"])),
        lines=pasted.split("\n"),
        words=len(pasted.split()),
    )
