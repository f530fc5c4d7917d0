"""Open models, which write their actions into the text of a reply: what all of them share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from harness.kit.text import shorten
from harness.kit.words import Words
from harness.models.messages import LENGTH, Message, Reply, Text, ToolCall
from harness.solvers.models.computer.arguments import WrongArgument
from harness.solvers.models.computer.asked import ComputerCall, DoneTurn, Piece, ReadTurn
from harness.solvers.models.computer.dialect import Dialect, Hand, Navigation, attempt
from harness.solvers.models.computer.screen import Screen, ScreenRule

WORDS = Words("harness.solvers.models.computer")
LONGEST_READ = 20_000
"""Characters of a reply that are read."""


@dataclass(frozen=True)
class Said:
    """An action as it stands in a text.

    Attributes:
        name: What is called.
        arguments: By name; those without one by their place, as ``"0"``, ``"1"``.
    """

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class End:
    """The end of the work, with the answer; empty if there is none."""

    answer: str = ""


class NotRead(ValueError):
    """A text that holds no action of the dialect; the message says so to the model."""


class TextDialect(Dialect):
    """A dialect over chat completions: no tools, the screen in the user's message, actions in the text.

    Attributes:
        words: The name of the prompt that tells how to write actions.
    """

    words: str

    def __init__(self, rule: ScreenRule, *, images: int) -> None:
        """Of models that see a screen of some size.

        Args:
            rule: The size, and the numbers in which they point.
            images: How many screenshots of the conversation they are shown.
        """
        self.rule = rule
        self.images = images

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:  # noqa: ARG002
        """None."""
        return ()

    def system(self, rules: str, screen: Screen, navigation: Navigation) -> str:  # noqa: ARG002
        """The rules, and the actions in the words that the model was trained with."""
        across, down = screen.units
        return WORDS.say(self.words, rules=rules, width=f"{across:g}", height=f"{down:g}")

    @abstractmethod
    def said(self, text: str) -> Sequence[Said]:
        """The actions in a text, in order.

        Raises:
            NotRead: it holds none, or none that can be read.
        """

    @abstractmethod
    def pieces(self, said: Said, hand: Hand, navigation: Navigation) -> Iterator[Piece | End]:
        """What an action asks for.

        Raises:
            harness.solvers.models.computer.arguments.WrongArgument: it is not known, or an argument is wrong.
            harness.solvers.models.computer.keys.NoSuchKey: a key is not known.
            harness.solvers.models.computer.screen.OffScreen: a point is beyond an edge.
        """

    def read(self, reply: Reply, hand: Hand, navigation: Navigation) -> ReadTurn:
        """See ``Dialect.read``; what stands behind the end is not done."""
        try:
            actions = self._actions(reply)
        except NotRead as error:
            cut = "Your reply was cut off. Be brief. " if reply.finish == LENGTH else ""
            return ReadTurn(trouble=f"{cut}{error}")
        calls: list[ComputerCall] = []
        ends: list[End] = []
        for number, action in enumerate(actions):
            call = ToolCall(f"{number}", action.name, action.arguments)
            calls.append(attempt(call, partial(self._up_to_end, action, hand, navigation, ends)))
            if ends:
                return ReadTurn(tuple(call for call in calls if call.pieces), is_end=True, answer=ends[0].answer)
        return ReadTurn(tuple(calls))

    def _actions(self, reply: Reply) -> Sequence[Said]:
        if reply.tool_calls:  # so a server hands them on that reads its model's calls itself
            return [Said(call.name, call.arguments) for call in reply.tool_calls]
        if reply.unread:
            raise NotRead(f"What {reply.unread} frames was not done: write the action alone.")
        return self.said(reply.text[:LONGEST_READ])

    def _up_to_end(self, said: Said, hand: Hand, navigation: Navigation, ends: list[End]) -> Iterable[Piece]:
        for piece in self.pieces(said, hand, navigation):
            if isinstance(piece, End):
                ends.append(piece)
                return
            yield piece

    def again(self, reply: Reply) -> str:
        """A reply's text as the model wrote it."""
        return reply.text

    def told(self, turn: DoneTurn) -> tuple[Message, ...]:
        """The reply's text as it came, and the screen, with what went wrong before it."""
        called = "\n".join(f"{call.name} {dict(call.arguments)}" for call in turn.reply.tool_calls)
        text = self.again(turn.reply).strip() or called
        wrong = [f"{each.call.name}: {each.text}" for each in turn.outcomes if not each.ok]
        news = "\n".join(filter(None, (*wrong, turn.news)))
        return (
            Message("assistant", (Text(shorten(text, LONGEST_READ) or "(nothing)"),)),
            Message("user", (*((Text(news),) if news else ()), turn.screen)),
        )


def impossible(said: Said) -> WrongArgument:
    """The error for an action that there is not."""
    return WrongArgument(f"the action {shorten(said.name, 60)!r} is not possible here")
