"""The reader's settings, a tab each."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.board.blanks import Answers, filled, mistakes, read
from turkle_app.sites.board.board_page import board, go, show_board
from turkle_app.sites.board.preferences import BLANKS, CHANNELS, OCCASIONS, TABS
from turkle_app.sites.board.state import BoardState
from turkle_app.sites.pages import page


@page
def settings(request: HttpRequest) -> HttpResponse:
    """All tabs; ``?tab=`` says which is shown first."""
    tab = request.GET.get("tab", "profile")
    if tab not in TABS:
        raise Http404
    return _settings_page(request, board(request), tab, {}, {})


@page
def save(request: HttpRequest, tab: str) -> HttpResponse:
    """Take what a tab's form holds."""
    state = board(request)
    if request.method != "POST" or tab not in TABS:
        raise Http404
    if tab == "notifications":
        state.settings[tab] = {
            occasion: {channel: f"{occasion}:{channel}" in request.POST for channel in CHANNELS}
            for occasion in OCCASIONS
        }
    else:
        answers = read(BLANKS[tab], request.POST)
        if wrong := mistakes(BLANKS[tab], answers, state.today):
            return _settings_page(request, state, tab, answers, wrong)
        state.settings[tab] = answers
    state.notice = f"{TABS[tab]}: saved."
    return go(f"/settings/?tab={tab}")


def _settings_page(
    request: HttpRequest, state: BoardState, tab: str, answers: Answers, wrong: dict[str, str]
) -> HttpResponse:
    panels = {
        name: filled(BLANKS[name], answers if name == tab and wrong else state.settings[name], wrong)
        for name in TABS
        if name in BLANKS
    }
    matrix = [
        (occasion, said, [(channel, state.settings["notifications"][occasion][channel]) for channel in CHANNELS])
        for occasion, said in OCCASIONS.items()
    ]
    order = [*TABS] if state.variant != "moved" else ["appearance", "notifications", "profile", "privacy"]
    return show_board(
        request,
        "settings.html",
        422 if wrong else 200,
        tab=tab,
        tabs=[(name, TABS[name], panels.get(name, [])) for name in order],
        matrix=matrix,
        channels=CHANNELS,
        blocked=[state.member(name) for name in state.blocked],
    )
