"""The turns of a form so far, kept within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.kit.text import counted
from harness.models.messages import Image, Message, Text
from harness.solvers.models.prompting import Prompter, say
from harness.solvers.models.view import PageView

Page = tuple[Text | Image, ...]

SHARE_OF_PAGE = 0.4
"""Part of the budget that older turns leave to the page as it is now; they are left out to make room for it."""


@dataclass(frozen=True)
class PastTurn:
    """One turn of a form that is over.

    Attributes:
        page: What the model saw.
        tokens: How many that takes.
        replies: What it answered, with the results of its tool calls.
        results: What is told of the rest of the results before the next page.
        pictures: Pictures that belong to these results.
    """

    page: Page
    tokens: int
    replies: tuple[Message, ...]
    results: str = ""
    pictures: tuple[Image, ...] = ()


@dataclass(frozen=True)
class ComposedConversation:
    """A conversation within its budget.

    Attributes:
        messages: Without the rules and the demonstrations.
        view: The page as it is shown now.
        left_out: What had to be left out, for the record; empty if nothing.
    """

    messages: tuple[Message, ...]
    view: PageView
    left_out: str


class History:
    """The conversation about one form.

    What does not fit goes in this order: the pages of earlier turns, the oldest first, each replaced by a note; then
    whole turns but the first, which tells the fields; last, the page as it is now shrinks (``harness.observe``).
    """

    def __init__(self, prompter: Prompter, names: Sequence[str], count: Callable[[Sequence[Message]], int]) -> None:
        """Begin.

        Args:
            prompter: Writes the messages.
            names: Of the fields, for the first message.
            count: Tokens of messages.
        """
        self._prompter = prompter
        self._names = names
        self._count = count
        self._rounds: list[PastTurn] = []

    def add(self, turn: PastTurn) -> None:
        """Add a turn that is over."""
        self._rounds.append(turn)

    def compose(self, budget: int, show: Callable[[int], PageView]) -> ComposedConversation:
        """The conversation up to the page as it is now.

        Args:
            budget: Tokens.
            show: Shows the page as it is now within a number of tokens.
        """
        rounds, dropped = list(self._rounds), 0
        bare: Page = (Text(say("left_out_page")),)
        while True:
            pages = [bare] * len(rounds)
            fixed = self._count(self._messages(rounds, pages, (), dropped))
            if len(rounds) < 2 or budget - fixed >= SHARE_OF_PAGE * budget:
                break
            del rounds[1]
            dropped += 1
        view = show(max(0, budget - fixed))
        room, whole = budget - fixed - view.tokens, 0
        for place in reversed(range(len(rounds))):
            if rounds[place].tokens > room:
                break
            room -= rounds[place].tokens
            pages[place] = rounds[place].page
            whole += 1
        notes = [f"{counted(len(rounds) - whole, 'earlier page')} left out"] if whole < len(rounds) else []
        notes += [f"{counted(dropped, 'earlier turn')} left out"] if dropped else []
        notes += [view.note] if view.note else []
        return ComposedConversation(tuple(self._messages(rounds, pages, view.page, dropped)), view, "; ".join(notes))

    def _messages(self, rounds: Sequence[PastTurn], pages: Sequence[Page], now: Page, dropped: int) -> list[Message]:
        messages: list[Message] = []
        for place, page in enumerate((*pages, now)):
            before = rounds[place - 1] if place else None
            message = self._prompter.form_next(page) if before else self._prompter.form_request(page, self._names)
            if before:
                told = [say("left_out_turns", count=dropped)] if dropped and place == 1 else []
                told += [before.results] if before.results else []
                message = _with(message, "\n\n".join(told), before.pictures)
            messages.append(message)
            if place < len(rounds):
                messages += rounds[place].replies
        return messages


def _with(message: Message, told: str, pictures: Sequence[Image]) -> Message:
    """A message with something said before its text."""
    images = tuple(part for part in message.parts if isinstance(part, Image))
    text = f"{told}\n\n{message.text}" if told else message.text
    return Message(message.role, (*pictures, *images, Text(text)))
