"""What a model was sent, part by part; long texts by their names, so that a page loads them when they are looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from harness.kit.text import counted
from harness.records.record_file import NotARun
from harness.records.texts import REFERENCE

Arguments = tuple[tuple[str, str], ...]
"""Name and value, as text, of what a tool is called with."""
PartKind = Literal["text", "picture", "call", "result", "other"]


class Texts(Protocol):
    """Where texts are: ``harness.reports.watch.episode_files.EpisodeFiles``."""

    def packed_text(self, name: str) -> Any:
        """The JSON value in a text, long texts in it by their names.

        Raises:
            NotARun: there is none, or it cannot be read.
        """


@dataclass(frozen=True)
class RequestPart:
    """One part of a message.

    Attributes:
        kind: What it is.
        text: What it says, if it is short: all of it. Of a picture nothing.
        name: Name of the text that holds the rest, or of a picture; empty if there is none.
        characters: Of the text that is elsewhere; None if nobody tells.
        label: What stands before it, such as the name of a tool.
        arguments: Of a call, by name; empty if it has none, or if they cannot be read.
    """

    kind: PartKind
    text: str = ""
    name: str = ""
    characters: int | None = None
    label: str = ""
    arguments: Arguments = ()


@dataclass(frozen=True)
class OfferedTool:
    """A tool that a model could call.

    Attributes:
        name: Its name.
        description: What it is said to do.
        arguments: What it takes: name, what it may be, and what is said of it.
        whole: All that was sent of a tool that has no such parts, as JSON; else empty.
    """

    name: str
    description: str
    arguments: tuple[tuple[str, str, str], ...] = ()
    whole: str = ""


@dataclass(frozen=True)
class RequestMessage:
    """One message.

    Attributes:
        role: Whose it is.
        parts: What it holds.
    """

    role: str
    parts: tuple[RequestPart, ...]


@dataclass(frozen=True)
class RequestView:
    """What a turn sent.

    Attributes:
        name: The name of the whole request among the texts.
        repeated: How many messages at its beginning are those of the turn before.
        messages: The others.
        settings: What was asked for beside the conversation: name and value.
        tools: What could be called; empty if these are the tools of the turn before.
        trouble: Why it cannot be shown; empty if it can.
    """

    name: str
    repeated: int = 0
    messages: tuple[RequestMessage, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    tools: tuple[OfferedTool, ...] = ()
    trouble: str = ""


class RequestReader:
    """Reads the requests of an episode in their order."""

    def __init__(self, texts: Texts) -> None:
        """Begin.

        Args:
            texts: Where they are.
        """
        self._texts = texts
        self._before: list[Any] = []
        self._tools: Any = None

    def read(self, name: str) -> RequestView:
        """The next request; one that cannot be read says why."""
        try:
            record = self._texts.packed_text(name)
        except NotARun as error:
            return RequestView(name, trouble=str(error))
        if not isinstance(record, dict) or not isinstance(record.get("messages"), list):
            return RequestView(name, trouble="it is no request to a model")
        messages = record["messages"]
        repeated = _same_at_the_beginning(messages, self._before)
        self._before = messages
        shown = tuple(_message(message) for message in messages[repeated:])
        tools, self._tools = self._tools, record.get("tools")
        offered = self._tools if isinstance(self._tools, list) and self._tools != tools else []
        return RequestView(name, repeated, shown, tuple(_settings(record)), tuple(map(self._offered, offered)))

    def _offered(self, tool: Any) -> OfferedTool:
        match tool:
            case {"name": str(name), "parameters": {"properties": dict(properties)} as parameters}:
                given = parameters.get("required")
                required = given if isinstance(given, list) else []
                arguments = (
                    (str(key), _may_be(value, key in required), self._said(value)) for key, value in properties.items()
                )
                return OfferedTool(name, self._said(tool), tuple(arguments))
        called = tool.get("name") or tool.get("type") if isinstance(tool, dict) else ""
        return OfferedTool(str(called or "tool"), "", whole=_json(tool))

    def _said(self, record: Any) -> str:
        """What is said of a tool or an argument; a long text stands elsewhere."""
        match record:
            case {"description": str(text)}:
                return text
            case {"description": {"$text": str(name)}}:
                try:
                    return str(self._texts.packed_text(name))
                except NotARun as error:
                    return str(error)
        return ""


def _same_at_the_beginning(messages: Sequence[Any], before: Sequence[Any]) -> int:
    """The last message is never taken for a repeated one: it is what the turn is about."""
    count = 0
    for ours, theirs in zip(messages[:-1], before, strict=False):
        if ours != theirs:
            break
        count += 1
    return count


def _message(message: Any) -> RequestMessage:
    if not isinstance(message, dict) or not isinstance(message.get("parts"), list):
        return RequestMessage("unknown", (_other(message),))
    parts = [shown for part in message["parts"] for shown in _parts(part)]
    return RequestMessage(str(message.get("role", "unknown")), tuple(parts))


def _parts(part: Any) -> Iterator[RequestPart]:
    match part:
        case {"type": "text", "text": text}:
            yield _text("text", text)
        case {"type": "image", "sha256": str(name)}:
            yield RequestPart("picture", name=name)
        case {"type": "tool_call", "name": str(name), "arguments": arguments}:
            yield RequestPart("call", _json(arguments), label=name, arguments=arguments_of(arguments))
        case {"type": "tool_result", "text": text}:
            yield _text("result", text)
            images = part.get("images")
            for image in images if isinstance(images, list) else ():
                yield from _parts(image)
        case _:
            yield _other(part)


def _text(kind: PartKind, value: Any) -> RequestPart:
    match value:
        case str():
            return RequestPart(kind, value)
        case {"$text": str(name), "characters": int(characters)}:
            return RequestPart(kind, name=name, characters=characters)
    return _other(value)


def arguments_of(arguments: Any) -> Arguments:
    """The arguments of a call, each as text: a text as it is, anything else as JSON."""
    if not isinstance(arguments, dict):
        return ()
    return tuple((str(name), _argument(value)) for name, value in arguments.items())


def _argument(value: Any) -> str:
    match value:
        case {"$text": str(), "characters": int(characters)}:
            return f"{counted(characters, 'character')}: see the whole request"
    return _json(value)


def _may_be(schema: Any, required: bool) -> str:
    """What an argument may be, in words."""
    schema = schema if isinstance(schema, dict) else {}
    kinds = schema.get("type")
    words = ", ".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds or "")
    if isinstance(choices := schema.get("enum"), list):
        words = f"one of {', '.join(map(_json, choices))}"
    elif not words:
        words = _json({key: value for key, value in schema.items() if key != "description"})
    return words if required else f"{words}, may be left out"


def _other(value: Any) -> RequestPart:
    return RequestPart("other", _json(value))


def _settings(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        if key == "messages" or value in (None, [], ""):
            continue
        if key == "tools" and isinstance(value, list):
            names = [tool.get("name") if isinstance(tool, dict) else None for tool in value]
            yield "tools", ", ".join(str(name) for name in names)
        elif isinstance(value, dict) and REFERENCE in value:
            yield key, "see the whole request"
        else:
            yield key, value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
