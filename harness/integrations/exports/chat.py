"""Requests and replies as chat messages, in the shape that training libraries and most servers take."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from harness.integrations.exports.exported_runs import ExportedRun
from harness.kit.files.codec import JsonObject, plain, typed
from harness.kit.text import shorten
from harness.models.messages import Message, is_native
from harness.records.directory import NotARun
from harness.records.texts import read_text, unpacked
from harness.records.turn import Turn


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


Chat = list[dict[str, Any]]
PictureFile = Callable[[str], str]
"""The path of a picture by its SHA-256, as it stands in an export."""


def pictures_of(source: ExportedRun, out: Path | None) -> PictureFile:
    """Paths of a run's pictures.

    Args:
        source: The run.
        out: The file that they are written to, relative to whose folder they are; None for the present folder.
    """
    base = out.parent if out else Path()
    return lambda name: Path(os.path.relpath(source.run.image_file(name), base)).as_posix()


def chat_of(messages: Sequence[Message], picture: PictureFile) -> Chat:
    """Messages as chat messages; see ``chat_of_json``."""
    return chat_of_json([message.to_json() for message in messages], picture)


def chat_of_json(messages: Sequence[Mapping[str, Any]], picture: PictureFile) -> Chat:
    """Messages as chat messages.

    Args:
        messages: As ``Message.to_json`` writes them.
        picture: Where pictures stand.

    Returns:
        ``{"role", "content"}``: the content is a text, or where there are pictures a list of
        ``{"type": "text", "text"}`` and ``{"type": "image", "image": path}``. Beside it, of an assistant,
        ``tool_calls``; each result of a tool is a message of its own with its ``tool_call_id``.
    """
    chat: Chat = []
    for message in messages:
        parts = message["parts"]
        if message["role"] == "tool":
            for part in parts:
                shown = [{"type": "text", "text": part["text"]}, *part["images"]]
                chat.append({"role": "tool", "tool_call_id": part["id"], "content": _content(shown, picture)})
            continue
        made = {"role": message["role"], "content": _content(parts, picture)}
        if calls := [part for part in parts if part["type"] == "tool_call"]:
            made["tool_calls"] = [_call(part) for part in calls]
        chat.append(made)
    return chat


def tools_of(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Tools as chat interfaces take them; a provider's own as they are."""
    return [dict(tool) if is_native(tool) else {"type": "function", "function": dict(tool)} for tool in tools]


def kept(source: ExportedRun, name: str) -> dict[str, Any]:
    """A text of a run as it is on disk, where long texts in it stand by their names.

    Raises:
        NotARun: it is missing or damaged.
    """
    return _object(source, name, read_text, PackedRequest)


def sent(source: ExportedRun, turn: Turn) -> dict[str, Any]:
    """The request of a turn, as ``Request.to_json`` wrote it.

    Raises:
        NotARun: it is missing or damaged.
    """
    return _object(source, turn.sent, unpacked, SavedRequest)


def answer(source: ExportedRun, turn: Turn) -> dict[str, Any]:
    """The reply of a turn as a chat message, whole.

    Raises:
        NotARun: it is missing or damaged.
    """
    text, calls = turn.reply, plain(turn.tool_calls)
    if turn.whole:
        record = _object(source, turn.whole, unpacked, KeptReply)
        text, calls = record["text"], record["tool_calls"]
    made: dict[str, Any] = {"role": "assistant", "content": text}
    return {**made, "tool_calls": [_call(call) for call in calls]} if calls else made


def _object(source: ExportedRun, name: str, read: Callable[[Path, str], Any], kind: type[object]) -> dict[str, Any]:
    """The object in a text of a run, as far as it is of a kind: nothing that was not looked at is used."""
    try:
        record: dict[str, Any] = plain(typed(read(source.run.texts, name), kind))
    except (OSError, ValueError) as error:
        raise NotARun(f"{source.run.texts / shorten(name)}.json cannot be read: {error}") from error
    return record


def _content(parts: Sequence[Mapping[str, Any]], picture: PictureFile) -> str | list[dict[str, str]]:
    shown = [part for part in parts if part["type"] in ("text", "image")]
    if all(part["type"] == "text" for part in shown):
        return "\n\n".join(part["text"] for part in shown)
    return [
        {"type": "text", "text": part["text"]}
        if part["type"] == "text"
        else {"type": "image", "image": picture(part["sha256"])}
        for part in shown
    ]


def _call(part: Mapping[str, Any]) -> dict[str, Any]:
    arguments = part.get("malformed") or json.dumps(part["arguments"], ensure_ascii=False)
    return {"id": part["id"], "type": "function", "function": {"name": part["name"], "arguments": arguments}}
