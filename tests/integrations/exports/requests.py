"""Requests, replies and turns for tests."""

from __future__ import annotations

from typing import Any

from harness.models.messages import Image, Message, Reply, Request, Text, Usage

PNG = b"\x89PNG a picture"


def request(*parts: str | bytes, model: str = "m", **values: Any) -> Request:
    """A request with one system message and one message of these texts and pictures."""
    made = tuple(Text(part) if isinstance(part, str) else Image(part) for part in parts)
    return Request(model, (Message("system", (Text("Act."),)), Message("user", made)), **values)


def reply(text: str = "modify_text('a', 'yes')", **values: Any) -> Reply:
    return Reply(text, usage=Usage(10, 5, 2), **values)


PICTURE = "ab" * 32
SAID = [
    (request("the page", "the field 'a'"), reply("modify_text('a', 'yes')")),
    (request("the page", "the field 'b'"), reply("I do not know.")),
]
