"""One turn on a website: send a request, read the reply, do its one action, and take everything down."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.episode.site_actions import SiteActions
from harness.models.messages import Reply, Request
from harness.records.turn import turn_of
from harness.solvers.models.asking import ModelCaller
from harness.solvers.models.replies import note_of_text
from harness.solvers.models.site_prompter import SitePrompter
from harness.solvers.models.site_step import ReadReply


@dataclass(frozen=True)
class DoneAction:
    """An action that was done, successfully or not.

    Attributes:
        call: The action.
        result: What came of it.
    """

    call: ActionCall
    result: ActionResult


@dataclass(frozen=True)
class SiteTurn:
    """A turn that is over.

    Attributes:
        reply: What the model wrote.
        said: What was read from it.
        done: The first action that it asked for; None if it asked for none. Any others were not done.
    """

    reply: Reply
    said: ReadReply
    done: DoneAction | None

    @property
    def asked_for_more(self) -> bool:
        """Whether it asked for more than one action."""
        return sum(isinstance(item.what, ActionCall) for item in self.said.items) > 1


class SiteAsker:
    """Asks one model by one recipe about websites."""

    def __init__(self, prompter: SitePrompter, service: ModelCaller) -> None:
        """Prepare.

        Args:
            prompter: Whose actions are offered; it reads the replies.
            service: Asks the model.
        """
        self._prompter = prompter
        self._service = service

    def ask(self, act: SiteActions, request: Request, *, where: str, page: str, note: str) -> SiteTurn:
        """Send a request, and do the first action that the reply asks for.

        Args:
            act: The actions on the website.
            request: The request.
            where: The address that the task begins at, for the accounts.
            page: Digest of the state in which the page was seen.
            note: For the record.

        Raises:
            harness.episode.trajectory.LimitReached: a limit is reached; what was said and done until then is recorded.
            harness.models.client.ModelError: the model gives no answer.
        """
        exchange = self._service.complete(request, act.trajectory, where=place_of(where))
        said = self._prompter.read(exchange.reply)
        call = next((item.what for item in said.items if isinstance(item.what, ActionCall)), None)
        note = "; ".join(filter(None, (note, note_of_text(exchange.reply, said.items, self._prompter.recipe.output))))
        with turn_of(act.trajectory, request, exchange, page=page, note=note) as turn:
            turn.read(*(item.what for item in said.items))
            done = None if call is None else DoneAction(call, act.call(call))
        return SiteTurn(exchange.reply, said, done)


def place_of(url: str) -> str:
    """A website's address for the accounts: host and path."""
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}"
