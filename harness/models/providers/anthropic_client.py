"""Claude models behind Anthropic's messages protocol.

Source: Anthropic's API reference, messages, and its guide to API version 2026-10-21.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

import anthropic
import httpx2

from harness.models.client import ModelError
from harness.models.messages import (
    LENGTH,
    REFUSED,
    STOP,
    TOOL_CALLS,
    Image,
    Message,
    Part,
    Reasoning,
    Reply,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    begun_by_user,
    is_native,
)
from harness.models.picture_limits import fitted
from harness.models.providers.omissions import note
from harness.models.providers.provider_table import PROVIDERS
from harness.models.providers.reading import arguments, body, count, cut, unreadable
from harness.models.providers.session import LibraryClient, as_it_is

BASE_URL = PROVIDERS["anthropic"].address

_WITH_TEMPERATURE = {"anthropic-version": "2023-06-01"}
"""The last API version that has a temperature. The library asks for a newer one, and the newer models refuse both."""

_BETAS = {
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
    "context_management": "context-management-2025-06-27",
}
"""Type of a tool, or name of a parameter -> the beta version that has it (the library's ``AnthropicBetaParam``)."""
_FINISH = {
    "end_turn": STOP,
    "stop_sequence": STOP,
    "max_tokens": LENGTH,
    "model_context_window_exceeded": LENGTH,
    "tool_use": TOOL_CALLS,
    "refusal": REFUSED,
}


class AnthropicClient(LibraryClient[anthropic.Anthropic]):
    """A ``Client`` for Anthropic's protocol, which has no seed: seeds are not sent. Addresses are without ``/v1``."""

    ADDRESS: ClassVar[str] = BASE_URL

    @staticmethod
    def _library(base_url: str, key: str, http: httpx2.Client) -> anthropic.Anthropic:
        return anthropic.Anthropic(api_key=key, base_url=base_url, max_retries=0, http_client=http)

    def _ask(self, library: anthropic.Anthropic, request: Request, without: frozenset[str], timeout: float) -> Reply:
        messages, cut_pictures = fitted(begun_by_user(request.messages), "anthropic")
        parameters: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": list(written(messages)),
        }
        if system := "\n\n".join(message.text for message in messages if message.role == "system"):
            parameters["system"] = system
        if stop := [text for text in request.stop if text.strip()]:  # A stop text of white space alone is refused.
            parameters["stop_sequences"] = stop
        if request.tools:
            parameters["tools"] = [_tool(tool) for tool in request.tools]
        sent: tuple[str, ...] = ()
        headers, more = _betas(request), dict(request.more)
        if request.temperature is not None and "temperature" not in without:
            sent = ("temperature",)
            headers, more = headers | _WITH_TEMPERATURE, more | {"temperature": request.temperature}
        try:
            answer = library.post("/v1/messages", body=parameters | more, **as_it_is(timeout, headers))
        except anthropic.APITimeoutError:
            raise self._server.timed_out(timeout) from None
        except anthropic.APIConnectionError as error:
            raise self._server.unreachable(error.__cause__ or error) from None
        except anthropic.APIStatusError as error:
            raise self._failure(request.model, error, sent) from None
        left_out = ["temperature"] if request.temperature is not None and not sent else []
        return self._read(answer.text, request, "; ".join(filter(None, (note(left_out), cut_pictures))))

    def _failure(self, model: str, error: anthropic.APIStatusError, sent: Iterable[str]) -> ModelError:
        match error.body:
            case {"error": {"type": str(code), "message": str(message)}}:
                pass
            case _:
                code, message = "", error.response.text
        status, headers = error.status_code, error.response.headers
        return self._refusal(model, status, sent, code=code, message=message, headers=headers, body=error.body)

    def _read(self, text: str, request: Request, noted: str) -> Reply:
        data = body(text, self._server.name)
        if not isinstance(data.get("content"), list):
            raise unreadable(self._server.name, "no content")
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolCall] = []
        signed: list[dict[str, Any]] = []
        for block in data["content"]:
            match block:
                case {"type": "text", "text": str(piece)}:
                    texts.append(piece)
                case {"type": "thinking", "thinking": str(piece)}:
                    thoughts.append(piece)
                    signed += [block] if block.get("signature") else []
                case {"type": "redacted_thinking"}:
                    signed.append(block)
                case {"type": "tool_use", "id": str(name), "name": str(tool)}:
                    calls.append(ToolCall(name, tool, *arguments(block.get("input", {}))))
        finish = str(data.get("stop_reason") or STOP)
        model = data.get("model")
        return Reply(
            cut("".join(texts), request.stop),
            tuple(calls),
            _usage(data.get("usage")),
            _FINISH.get(finish, finish),
            model if isinstance(model, str) else "",
            noted,
            "\n\n".join(thoughts),
            reasoning=tuple(signed) if calls else (),
            # Its computer tools need their calls and the thoughts before them back as they were.
            native=tuple(data["content"]) if any(map(is_native, request.tools)) else (),
        )


def written(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Messages in the words of the protocol, without those of the system, which go beside them.

    Results of tools are the user's; messages of one role that follow each other are one, and results come first in it.
    """
    spoken = [
        (_role(message), message.sent() or list(_blocks(message.parts)))
        for message in messages
        if message.role != "system"
    ]
    # A message without content is refused.
    for role, turns in groupby((turn for turn in spoken if turn[1]), key=itemgetter(0)):
        yield {"role": role, "content": [block for _, blocks in turns for block in blocks]}


def _role(message: Message) -> str:
    return "assistant" if message.role == "assistant" else "user"


def _blocks(parts: Iterable[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        match part:
            case Reasoning():
                yield from map(dict, part.pieces)
            case Text(text):
                if text.strip():  # An empty block is refused.
                    yield {"type": "text", "text": text}
            case Image():
                yield _image(part)
            case ToolCall(id=name, name=tool, arguments=values):
                yield {"type": "tool_use", "id": name, "name": tool, "input": dict(values)}
            case ToolResult():
                told = list(_blocks([Text(part.text), *part.images]))
                yield {"type": "tool_result", "tool_use_id": part.id, "content": told}


def _image(image: Image) -> dict[str, Any]:
    data = base64.b64encode(image.png).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": data}}


def _betas(request: Request) -> dict[str, str]:
    """The header that tells which of a request's tools and parameters are still in a beta version."""
    names = [
        _BETAS[name] for name in (*(tool.get("type", "") for tool in request.tools), *request.more) if name in _BETAS
    ]
    return {"anthropic-beta": ",".join(names)} if names else {}


def _tool(tool: Any) -> dict[str, Any]:
    if is_native(tool):
        return dict(tool)
    return {"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]}


def _usage(usage: Any) -> Usage:
    """Here the provider counts cached tokens beside the others, not among them."""
    if not isinstance(usage, dict):
        return Usage()
    cached = count(usage.get("cache_read_input_tokens"))
    written = count(usage.get("cache_creation_input_tokens"))
    return Usage(
        count(usage.get("input_tokens")) + cached + written, count(usage.get("output_tokens")), cached, written
    )
