"""A model that a solver of one's own asks, whose exchanges are kept with the episode."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from harness.actions.call import ActionCall, ActionError
from harness.actions.parser import parse
from harness.models.client import Exchange
from harness.models.messages import Image, Message, Request, Text
from harness.models.thoughts import without_thoughts
from harness.records.turn import OpenTurn, turn_of

if TYPE_CHECKING:
    from harness.episode.library import Actions
    from harness.models.client import Client


class ModelReply:
    """What a model answered.

    Attributes:
        text: In its words.
    """

    def __init__(self, text: str, act: Actions, turn: OpenTurn) -> None:
        self.text = text
        self._act = act
        self._turn = turn

    def calls(self) -> Iterator[ActionCall | ActionError]:
        """The actions that it wrote, in order: read, never executed. The record names them with the reply.

        Yields:
            A call, for ``act.call``; or what cannot be read, as an error with a ``reason`` to tell the model.
        """
        for each in parse(self.text, self._act.specs):
            self._turn.read(each)
            yield each


class Model:
    """A model of a provider, or of a server that speaks a provider's protocol.

    Each exchange is written to the episode's record, and the time in which the provider is waited for is not the
    solver's. Limits of a run's cost are kept for presets only, not here.

    Args:
        provider: ``openai``, ``anthropic``, ``google`` or ``local``; its key is read from the environment
            (docs/how-to/models.md).
        name: The model, as the provider calls it.
        base_url: Of another server with the same protocol; None for the provider's own.
        max_tokens: Of a reply.
        temperature: How much it draws; None for the provider's usual.
        timeout: Seconds that a reply may take.

    Raises:
        ModelError: there is no such provider, its key is not set, or its package is not installed.
    """

    def __init__(
        self,
        provider: str,
        name: str,
        *,
        base_url: str | None = None,
        max_tokens: int = 4096,
        temperature: float | None = None,
        timeout: float = 60.0,
    ) -> None:
        from harness.models.providers.provider_table import make_client  # noqa: PLC0415 - a provider's library

        self._client: Client = make_client(provider, base_url=base_url)
        self._name, self._max_tokens, self._temperature, self._timeout = name, max_tokens, temperature, timeout

    @contextmanager
    def ask(self, act: Actions, text: str, *pictures: bytes) -> Iterator[ModelReply]:
        """Ask it, and act on its reply within the context: those steps are recorded with the reply.

        Args:
            act: The actions of the page that is worked on.
            text: The question.
            pictures: PNG files that go with it.

        Yields:
            The reply.

        Raises:
            ModelError: no reply came.
        """
        content: tuple[Text | Image, ...] = (Text(text), *map(Image, pictures))
        request = Request(
            self._name,
            (Message("user", content),),
            max_tokens=self._max_tokens,
            temperature=self._temperature,
        )
        begun = time.monotonic()
        with act.trajectory.waiting():
            reply = without_thoughts(self._client.complete(request, timeout=self._timeout))
        exchange = Exchange(reply=reply, usage=reply.usage, ms=(time.monotonic() - begun) * 1000)
        with turn_of(act.trajectory, request, exchange) as turn:
            yield ModelReply(reply.text, act, turn)
