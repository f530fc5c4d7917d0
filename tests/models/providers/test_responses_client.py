"""OpenAI's Responses protocol, for plain tools: what is sent, and what is read."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

from harness.models.client import ModelError, Retryable
from harness.models.messages import (
    LENGTH,
    REFUSED,
    TOOL_CALLS,
    Image,
    Message,
    Request,
    Text,
    ToolResult,
    Usage,
)
from harness.models.providers.responses_client import ResponsesClient
from harness.models.tokens.counting import tokens_for
from tests.models.published import problems
from tests.models.servers import Server, answer, failure

TOOL = {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "hidden"}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "look",
    "arguments": '{"at": 1}',
    "status": "completed",
}
PNG = b"\x89PNG\r\n\x1a\n"


def told(*output: dict, **more: Any) -> Any:
    usage = {"input_tokens": 10, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 4}}
    return answer(
        {"id": "resp_1", "status": "completed", "model": "m-1", "output": list(output), "usage": usage, **more}
    )


def exchange(script: list, *requests: Request) -> tuple[list[Any], list[Any]]:
    with Server(script) as server:
        client = ResponsesClient(f"{server.url}/v1", "sk-test", "A_KEY")
        replies: list[Any] = []
        for request in requests:
            try:
                replies.append(client.complete(request, timeout=30))
            except ModelError as error:
                replies.append(error)
        client.close()
    return replies, [asked.json for asked in server.requests]


def talk(*more: Message, **parameters: Any) -> Request:
    messages = (Message("system", (Text("Be brief."),)), Message("user", (Text("Look."), Image(PNG))), *more)
    return Request("m", messages, (TOOL,), **{"temperature": None, **parameters})


def test_a_call_and_its_result_go_back_with_the_thought_before_them():
    (reply, _), (first, second) = exchange(
        [told(THOUGHT, CALL), told()],
        talk(),
        talk(
            _answer(),
            Message("tool", (ToolResult("call_1", "seen", (Image(PNG),)),)),
        ),
    )
    assert problems(first, ResponseCreateParamsNonStreaming) == []
    assert problems(second, ResponseCreateParamsNonStreaming) == []
    assert (first["instructions"], first["store"], first["max_output_tokens"]) == ("Be brief.", False, 1024)
    assert first["tools"] == [{"type": "function", "strict": False, **TOOL}]
    assert [part["type"] for part in first["input"][0]["content"]] == ["input_text", "input_image"]
    assert reply.finish == TOOL_CALLS
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [("call_1", "look", {"at": 1})]
    assert reply.usage == Usage(10, 5, 4)
    assert reply.native == ()
    kinds = [item.get("type", item.get("role")) for item in second["input"]]
    assert kinds == ["user", "reasoning", "function_call", "function_call_output"]
    assert second["input"][1] == THOUGHT


def _answer() -> Message:
    (reply,), _ = exchange([told(THOUGHT, CALL)], talk())
    return reply.message()


def test_how_an_answer_ended_is_read():
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Yes.", "annotations": []}],
    }
    no = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    replies, _ = exchange(
        [told(said), told(no), told(said, **cut), told(status="failed", error={"code": "x", "message": "broken"})],
        *[talk()] * 4,
    )
    assert [(reply.text, reply.finish) for reply in replies[:3]] == [
        ("Yes.", "stop"),
        ("No.", REFUSED),
        ("Yes.", LENGTH),
    ]
    assert isinstance(replies[3], Retryable)
    assert str(replies[3]).endswith("failed: broken")


def test_a_model_that_does_not_reason_is_not_asked_for_its_thoughts_again():
    refusal = failure("openai", 400, "Encrypted content is not supported with this model.", parameter="include")
    replies, sent = exchange([refusal, told(), told()], talk(), talk())
    assert ["include" in request for request in sent] == [True, False, False]
    assert replies[0].note == ""


@pytest.mark.parametrize("output", [None, "none", {}])
def test_an_answer_without_output_is_told_as_that(output):
    (error,), _ = exchange([told(output=output)], talk())
    assert "no output" in str(error)


def test_its_tokens_are_counted_as_those_of_the_same_provider():
    other, same = tokens_for("gpt-6-astra", "openai-responses"), tokens_for("gpt-6-astra", "openai")
    assert (other.name, other.images) == (same.name, same.images)
