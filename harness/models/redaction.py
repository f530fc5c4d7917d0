"""Replies without keys: a server may repeat what it was sent, and a reply is kept and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs

from harness.models.keys import without_keys
from harness.models.messages import Reply, ToolCall


def redacted(reply: Reply) -> Reply:
    """A reply in which every key that was read so far is ``[key]``, wherever it stands."""
    return replace(
        reply,
        text=without_keys(reply.text),
        tool_calls=tuple(map(_redacted_call, reply.tool_calls)),
        finish=without_keys(reply.finish),
        model=without_keys(reply.model),
        note=without_keys(reply.note),
        thought=without_keys(reply.thought),
        native=tuple(map(_redacted_value, reply.native)),
        reasoning=tuple(_redacted_value(piece) for piece in reply.reasoning),
    )


def _redacted_call(call: ToolCall) -> ToolCall:
    return structs.replace(
        call,
        id=without_keys(call.id),
        name=without_keys(call.name),
        arguments=_redacted_value(call.arguments),
        malformed=without_keys(call.malformed),
        signature=without_keys(call.signature),
    )


def _redacted_value(value: Any) -> Any:
    """A JSON value with every text in it, names included, without keys."""
    match value:
        case str():
            return without_keys(value)
        case Mapping():
            return {without_keys(str(name)): _redacted_value(item) for name, item in value.items()}
        case list() | tuple():
            return [_redacted_value(item) for item in value]
    return value
