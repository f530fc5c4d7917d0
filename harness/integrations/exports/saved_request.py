"""What is used of the requests and replies that a run keeps: other people's files, whose shape is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec

from harness.kit.files.codec import JsonObject


class SavedText(msgspec.Struct, frozen=True, tag_field="type", tag="text"):
    """A text in a message."""

    text: str


class SavedImage(msgspec.Struct, frozen=True, tag_field="type", tag="image"):
    """A picture in a message, by its SHA-256."""

    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class SavedCall(msgspec.Struct, frozen=True, tag_field="type", tag="tool_call"):
    """A call of a tool."""

    id: str
    name: str
    arguments: JsonObject
    malformed: str = ""


class SavedResult(msgspec.Struct, frozen=True, tag_field="type", tag="tool_result"):
    """What a call of a tool gave."""

    id: str
    text: str
    images: tuple[SavedImage, ...]


class SavedTalk(msgspec.Struct, frozen=True, tag_field="role", tag="user"):
    """A message of the user."""

    parts: tuple[SavedText | SavedImage, ...]


class SavedRules(msgspec.Struct, frozen=True, tag_field="role", tag="system"):
    """A message of the system."""

    parts: tuple[SavedText, ...]


class SavedAnswer(msgspec.Struct, frozen=True, tag_field="role", tag="assistant"):
    """A message of the model."""

    parts: tuple[SavedText | SavedCall, ...]


class SavedResults(msgspec.Struct, frozen=True, tag_field="role", tag="tool"):
    """What tools gave."""

    parts: tuple[SavedResult, ...]


KeptMessage: TypeAlias = SavedTalk | SavedRules | SavedAnswer | SavedResults


@dataclass(frozen=True)
class SavedRequest:
    """A request."""

    messages: tuple[KeptMessage, ...]
    tools: tuple[JsonObject, ...]


@dataclass(frozen=True)
class PackedRequest:
    """A request in which long texts stand by their names, as far as it is told from others."""

    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]


@dataclass(frozen=True)
class KeptReply:
    """A reply."""

    text: str
    tool_calls: tuple[SavedCall, ...]
