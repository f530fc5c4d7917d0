"""One turn with a model: send a request, read the reply, do what it asks for, and take everything down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from harness.actions.call import ActionCall, ActionError
from harness.browser.form.fields import Field
from harness.episode.library import Actions
from harness.kit.text import shorten
from harness.models.client import Exchange
from harness.models.messages import Image, Message, Reply, Request, Text, ToolResult
from harness.models.service import CallingEpisode
from harness.records.turn import turn_of
from harness.solvers.models.grammars import grammar_for
from harness.solvers.models.prompting import Prompter, say
from harness.solvers.models.replies import ReplyItem, complaints, note_of_text, read_reply, shown_again

LONGEST_RESULT = 20_000
"""Characters of one action's result that a model is shown."""


class NoUsableReply(Exception):
    """A model that wrote no action that could be done, however often it was told why."""

    @classmethod
    def in_a_row(cls, replies: int, answer: str) -> NoUsableReply:
        """Several replies of no use.

        Args:
            replies: Their number.
            answer: What turkbench answers to the last one.
        """
        said = " ".join(answer.split())
        return cls(f'{replies} replies in a row held no action that could be done; turkbench answers to that: "{said}"')


class ModelCaller(Protocol):
    """What asks the model (``harness.models.service.ModelService``)."""

    def complete(self, request: Request, waiter: CallingEpisode, *, where: str = "") -> Exchange:
        """The model's answer; ``where`` says for the accounts what the call is for.

        Raises:
            harness.episode.trajectory.LimitReached: the run's money or tokens are used up.
            harness.models.client.ModelError: there is no answer.
        """


@dataclass(frozen=True)
class ItemOutcome:
    """What became of one thing that a reply asked for.

    Attributes:
        item: What was asked for.
        text: What it did, or why not, for the model.
        image: A picture that belongs to it, as PNG; empty if there is none.
    """

    item: ReplyItem
    text: str
    image: bytes = b""


@dataclass
class FinishedTurn:
    """A turn that is over.

    Attributes:
        reply: What the model wrote.
        items: What was read from it.
        outcomes: What became of that, up to the end of the work.
        performed: How many actions were done, successfully or not.
        finished: Whether the model ended its work.
    """

    reply: Reply
    items: tuple[ReplyItem, ...]
    outcomes: list[ItemOutcome] = field(default_factory=list)
    performed: int = 0
    finished: bool = False

    @property
    def is_usable(self) -> bool:
        """Whether it held anything that could be done."""
        return bool(self.performed) or self.finished


class Asker:
    """Asks one model by one recipe."""

    def __init__(self, prompter: Prompter, service: ModelCaller) -> None:
        """Prepare.

        Args:
            prompter: Whose actions are offered.
            service: Asks the model.
        """
        self._prompter = prompter
        self._service = service

    def request(self, messages: Sequence[Message], fields: Sequence[Field], *, max_calls: int) -> Request:
        """The whole request for a conversation.

        Args:
            messages: The conversation.
            fields: What can be filled in now, for the grammar of a model that is held to one.
            max_calls: The most calls under that grammar.
        """
        recipe = self._prompter.recipe
        grammar = None
        if recipe.grammar:
            grammar = grammar_for(self._prompter.specs, fields, max_calls=max_calls)
        return Request(
            model=recipe.model,
            messages=tuple(messages),
            tools=self._prompter.tools,
            temperature=recipe.temperature,
            likelihoods=recipe.likelihoods,
            seed=recipe.seed,
            max_tokens=recipe.max_output_tokens,
            grammar=grammar,
        )

    def ask(self, act: Actions, request: Request, *, where: str, page: str, note: str = "") -> FinishedTurn:
        """Send a request, and do what the reply asks for.

        Args:
            act: The actions on the page.
            request: As ``request`` makes it.
            where: Address of the page, for the accounts.
            page: Digest of the state in which the page was seen.
            note: For the record: what is asked about.

        Raises:
            harness.episode.trajectory.LimitReached: a limit is reached; what was said and done until then is recorded.
            harness.models.client.ModelError: the model gives no answer.
        """
        exchange = self._service.complete(request, act.trajectory, where=urlsplit(where).path)
        recipe = self._prompter.recipe
        done = FinishedTurn(exchange.reply, read_reply(exchange.reply, self._prompter.specs, recipe.output))
        note = "; ".join(filter(None, (note, note_of_text(done.reply, done.items, recipe.output))))
        with turn_of(act.trajectory, request, exchange, page=page, note=note) as turn:
            turn.read(*(item.what for item in done.items))
            self._perform(act, done)
        return done

    def _perform(self, act: Actions, done: FinishedTurn) -> None:
        for item in done.items:
            if item.is_end:
                done.finished = True
                done.outcomes.append(ItemOutcome(item, "done"))
                return
            if isinstance(item.what, ActionError):
                done.outcomes.append(ItemOutcome(item, f"error: {item.what}"))
                continue
            result = act.call(item.what)
            done.performed += 1
            words = f"{'ok' if result.ok else 'error'}: {result.message}"
            if result.text:
                words = f"{words}\n{shorten(result.text, LONGEST_RESULT)}"
            done.outcomes.append(ItemOutcome(item, words, result.image))

    def answered(self, done: FinishedTurn) -> tuple[list[Message], str, list[Image]]:
        """A turn as it stands in the next request.

        Returns:
            The model's message, with the results of its tool calls behind it; what else is to be told of the results,
            as text for the next message; and the pictures of the latter.
        """
        recipe = self._prompter.recipe
        message, kept = shown_again(done.reply, self._prompter.specs)
        messages = [message]
        by_id = {outcome.item.id: outcome for outcome in done.outcomes if outcome.item.id in kept}
        if kept:
            results = [
                ToolResult(each, by_id[each].text, _pictures(by_id[each]))
                if each in by_id
                else ToolResult(each, "not done")
                for each in dict.fromkeys(call.id for call in done.reply.tool_calls if call.id in kept)
            ]
            messages.append(Message("tool", tuple(results)))
        rest = [outcome for outcome in done.outcomes if outcome.item.id not in kept]
        if not done.is_usable:
            errors = complaints(done.reply, done.items, recipe.output, recipe.max_output_tokens)
            return messages, say("malformed", errors=errors), []
        if not rest:
            return messages, "", []
        told = "\n".join(f"{_name(outcome.item)} -> {outcome.text}" for outcome in rest)
        return messages, say("results", results=told), [image for outcome in rest for image in _pictures(outcome)]


def _name(item: ReplyItem) -> str:
    return str(item.what) if isinstance(item.what, ActionCall) else item.what.text


def _pictures(outcome: ItemOutcome) -> tuple[Image, ...]:
    return (Image(outcome.image),) if outcome.image else ()


def text_message(role: str, text: str, images: Sequence[Image] = ()) -> Message:
    """A message of pictures and a text."""
    return Message(role, (*images, Text(text)))
