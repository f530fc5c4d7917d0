"""Models behind OpenAI's Responses protocol: those that are only there, and OpenAI's computer tool.

Nothing is stored at the provider: each request holds the whole conversation, with the model's thoughts as it encrypted
them. Source: OpenAI's API reference, responses, and the types of its library (``openai.types.responses``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import openai

from harness.models.client import Retryable
from harness.models.messages import (
    COMPUTER,
    LENGTH,
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
    begun_by_user,
    is_native,
)
from harness.models.picture_limits import fitted
from harness.models.providers.omissions import note
from harness.models.providers.openai_client import OpenAILibraryClient, data_url
from harness.models.providers.provider_table import PROVIDERS
from harness.models.providers.reading import arguments, body, count, cut, unreadable
from harness.models.providers.session import as_it_is

BASE_URL = PROVIDERS["openai-responses"].address

_THOUGHTS = ["reasoning.encrypted_content"]
_INCOMPLETE = {"max_output_tokens": LENGTH, "content_filter": REFUSED}
_FILTERED = ("content_filter", "content_policy_violation")


class ResponsesClient(OpenAILibraryClient):
    """A ``Client`` for OpenAI's Responses protocol, which has no seed and no stop texts: these are not sent."""

    ADDRESS: ClassVar[str] = BASE_URL

    def _ask(self, library: openai.OpenAI, request: Request, without: frozenset[str], timeout: float) -> Reply:
        messages, cut_pictures = fitted(begun_by_user(request.messages), "openai")
        # A model that does not reason refuses to give its thoughts.
        wanted: dict[str, Any] = {"temperature": request.temperature, "include": _THOUGHTS}
        sent = {name: value for name, value in wanted.items() if value is not None and name not in without}
        parameters: dict[str, Any] = {
            "model": request.model,
            "input": list(written(messages)),
            "max_output_tokens": request.max_tokens,
            "store": False,
            **sent,
            **request.more,
        }
        if instructions := "\n\n".join(message.text for message in messages if message.role == "system"):
            parameters["instructions"] = instructions
        if request.tools:
            parameters["tools"] = [_tool(tool) for tool in request.tools]
        try:
            answer = library.post("/responses", body=parameters, **as_it_is(timeout))
        except openai.APITimeoutError:
            raise self._server.timed_out(timeout) from None
        except openai.APIConnectionError as error:
            raise self._server.unreachable(error.__cause__ or error) from None
        except openai.APIStatusError as error:
            if error.code in _FILTERED:
                return Reply("", finish=REFUSED, model=request.model)
            raise self._failure(request.model, error, sent) from None
        left_out = ["temperature"] if request.temperature is not None and "temperature" in without else []
        told = "; ".join(filter(None, (note(left_out), cut_pictures)))
        return self._read(answer.text, request, told)

    def _read(self, text: str, request: Request, noted: str) -> Reply:
        data = body(text, self._server.name)
        if data.get("status") == "failed":
            error = data.get("error")
            message = error.get("message") if isinstance(error, dict) else None
            raise Retryable(f"{self._server.name} failed: {message or 'it does not say why'}", kind="server error")
        output = data.get("output")
        if not isinstance(output, list):
            raise unreadable(self._server.name, "no output")
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolCall] = []
        reasoned: list[dict[str, Any]] = []
        refused = False
        for item in output:
            match item:
                case {"type": "message", "content": list(pieces)}:
                    texts += [piece["text"] for piece in pieces if isinstance(piece.get("text"), str)]
                    refusals = [piece["refusal"] for piece in pieces if isinstance(piece.get("refusal"), str)]
                    texts += refusals
                    refused = refused or bool(refusals)
                case {"type": "reasoning", "summary": list(pieces)}:
                    reasoned.append(_sent_again(item))
                    thoughts += [piece["text"] for piece in pieces if isinstance(piece.get("text"), str)]
                case {"type": "function_call", "call_id": str(name), "name": str(tool)}:
                    calls.append(ToolCall(name, tool, *arguments(item.get("arguments", ""))))
                case {"type": "computer_call", "call_id": str(name)}:
                    calls.append(ToolCall(name, COMPUTER, _computer_call(item)))
        finish = TOOL_CALLS if calls else REFUSED if refused else STOP
        if data.get("status") == "incomplete":
            details = data.get("incomplete_details")
            reason = str(details.get("reason") if isinstance(details, dict) else "incomplete")
            finish = _INCOMPLETE.get(reason, reason)
        model = data.get("model")
        return Reply(
            cut("\n\n".join(texts), request.stop),
            tuple(calls),
            _usage(data.get("usage")),
            finish,
            model if isinstance(model, str) else "",
            noted,
            "\n\n".join(thoughts),
            reasoning=tuple(reasoned) if calls else (),
            native=tuple(map(_sent_again, output)) if any(map(is_native, request.tools)) else (),
        )


def written(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Messages as items of a request, without those of the system, which are its instructions."""
    for message in messages:
        if message.role == "system":
            continue
        if message.native:
            yield from message.sent()
            continue
        match message.role:
            case "user":
                yield {"role": "user", "content": list(_content(message.parts))}
            case "assistant":
                yield from (dict(each) for part in message.parts if isinstance(part, Reasoning) for each in part.pieces)
                if message.text:
                    yield {"role": "assistant", "content": message.text}
                yield from (_call(part) for part in message.parts if isinstance(part, ToolCall))
            case _:
                for part in message.parts:
                    if isinstance(part, ToolResult):
                        told = list(_content([Text(part.text), *part.images])) if part.images else part.text
                        yield {"type": "function_call_output", "call_id": part.id, "output": told}


def _content(parts: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for part in parts:
        match part:
            case Text(text):
                yield {"type": "input_text", "text": text}
            case Image():
                yield {"type": "input_image", "image_url": data_url(part), "detail": "auto"}


def _call(call: ToolCall) -> dict[str, Any]:
    text = json.dumps(call.arguments, ensure_ascii=False)
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": text}


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    # Left out, strictness is on, which our schemas are not made for.
    return dict(tool) if is_native(tool) else {"type": "function", "strict": False, **tool}


def _computer_call(item: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call: all its actions, and what the provider wants acknowledged."""
    actions, action = item.get("actions"), item.get("action")
    checks = item.get("pending_safety_checks")
    told = actions if isinstance(actions, list) else [action] if isinstance(action, dict) else []
    return {"actions": told, **({"pending_safety_checks": checks} if checks else {})}


def _sent_again(item: Any) -> Any:
    """An item of a reply as a request takes it: a double click needs its keys, and what is null is not named."""
    if not isinstance(item, dict):
        return item
    item = {key: value for key, value in item.items() if value is not None}
    if item.get("type") == "computer_call":
        item.setdefault("pending_safety_checks", [])
        if isinstance(item.get("actions"), list):
            item["actions"] = [_action_again(action) for action in item["actions"]]
        if isinstance(item.get("action"), dict):
            item["action"] = _action_again(item["action"])
    return item


def _action_again(action: Any) -> Any:
    is_double = isinstance(action, dict) and action.get("type") == "double_click"
    return {"keys": None, **action} if is_double else action


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("input_tokens_details")
    cached, put = (
        count(details.get(name)) if isinstance(details, dict) else 0 for name in ("cached_tokens", "cache_write_tokens")
    )
    return Usage(count(usage.get("input_tokens")), count(usage.get("output_tokens")), cached, put)
