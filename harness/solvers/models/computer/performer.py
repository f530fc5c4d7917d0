"""Doing what a dialect's calls ask for, with the actions that there are."""

from __future__ import annotations

from collections.abc import Iterable

from harness.actions.call import ActionCall, ActionError
from harness.episode.library import Actions
from harness.episode.site_actions import SiteActions
from harness.models.messages import Image
from harness.solvers.models.computer.asked import ComputerCall, Look, Outcome, Piece, Tell
from harness.solvers.models.computer.screen import Screen

_NAVIGATION = ("goto", "go_back", "switch_tab")
"""What the frame of a browser is for, which no screen shows."""


class Performer:
    """Does calls on one page, and shows its screen.

    Attributes:
        done: How many actions were done, successfully or not, and pictures taken.
    """

    def __init__(self, act: Actions, screen: Screen) -> None:
        """Use the actions on a page.

        Args:
            act: The actions.
            screen: How the model is shown the page.
        """
        self.done = 0
        self._act = act
        self._screen = screen

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more: the form was sent, or the page has ended its episode."""
        return self._act.submitted

    def show(self) -> Image:
        """The screen as it is now, once it has come to rest."""
        return Image(self._screen.picture(self._act.observation.screen()))

    def perform(self, calls: Iterable[ComputerCall], *, shows_each: bool) -> list[Outcome]:
        """Do calls in order, up to the first that fails: those behind it were meant for what it should have done.

        Args:
            calls: The calls.
            shows_each: Whether each is answered with the screen after it.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode is used up.
        """
        outcomes: list[Outcome] = []
        has_failed = False
        for call in calls:
            outcome = Outcome(call, "not done, since one before it failed", None) if has_failed else self._do(call)
            if shows_each and outcome.image is None and not self.is_over:
                outcome = Outcome(call, outcome.text, outcome.ok, self.show())
            outcomes.append(outcome)
            has_failed = has_failed or not outcome.ok
        return outcomes

    def _do(self, call: ComputerCall) -> Outcome:
        text, image, looked = "done", None, False
        for piece in call.pieces:
            match piece:
                case ActionError():
                    return Outcome(call, f"error: {piece.reason}", ok=False)
                case Tell():
                    text = piece.text
                case Look():
                    self.done += 1
                    image, looked = self._look(piece), True
                case ActionCall():
                    self.done += 1
                    if (reason := self._do_action(piece)) is not None:
                        return Outcome(call, f"error: {reason}", ok=False)
                    image, looked = None, False
                    if piece.name in _NAVIGATION:
                        text = self._act.trajectory.steps[-1].message
        return Outcome(call, text, ok=True, image=image, looked=looked)

    def _do_action(self, call: ActionCall) -> str | None:
        """Do an action; why it was not done, None if it was."""
        if not hasattr(self._act, call.name):
            return f"{call.name} is not possible here: there is one page, with one form"
        result = Actions.call(self._act, call)  # in the words of the library, whatever the action set
        return None if result.ok else result.message

    def _look(self, look: Look) -> Image:
        if look.box is None:
            return self.show()
        return Image(self._screen.zoomed(self._act.observation.screen(), look.box))

    def tabs(self) -> str:
        """The tabs that are open, where there are several; empty otherwise."""
        if not isinstance(self._act, SiteActions):
            return ""
        tabs = self._act.tabs()
        return "\n".join(map(str, tabs)) if len(tabs) > 1 else ""

    def url(self, otherwise: str) -> str:
        """The address that is shown; ``otherwise`` where the page has one only."""
        if not isinstance(self._act, SiteActions):
            return otherwise
        return next((tab.url for tab in self._act.tabs() if tab.shown), otherwise)


def asked_for(calls: Iterable[ComputerCall]) -> list[ActionCall | ActionError]:
    """The actions and errors of calls, for the record."""
    pieces: list[Piece] = [piece for call in calls for piece in call.pieces]
    return [piece for piece in pieces if isinstance(piece, ActionCall | ActionError)]
