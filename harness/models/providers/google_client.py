"""Gemini models behind Google's ``generateContent``.

Source: the Gemini API reference, ``models.generateContent``, and its pages on function calling and thought signatures.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

import httpx2
from google import genai
from google.genai import errors, types

from harness.models.client import MalformedCall, ModelError
from harness.models.messages import (
    LENGTH,
    MALFORMED,
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
    begun_by_user,
    is_native,
)
from harness.models.picture_limits import fitted
from harness.models.providers.failures import said
from harness.models.providers.omissions import note
from harness.models.providers.provider_table import PROVIDERS
from harness.models.providers.reading import arguments, body, count, cut, unreadable
from harness.models.providers.session import LibraryClient

BASE_URL = PROVIDERS["google"].address

_MOST_STOPS = 5
_FINISH = {
    "STOP": STOP,
    "MAX_TOKENS": LENGTH,
    "SAFETY": REFUSED,
    "RECITATION": REFUSED,
    "BLOCKLIST": REFUSED,
    "PROHIBITED_CONTENT": REFUSED,
    "SPII": REFUSED,
    "IMAGE_SAFETY": REFUSED,
}


_MALFORMED = ("MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL")


class GoogleClient(LibraryClient[genai.Client]):
    """A ``Client`` for Google's protocol (the Gemini API, with a key). Addresses are without the API version."""

    ADDRESS: ClassVar[str] = BASE_URL

    @staticmethod
    def _library(base_url: str, key: str, http: httpx2.Client) -> genai.Client:
        once = types.HttpRetryOptions(attempts=1)
        options = types.HttpOptions(base_url=base_url, httpx_client=http, retry_options=once)
        return genai.Client(vertexai=False, api_key=key, http_options=options)

    def _ask(self, library: genai.Client, request: Request, without: frozenset[str], timeout: float) -> Reply:
        messages, cut_pictures = fitted(begun_by_user(request.messages), "google")
        optional = {"temperature": request.temperature, "seed": request.seed}
        wanted = [name for name, value in optional.items() if value is not None]
        sent = [name for name in wanted if name not in without]
        config = types.GenerateContentConfig(
            temperature=request.temperature if "temperature" in sent else None,
            seed=request.seed if "seed" in sent else None,
            max_output_tokens=request.max_tokens,
            stop_sequences=list(request.stop[:_MOST_STOPS]) or None,
            system_instruction="\n\n".join(each.text for each in messages if each.role == "system") or None,
            tools=list(_tools(request.tools)) or None,
            http_options=types.HttpOptions(timeout=math.ceil(timeout * 1000)),
            should_return_http_response=True,
        )
        contents = list(written(messages))
        try:
            answer = library.models.generate_content(model=request.model, contents=contents, config=config)
        except httpx2.TimeoutException:
            raise self._server.timed_out(timeout) from None
        except httpx2.RequestError as error:
            raise self._server.unreachable(error) from None
        except errors.APIError as error:
            raise self._failure(request.model, error, sent) from None
        except (ValueError, RecursionError) as error:  # So the library ends over an error that is no good JSON.
            raise unreadable(self._server.name, said(str(error))) from None
        text = answer.sdk_http_response.body if answer.sdk_http_response else None
        left_out = [name for name in wanted if name in without]
        return self._read(text or "", request, "; ".join(filter(None, (note(left_out), cut_pictures))))

    def _failure(self, model: str, error: errors.APIError, sent: Iterable[str]) -> ModelError:
        headers = getattr(error.response, "headers", {})
        message = error.message if isinstance(error.message, str) else ""
        code, body = error.status or "", error.details
        return self._refusal(model, error.code, sent, code=code, message=message, headers=headers, body=body)

    def _read(self, text: str, request: Request, noted: str) -> Reply:
        data = body(text, self._server.name)
        usage, model = _usage(data.get("usageMetadata")), data.get("modelVersion")
        model = model if isinstance(model, str) else ""
        match data:
            case {"candidates": [dict(candidate), *_]}:
                pass
            case {"promptFeedback": {"blockReason": reason}}:
                return Reply("", (), usage, REFUSED, model, f"the prompt was blocked: {reason}")
            case _:
                raise unreadable(self._server.name, "no candidates")
        content = candidate.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolCall] = []
        for part in parts if isinstance(parts, list) else []:
            match part:
                case {"thought": True}:
                    if isinstance(piece := part.get("text"), str):
                        thoughts.append(piece)
                case {"functionCall": {"name": str(tool), **call}}:
                    name = str(call.get("id") or f"call-{len(calls)}")
                    signature = str(part.get("thoughtSignature") or "")
                    calls.append(ToolCall(name, tool, *arguments(call.get("args") or {}), signature))
                case {"text": str(piece)}:
                    texts.append(piece)
        finish = str(candidate.get("finishReason") or "STOP")
        if calls and finish == "STOP":
            finish = TOOL_CALLS
        if isinstance(explanation := candidate.get("finishMessage"), str):
            noted = "; ".join(filter(None, (noted, explanation)))
        if finish in _MALFORMED:
            wrote = candidate.get("finishMessage")
            told = wrote if isinstance(wrote, str) and wrote else "".join(texts) or finish
            raise MalformedCall(Reply(told, (), usage, MALFORMED, model, thought="\n\n".join(thoughts)))
        told = cut("".join(texts), request.stop)
        thought = "\n\n".join(thoughts)
        # Its computer tool needs all parts back as they were: thoughts' signatures stand on any of them.
        native = tuple(parts) if isinstance(parts, list) and any(map(is_native, request.tools)) else ()
        return Reply(
            told, tuple(calls), usage, _FINISH.get(finish, finish.lower()), model, noted, thought, native=native
        )


def written(messages: Iterable[Message]) -> Iterator[types.Content]:
    """Messages in the words of the protocol, without those of the system, which go beside them.

    Results of tools are the user's, and name their tool; pictures that a tool gave stand beside its result. Messages
    of one role that follow each other are one.
    """
    tools: dict[str, str] = {}
    spoken: list[tuple[str, list[types.Part]]] = []
    for message in messages:
        tools |= {part.id: part.name for part in message.parts if isinstance(part, ToolCall)}
        if message.role != "system":
            parts = [types.Part.model_validate_json(json.dumps(each)) for each in message.sent()] or list(
                _parts(message, tools)
            )
            spoken.append(("model" if message.role == "assistant" else "user", parts))
    # A message without parts is refused.
    for role, turns in groupby((turn for turn in spoken if turn[1]), key=itemgetter(0)):
        yield types.Content(role=role, parts=[part for _, parts in turns for part in parts])


def _parts(message: Message, tools: Mapping[str, str]) -> Iterator[types.Part]:
    images: list[Image] = []
    for part in message.parts:
        match part:
            case Text(text):
                if text:
                    yield types.Part(text=text)
            case Image():
                yield _image(part)
            case ToolCall(id=name, name=tool, arguments=values):
                call = types.FunctionCall(id=name, name=tool, args=dict(values))
                signature = base64.b64decode(part.signature) if part.signature else None
                yield types.Part(function_call=call, thought_signature=signature)
            case ToolResult():
                result = {"result": part.text}
                told = types.FunctionResponse(id=part.id, name=tools.get(part.id, part.id), response=result)
                yield types.Part(function_response=told)
                images += part.images
    yield from map(_image, images)


def _image(image: Image) -> types.Part:
    return types.Part(inline_data=types.Blob(data=image.png, mime_type=image.media_type))


def _tools(tools: Iterable[Mapping[str, Any]]) -> Iterator[types.Tool]:
    """Those of the provider itself, and all others as one."""
    own: list[Mapping[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for tool in tools:
        (own if is_native(tool) else others).append(tool)
    yield from map(types.Tool.model_validate, own)
    if others:
        yield types.Tool(function_declarations=[_tool(tool) for tool in others])


def _tool(tool: Mapping[str, Any]) -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=tool["name"], description=tool["description"], parameters_json_schema=tool["parameters"]
    )


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    read = count(usage.get("promptTokenCount")) + count(usage.get("toolUsePromptTokenCount"))
    wrote = count(usage.get("candidatesTokenCount")) + count(usage.get("thoughtsTokenCount"))
    return Usage(read, wrote, count(usage.get("cachedContentTokenCount")))
