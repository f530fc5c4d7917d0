"""Models behind OpenAI's chat completions protocol: OpenAI itself and every server that speaks it.

vLLM, Ollama, llama.cpp, OpenRouter and many more are reached by their base URL. Source: OpenAI's API reference, chat
completions.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
import openai.resources.chat.chat  # at the first call it would be imported in each process that is forked
import openai.resources.chat.completions.completions

from harness.models.client import ModelError
from harness.models.messages import (
    LENGTH,
    REFUSED,
    STOP,
    TOOL_CALLS,
    Image,
    Message,
    Reply,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from harness.models.providers.failures import ProviderServer
from harness.models.providers.omissions import Unsupported, named, note
from harness.models.providers.provider_table import PROVIDERS
from harness.models.providers.reading import arguments, body, count, cut, unreadable
from harness.models.providers.session import Session

BASE_URL = PROVIDERS["openai"].address

_NO_KEY = "none"
"""Sent where a server needs no key: the library insists on one."""

_MOST_STOPS = 4
_FINISH = {"stop": STOP, "length": LENGTH, "tool_calls": TOOL_CALLS, "content_filter": REFUSED}
_FILTERED = ("content_filter", "content_policy_violation")
_LIMITS = ("max_tokens", "max_completion_tokens")
_NOTED = ("temperature", "seed")
"""What changes the answer when it is left out; stop texts are cut here then, and the two limits mean the same."""


class OpenAIClient:
    """A ``Client`` for OpenAI's protocol.

    Args:
        base_url: The server's address up to and with ``/v1``.
        key: The key; None if the server needs none.
        key_name: The environment variable that it is from, for messages.
    """

    def __init__(self, base_url: str = BASE_URL, key: str | None = None, key_name: str = "") -> None:
        self._server = ProviderServer(base_url, key_name)
        # OpenAI's newer models know only the second name of the limit, most other servers only the first.
        openai_itself = urlsplit(base_url).hostname == urlsplit(BASE_URL).hostname
        self._limits = _LIMITS[::-1] if openai_itself else _LIMITS

        def build(http: httpx2.Client) -> openai.OpenAI:
            return openai.OpenAI(api_key=key or _NO_KEY, base_url=base_url, max_retries=0, http_client=http)

        self._session = Session(build, base_url)

    def complete(self, request: Request, *, timeout: float) -> Reply:
        """As ``Client.complete``."""
        return self._session.ask(request, timeout, self._ask)

    def close(self) -> None:
        """End the connections."""
        self._session.close()

    def _ask(self, library: openai.OpenAI, request: Request, without: frozenset[str], timeout: float) -> Reply:
        wanted = {name: value for name, value in self._optional(request, without).items() if value is not None}
        sent = {name: value for name, value in wanted.items() if name not in without}
        parameters: dict[str, Any] = {"model": request.model, "messages": list(written(request.messages)), **sent}
        if request.tools:
            parameters["tools"] = [{"type": "function", "function": dict(tool)} for tool in request.tools]
        try:
            answer = library.chat.completions.with_raw_response.create(**parameters, timeout=timeout)
        except openai.APITimeoutError:
            raise self._server.timed_out(timeout) from None
        except openai.APIConnectionError as error:
            raise self._server.unreachable(error.__cause__ or error) from None
        except openai.APIStatusError as error:
            if error.code in _FILTERED:
                return Reply("", finish=REFUSED, model=request.model)
            raise self._failure(request.model, error, sent) from None
        left_out = [name for name in _NOTED if name in wanted and name in without]
        return self._read(answer.http_response.text, request, note(left_out))

    def _optional(self, request: Request, without: frozenset[str]) -> dict[str, Any]:
        limit = next((name for name in self._limits if name not in without), self._limits[0])
        return {
            limit: request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "stop": list(request.stop[:_MOST_STOPS]) or None,
        }

    def _failure(self, model: str, error: openai.APIStatusError, sent: Iterable[str]) -> ModelError:
        code, message = error_code(error), error_message(error)
        told = self._server.failure(
            model, error.status_code, code=code, message=message, headers=error.response.headers, body=error.body
        )
        if error.status_code in (400, 422) and (name := named(message, error.param or "", sent)):
            return Unsupported(str(told), name)
        return told

    def _read(self, text: str, request: Request, noted: str) -> Reply:
        data = body(text, self._server.name)
        match data:
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                calls = tuple(self._calls(message.get("tool_calls") or ()))
            case _:
                # OpenRouter gives some errors of the models behind it with status 200.
                raise unreadable(self._server.name, _error(data) or "no choices")
        refusal = _text(message.get("refusal"))
        finish = str(choice.get("finish_reason") or STOP)
        if refusal:
            finish = REFUSED
        elif calls and finish == STOP:  # So some servers say; the calls are what counts.
            finish = TOOL_CALLS
        return Reply(
            cut(_text(message.get("content")) or refusal, request.stop),
            calls,
            _usage(data.get("usage")),
            _FINISH.get(finish, finish),
            _text(data.get("model")),
            noted,
            _text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        )

    def _calls(self, calls: Any) -> Iterator[ToolCall]:
        for number, call in enumerate(calls):
            match call:
                case {"function": {"name": str(name), **function}}:
                    values, malformed = arguments(function.get("arguments", ""))
                    yield ToolCall(_text(call.get("id")) or f"call-{number}", name, values, malformed)
                case _:
                    raise unreadable(self._server.name, "a tool call without a name")


def written(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Messages in the words of the protocol.

    A tool's message can hold text only: pictures that tools gave follow in a message of the user, after the last of
    the results that belong together.
    """
    images: list[dict[str, Any]] = []
    for message in messages:
        if message.role != "tool" and images:
            yield {"role": "user", "content": images}
            images = []
        match message.role:
            case "system":
                yield {"role": "system", "content": message.text}
            case "user":
                yield {"role": "user", "content": _content(message)}
            case "assistant":
                calls = [_call(part) for part in message.parts if isinstance(part, ToolCall)]
                yield {"role": "assistant", "content": message.text or None, **({"tool_calls": calls} if calls else {})}
            case _:
                for result in message.parts:
                    if isinstance(result, ToolResult):
                        yield {"role": "tool", "tool_call_id": result.id, "content": result.text}
                        images += [_image(image) for image in result.images]
    if images:
        yield {"role": "user", "content": images}


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not any(isinstance(part, Image) for part in message.parts):
        return message.text  # Servers of text models often take nothing else.
    return [
        _image(part) if isinstance(part, Image) else {"type": "text", "text": part.text}
        for part in message.parts
        if isinstance(part, Image | Text)
    ]


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": data_url(image)}}


def data_url(image: Image) -> str:
    """A picture as an address that holds all of it."""
    return f"data:{image.media_type};base64,{base64.b64encode(image.png).decode()}"


def _call(call: ToolCall) -> dict[str, Any]:
    # Arguments that were no JSON go back as none: servers read them again, and their results say what was wrong.
    text = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": text}}


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("prompt_tokens_details")
    cached, written = (
        count(details.get(name)) if isinstance(details, dict) else 0 for name in ("cached_tokens", "cache_write_tokens")
    )
    return Usage(count(usage.get("prompt_tokens")), count(usage.get("completion_tokens")), cached, written)


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case list():  # Some servers give the content in pieces.
            return "".join(_text(piece.get("text")) for piece in value if isinstance(piece, Mapping))
    return ""


def error_code(error: openai.APIStatusError) -> str:
    """The provider's word for the kind of an error; empty if there is none."""
    return error.code or error.type or ""


def error_message(error: openai.APIStatusError) -> str:
    """What the provider says of an error."""
    return _error({"error": error.body}) or error.response.text


def _error(data: Mapping[str, Any]) -> str:
    match data.get("error"):
        case {"message": str(message)}:
            return message
        case str(message):
            return message
    return ""
