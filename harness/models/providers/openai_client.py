"""Models behind OpenAI's chat completions protocol: OpenAI itself and every server that speaks it.

vLLM, Ollama, llama.cpp, OpenRouter and many more are reached by their base URL. Source: OpenAI's API reference, chat
completions.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx2
import openai

from harness.models.client import MalformedCall, ModelError
from harness.models.messages import (
    LENGTH,
    MALFORMED,
    REFUSED,
    STOP,
    TOOL_CALLS,
    Image,
    Message,
    Reasoning,
    Reply,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from harness.models.picture_limits import fitted
from harness.models.providers.omissions import (
    REASONING,
    SAID_BY_USER,
    SYSTEM,
    is_first,
    note,
    without_system,
)
from harness.models.providers.provider_table import PROVIDERS
from harness.models.providers.reading import arguments, body, cost, count, cut, likelihood, unreadable
from harness.models.providers.session import LibraryClient, as_it_is

BASE_URL = PROVIDERS["openai"].address

_MOST_STOPS = 4
_FINISH = {"stop": STOP, "length": LENGTH, "tool_calls": TOOL_CALLS, "content_filter": REFUSED}
_FILTERED = ("content_filter", "content_policy_violation")
_LIMITS = ("max_tokens", "max_completion_tokens")
_REASONING = ("reasoning_content", "reasoning", "reasoning_details")
"""Keys of a message in which servers hand thoughts on, and take them back: DeepSeek and Moonshot, vLLM, OpenRouter."""
_MALFORMED_CALL = "tool_use_failed"
"""Groq's code, with what the model wrote as ``failed_generation``."""
_EXCERPT = 200
_NOTED = ("temperature", "seed", "logprobs")
"""What changes the answer when it is left out; stop texts are cut here then, and the two limits mean the same."""


class OpenAILibraryClient(LibraryClient[openai.OpenAI]):
    """A ``Client`` that asks by OpenAI's library."""

    REFUSES: ClassVar[tuple[int, ...]] = (400, 422)

    @staticmethod
    def _library(base_url: str, key: str, http: httpx2.Client) -> openai.OpenAI:
        return openai.OpenAI(api_key=key, base_url=base_url, max_retries=0, http_client=http)

    def _failure(self, model: str, error: openai.APIStatusError, sent: Iterable[str]) -> ModelError:
        return self._refusal(
            model,
            error.status_code,
            sent,
            code=error_code(error),
            message=error_message(error),
            headers=error.response.headers,
            body=error.body,
            parameter=error.param or "",
        )


class OpenAIClient(OpenAILibraryClient):
    """A ``Client`` for OpenAI's protocol, whose servers have addresses up to and with ``/v1``."""

    ADDRESS: ClassVar[str] = BASE_URL

    def __init__(self, base_url: str = "", key: str | None = None, key_name: str = "") -> None:
        super().__init__(base_url, key, key_name)
        # OpenAI's newer models know only the second name of the limit, most other servers only the first.
        openai_itself = urlsplit(base_url or BASE_URL).hostname == urlsplit(BASE_URL).hostname
        self._limits = _LIMITS[::-1] if openai_itself else _LIMITS

    def _ask(self, library: openai.OpenAI, request: Request, without: frozenset[str], timeout: float) -> Reply:
        wanted = {name: value for name, value in self._optional(request, without).items() if value is not None}
        sent = {name: value for name, value in wanted.items() if name not in without}
        messages, cut_pictures = fitted(request.messages, "openai")
        messages = without_system(messages) if SYSTEM in without else messages
        spoken = list(written(messages, reasoning=REASONING not in without))
        parameters: dict[str, Any] = {"model": request.model, "messages": spoken, **sent}
        refusable = [*sent, *(each for each in (SYSTEM, REASONING) if each not in without)]
        if request.tools:
            parameters["tools"] = [{"type": "function", "function": dict(tool)} for tool in request.tools]
        try:
            answer = library.post("/chat/completions", body=parameters, **as_it_is(timeout))
        except openai.APITimeoutError:
            raise self._server.timed_out(timeout) from None
        except openai.APIConnectionError as error:
            raise self._server.unreachable(error.__cause__ or error) from None
        except openai.APIStatusError as error:
            if error.code in _FILTERED:
                return Reply("", finish=REFUSED, model=request.model)
            if error.code == _MALFORMED_CALL:
                raise MalformedCall(_malformed(error, request.model)) from None
            raise self._failure(request.model, error, refusable) from None
        left_out = [name for name in _NOTED if name in wanted and name in without]
        told = [note(left_out), SAID_BY_USER if SYSTEM in without and is_first(request.messages) else "", cut_pictures]
        reply = self._read(answer.text, request, "; ".join(filter(None, told)))
        billed = cost(answer.headers.get("x-litellm-response-cost"))
        return reply if billed is None else replace(reply, cost=billed)

    def _optional(self, request: Request, without: frozenset[str]) -> dict[str, Any]:
        limit = next((name for name in self._limits if name not in without), self._limits[0])
        return {
            limit: request.max_tokens,
            "temperature": request.temperature,
            "logprobs": request.likelihoods or None,
            "seed": request.seed,
            "stop": list(request.stop[:_MOST_STOPS]) or None,
        }

    def _read(self, text: str, request: Request, noted: str) -> Reply:
        data = body(text, self._server.name)
        match data:
            case {"choices": [{"finish_reason": "error", **choice}, *_]} | {
                "choices": [{"error": dict(), **choice}, *_]
            }:
                raise self._broken(data, data["choices"][0], request.model)
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                calls = tuple(self._calls(message.get("tool_calls") or ()))
            case _:
                # OpenRouter gives some errors of the models behind it with status 200.
                if _error(data):
                    raise self._broken(data, data, request.model)
                raise unreadable(self._server.name, "no choices")
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
            reasoning=tuple({name: message[name]} for name in _REASONING if message.get(name)) if calls else (),
            cost=cost(data["usage"].get("cost")) if isinstance(data.get("usage"), dict) else None,
            likelihood=likelihood(choice.get("logprobs")),
        )

    def _broken(self, data: Mapping[str, Any], choice: Mapping[str, Any], model: str) -> ModelError:
        """The error for an answer with status 200 that tells of one, as routers give it of the models behind them."""
        message = choice.get("message")
        partly = _text(message.get("content")) if isinstance(message, dict) else ""
        reason = _error(choice) or str(choice.get("native_finish_reason") or "") or "it ended by an error"
        if "malformed" in reason.lower():
            usage = _usage(data.get("usage"))
            return MalformedCall(Reply(partly or reason, (), usage, MALFORMED, _text(data.get("model")) or model))
        match choice.get("error"):
            case {"code": int(status)} if 400 <= status < 600:
                pass
            case _:
                status = 502
        words = f"{reason}; it had written: {partly[:_EXCERPT]!r}" if partly else reason
        return self._server.failure(model, status, code="", message=words, headers={}, body=data)

    def _calls(self, calls: Any) -> Iterator[ToolCall]:
        for number, call in enumerate(calls):
            match call:
                case {"function": {"name": str(name), **function}}:
                    values, malformed = arguments(function.get("arguments", ""))
                    yield ToolCall(_text(call.get("id")) or f"call-{number}", name, values, malformed)
                case _:
                    raise unreadable(self._server.name, "a tool call without a name")


def written(messages: Iterable[Message], *, reasoning: bool = True) -> Iterator[dict[str, Any]]:
    """Messages in the words of the protocol.

    A tool's message can hold text only: pictures that tools gave follow in a message of the user, after the last of
    the results that belong together. Thoughts before tool calls go back as they came, unless ``reasoning`` is false.
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
                said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
                for part in message.parts:
                    if isinstance(part, Reasoning) and reasoning:
                        said |= {name: value for piece in part.pieces for name, value in piece.items()}
                yield {**said, **({"tool_calls": calls} if calls else {})}
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
    told, outer = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    details = told if isinstance(told, dict) else {}
    sent, wrote = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    # DeepSeek and Moonshot tell of their caches in keys of their own.
    elsewhere = [count(usage.get(name)) for name in ("prompt_cache_hit_tokens", "cached_tokens")]
    cached = max(count(details.get("cached_tokens")), *elsewhere)
    # xAI counts the tokens of thoughts beside the others, and adds them in the total alone.
    total = count(usage.get("total_tokens"))
    thought = count(outer.get("reasoning_tokens")) if isinstance(outer, dict) else 0
    wrote = max(wrote, total - sent) if total else wrote + thought * (thought > wrote)
    return Usage(sent, wrote, cached, count(details.get("cache_write_tokens")))


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case list():  # Some servers give the content in pieces.
            return "".join(_text(piece.get("text")) for piece in value if isinstance(piece, Mapping))
    return ""


def _malformed(error: openai.APIStatusError, model: str) -> Reply:
    wrote = error.body.get("failed_generation") if isinstance(error.body, dict) else ""
    return Reply(_text(wrote) or error_message(error), finish=MALFORMED, model=model)


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
