"""Calls of tools as a conversation can hold them: each with an id of its own, and the name of a tool that there is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count

from msgspec import structs

from harness.models.messages import Reply, Request, ToolCall, is_native

_WORD = re.compile(r"[\w-]+")
_LONGEST_NAME = 200


def with_fit_calls(reply: Reply, request: Request) -> Reply:
    """A reply whose calls can go back to the provider with their results.

    Some servers give no ids, or one id twice, and providers refuse such a conversation; those ids are made here, of
    nine letters and digits, which is what the strictest takes (Mistral). An id that is a call's own is kept.

    Args:
        reply: As it came.
        request: What it answers, with the calls before it and the tools that there are.
    """
    if not reply.tool_calls:
        return reply
    parts = (part for message in request.messages for part in message.parts)
    used = {part.id for part in parts if isinstance(part, ToolCall)}
    tools = {str(tool["name"]) for tool in request.tools if not is_native(tool)}
    return replace(reply, tool_calls=tuple(_fit(reply.tool_calls, used, tools)))


def _fit(calls: Collection[ToolCall], used: set[str], tools: Collection[str]) -> Iterator[ToolCall]:
    numbers = count(len(used))
    for call in calls:
        name = call.id
        while not name or name in used:
            name = f"call{next(numbers):05d}"
        used.add(name)
        yield structs.replace(call, id=name, name=_tool(call.name, tools))


def _tool(name: str, tools: Collection[str]) -> str:
    """The tool that a name means; the name itself if it means none.

    Servers leave around it namespaces (``functions.name``, ``default_api:name``), the number that Kimi adds
    (``name:0``), and tokens of a channel (``name<|channel|>commentary``).
    """
    if name in tools:
        return name
    meant = [word for word in _WORD.findall(name[:_LONGEST_NAME]) if word in tools]
    return meant[0] if len(meant) == 1 else name
