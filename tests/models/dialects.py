"""The three protocols as tests see them: what is the same for all is tested for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

import pytest

from harness.models.client import Client, ModelError
from harness.models.messages import Message, Request, Text
from harness.models.providers.provider_table import PROVIDERS
from tests.models.servers import Answer, Asked, Server, anthropic_reply, failure, google_reply, openai_reply

KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Dialect:
    """A protocol: its client, its answers, and where it puts the pieces of a request."""

    name: str
    path: str
    reply: Callable[..., Answer]
    settings: Callable[[Any], Mapping[str, Any]]

    @property
    def make(self) -> type[Client]:
        """The client's class; its library is imported here, so that each extra can be tested without the others."""
        return resolve_name(PROVIDERS[self.name].client)

    def client(self, server: Server, key: str | None = KEY) -> Client:
        return self.make(server.url + self.path, key, "A_KEY")

    def exchange(self, script: Any, *requests: Request) -> tuple[list[Any], list[Asked]]:
        """The replies or errors that a script's answers become, and the requests as they came."""
        told: list[Any] = []
        with Server(script) as server:
            client = self.client(server)
            for request in requests:
                try:
                    told.append(client.complete(request, timeout=30))
                except ModelError as error:
                    told.append(error)
            client.close()
        return told, server.requests

    def failure(self, status: int, message: str = "no", **more: Any) -> Answer:
        return failure(self.name, status, message, **more)


DIALECTS = (
    OPENAI := Dialect("openai", "/v1", openai_reply, lambda json: json),
    ANTHROPIC := Dialect("anthropic", "", anthropic_reply, lambda json: json),
    GOOGLE := Dialect("google", "", google_reply, lambda json: json["generationConfig"]),
)


each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)


def ask(text: str = "What now?", **more: Any) -> Request:
    return Request("a-model", (Message("user", (Text(text),)),), **more)
