"""What is said to a model and what it answers, in no provider's words.

Records only: they are compared, hashed for the reply cache and written to run directories. Each provider's module
translates them (``openai_client``, ``anthropic_client``, ``google_client``, ``local``).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from typing import Any, TypeAlias

import msgspec
from msgspec import structs
from msgspec.structs import force_setattr

from harness.kit.files.codec import plain
from harness.kit.text import joined_surrogates

STOP = "stop"
"""Finish reason: the model ended its answer, or wrote one of the stop texts."""

LENGTH = "length"
"""Finish reason: the answer was cut off at ``max_tokens`` or at the end of the model's context."""

TOOL_CALLS = "tool_calls"
"""Finish reason: the answer holds calls of tools."""

COMPUTER = "computer"
"""What a provider's tool for using a computer is called in a reply, where it has no name of its own."""

REFUSED = "refused"
"""Finish reason: the model or the provider's filter declined to answer."""

MALFORMED = "malformed"
"""Finish reason: the model wrote a call that its provider cannot read; the text is what was said of it."""


@dataclass(frozen=True)
class Text:
    """A piece of text. Lone surrogates become U+FFFD, so that every text can be written as UTF-8."""

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", joined_surrogates(self.text))

    def to_json(self) -> dict[str, Any]:
        """``{"type": "text", "text": ...}``."""
        return {"type": "text", "text": self.text}


@dataclass(frozen=True)
class Image:
    """A picture.

    Attributes:
        png: The file's bytes.
        media_type: Their media type.
    """

    png: bytes = field(repr=False)
    media_type: str = "image/png"

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes in hexadecimal digits: the picture's name in a run directory."""
        return hashlib.sha256(self.png).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The picture by its hash and its length in bytes."""
        return {"type": "image", "media_type": self.media_type, "sha256": self.sha256, "bytes": len(self.png)}


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="tool_call"):
    """A call of a tool that a model wrote; what is empty is left out of its JSON.

    Attributes:
        id: The provider's name for the call.
        name: The tool.
        arguments: Argument -> value; empty if they could not be read.
        malformed: What the model wrote for arguments that are no JSON object.
        signature: Text of the provider that must go back with the call in the next request.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    malformed: str = ""
    signature: str = ""

    def __post_init__(self) -> None:
        for name in ("id", "name", "malformed"):
            force_setattr(self, name, joined_surrogates(getattr(self, name)))
        force_setattr(self, "arguments", _written({**self.arguments}))


@dataclass(frozen=True)
class ToolResult:
    """What a call of a tool gave.

    Attributes:
        id: ``ToolCall.id`` of the call.
        text: Result or error, for the model to read.
        images: Pictures that belong to it.
    """

    id: str
    text: str
    images: tuple[Image, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", joined_surrogates(self.text))

    def to_json(self) -> dict[str, Any]:
        """The result with its pictures by hash."""
        images = [image.to_json() for image in self.images]
        return {"type": "tool_result", "id": self.id, "text": self.text, "images": images}


def picture_mark(image: Image) -> str:
    """The text that stands for a picture, in base64, in ``Message.native``."""
    return f"picture:{image.sha256}"


def _with_pictures(value: Any, pictures: Mapping[str, Image]) -> Any:
    """A JSON value in which each mark at the end of a text gives way to its picture."""
    match value:
        case str():
            before, found, name = value.rpartition("picture:")
            image = pictures.get(f"{found}{name}")
            return value if image is None else before + base64.b64encode(image.png).decode()
        case Mapping():
            return {key: _with_pictures(item, pictures) for key, item in value.items()}
        case list() | tuple():
            return [_with_pictures(item, pictures) for item in value]
    return value


@dataclass(frozen=True)
class Reasoning:
    """What a model thought before it called tools, in its provider's own form, which must go back unchanged.

    Attributes:
        pieces: As the provider gave them: keys of a message (OpenAI's protocol), or blocks (Anthropic's).
    """

    pieces: tuple[Mapping[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """``{"type": "reasoning", "pieces": [...]}``."""
        return {"type": "reasoning", "pieces": [dict(piece) for piece in self.pieces]}


Part: TypeAlias = Text | Image | ToolCall | ToolResult | Reasoning

_PARTS: Mapping[str, tuple[type[Part], ...]] = {
    "system": (Text,),
    "user": (Text, Image),
    "assistant": (Reasoning, Text, ToolCall),
    "tool": (ToolResult,),
}


@dataclass(frozen=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: ``system`` (texts), ``user`` (texts and pictures), ``assistant`` (texts and calls of tools) or ``tool``
            (results, one for each call of the message before).
        parts: What it holds, in order.
        native: The same in one provider's own words, sent to it in their place: JSON, in which ``picture_mark`` stands
            for a picture of the parts; empty for what every provider's client can put into words.

    Raises:
        ValueError: If the role is another one, or cannot hold such a part.
    """

    role: str
    parts: tuple[Part, ...]
    native: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if self.role not in _PARTS:
            raise ValueError(f"{self.role!r} is not a role: {', '.join(_PARTS)}")
        for part in self.parts:
            if not isinstance(part, _PARTS[self.role]):
                raise ValueError(f"a message of the {self.role} cannot hold a {type(part).__name__}")  # noqa: TRY004 - the value of a part, to a reader

    @property
    def text(self) -> str:
        """Its texts, one after the other."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def images(self) -> tuple[Image, ...]:
        """Its pictures, those of results of tools among them, in order."""
        of_parts = ((part,) if isinstance(part, Image) else getattr(part, "images", ()) for part in self.parts)
        return tuple(image for images in of_parts for image in images)

    def to_json(self) -> dict[str, Any]:
        """Role and parts, pictures by hash."""
        parts = [plain(part) if isinstance(part, ToolCall) else part.to_json() for part in self.parts]
        return {"role": self.role, "parts": parts, **({"native": list(self.native)} if self.native else {})}

    def sent(self) -> list[Any]:
        """``native`` with its pictures in base64."""
        return [_with_pictures(item, {picture_mark(image): image for image in self.images}) for item in self.native]


def is_native(tool: Mapping[str, Any]) -> bool:
    """Whether a tool of a request is one of the provider's own."""
    return "parameters" not in tool


def begun_by_user(messages: Sequence[Message]) -> tuple[Message, ...]:
    """A conversation for interfaces in which the user speaks first: what the assistant says before is the system's.

    Args:
        messages: The conversation; before the user's first message the assistant calls no tools.
    """
    lead = tuple(takewhile(lambda message: message.role in ("system", "assistant"), messages))
    return (*(Message("system", message.parts) for message in lead), *messages[len(lead) :])


@dataclass(frozen=True)
class Request:
    """One question to a model: with the same request, ``key`` is the same.

    Attributes:
        model: The provider's name of the model, or the path of a local model's file.
        messages: The conversation; what sets the rules first (by ``system``, or by ``assistant`` before the user has
            said anything), the last one by ``user`` or ``tool``.
        tools: As ``harness.actions.spec.to_json_schema`` makes them: name, description, parameters; or one of the
            provider's own, without parameters, which is sent as it stands.
        stop: The answer ends before the first of these texts.
        temperature: 0 for the likeliest answer; None leaves it to the provider.
        likelihoods: Whether the server is to tell how likely each token of its answer was.
        seed: Seed of the sampling, where the provider has one.
        max_tokens: The longest answer, in tokens.
        grammar: GBNF grammar that the answer must follow; models in the process only.
        more: Parameters of one provider beyond these, which are sent as they stand.
    """

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    stop: tuple[str, ...] = ()
    temperature: float | None = 0.0
    likelihoods: bool = False
    seed: int | None = None
    max_tokens: int = 1024
    grammar: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def last_words(self) -> str:
        """The texts of its last message, results of tools included, line by line."""
        return "\n".join(part.text for part in self.messages[-1].parts if isinstance(part, Text | ToolResult))

    @property
    def last_picture(self) -> bytes:
        """The last picture of its last message, as PNG; empty if it has none."""
        pictures = self.messages[-1].images
        return pictures[-1].png if pictures else b""

    def to_json(self) -> dict[str, Any]:
        """The whole request, pictures by SHA-256 and length; equal requests give equal objects."""
        return {
            "model": self.model,
            "messages": [message.to_json() for message in self.messages],
            "tools": [dict(tool) for tool in self.tools],
            "stop": list(self.stop),
            "temperature": None if self.temperature is None else float(self.temperature),
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "grammar": self.grammar,
            **({"likelihoods": True} if self.likelihoods else {}),
            **({"more": dict(self.more)} if self.more else {}),
        }

    def key(self) -> str:
        """SHA-256 over the whole request, the bytes of its pictures included, in hexadecimal digits."""
        # The order of a tool's keys is part of the key: it is part of what the model is told.
        text = json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(joined_surrogates(text).encode()).hexdigest()


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens of one call or of many; tokens written to a cache are left out of its JSON where there are none.

    Attributes:
        input_tokens: All tokens sent, cached ones included.
        output_tokens: All tokens of the answer, hidden reasoning included.
        cached_input_tokens: Those of ``input_tokens`` that the provider had cached.
        written_input_tokens: Those of ``input_tokens`` that it put into its cache, where it bills that.
    """

    # Only a plain default is left out of the JSON, not one that is made.
    input_tokens: int = msgspec.field(default_factory=int)
    output_tokens: int = msgspec.field(default_factory=int)
    cached_input_tokens: int = msgspec.field(default_factory=int)
    written_input_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
            self.written_input_tokens + other.written_input_tokens,
        )


@dataclass(frozen=True)
class Reply:
    """A model's answer.

    Attributes:
        text: What it answered, without the stop text; lone surrogates are U+FFFD.
        tool_calls: The tools that it called, in order.
        usage: The provider's count of tokens, those of thoughts included.
        finish: Why it ended: ``stop``, ``length``, ``tool_calls``, ``refused``, or the provider's own word.
        model: The model that answered, as the provider names it (often with a date).
        note: What was done otherwise than asked, such as a temperature that the model does not take; else empty.
        thought: What it thought before, where the server tells; no part of the answer, and never acted on.
        reasoning: The thoughts as the provider gave them, where they must go back with the tool calls.
        cost: US dollars, where the server tells what it charges; None if it does not.
        unread: Marks around text that are not known, so that the text is no answer; empty if there are none.
        likelihood: The geometric mean of the likelihoods of its tokens, 0 to 1; None where the server does not tell.
        native: All of it in the provider's own words, to be sent back to it as it was; empty where the rest is enough.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish: str = STOP
    model: str = ""
    note: str = ""
    thought: str = ""
    unread: str = ""
    reasoning: tuple[Mapping[str, Any], ...] = ()
    cost: float | None = None
    native: tuple[Any, ...] = ()
    likelihood: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "native", tuple(map(_written, self.native)))
        object.__setattr__(self, "text", joined_surrogates(self.text))
        object.__setattr__(self, "thought", joined_surrogates(self.thought))
        object.__setattr__(self, "reasoning", tuple(_written(piece) for piece in self.reasoning))

    def message(self) -> Message:
        """The answer as the next message of the conversation."""
        texts = (Text(self.text),) if self.text else ()
        thinking = () if self.native else self.thinking()
        return Message("assistant", (*thinking, *texts, *self.tool_calls), self.native)

    def thinking(self) -> tuple[Reasoning, ...]:
        """What goes back with its tool calls; nothing without them."""
        return (Reasoning(self.reasoning),) if self.reasoning and self.tool_calls else ()


def _written(value: Any) -> Any:
    """A JSON value with every text fit for UTF-8."""
    match value:
        case str():
            return joined_surrogates(value)
        case Mapping():
            return {joined_surrogates(str(key)): _written(item) for key, item in value.items()}
        case list() | tuple():
            return [_written(item) for item in value]
    return value


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
