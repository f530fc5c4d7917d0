"""Google's protocol where it is like no other."""

from __future__ import annotations

import json

import pytest

from harness.models.client import MalformedCall
from harness.models.messages import REFUSED, Image, Message, Request, Text, ToolCall, ToolResult, Usage
from harness.models.providers.google_client import written
from tests.models.dialects import GOOGLE, KEY, ask
from tests.models.servers import answer, failure, google_reply

TOOL = {
    "name": "click",
    "description": "Presses.",
    "parameters": {"type": "object", "properties": {"x": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}},
}


exchange = GOOGLE.exchange


def test_rules_that_the_assistant_says_first_are_the_systems():
    messages = (Message("assistant", (Text("I answer briefly."),)), Message("user", (Text("Look."),)))
    _, asked = exchange([google_reply("x")], Request("a-model", messages))
    assert [part["text"] for part in asked[0].json["systemInstruction"]["parts"]] == ["I answer briefly."]
    assert [content["role"] for content in asked[0].json["contents"]] == ["user"]


def test_a_whole_conversation_is_written():
    messages = (
        Message("system", (Text("Be short."),)),
        Message("user", (Text("Look:"), Image(b"abc"))),
        Message("assistant", (Text("A call."), ToolCall("1", "click", {"x": 1}, signature="c2ln"))),
        Message("tool", (ToolResult("1", "taken", (Image(b"def"),)), ToolResult("2", "late"))),
        Message("user", (Text("Go on."),)),
    )
    _, asked = exchange([google_reply("x")], Request("a-model", messages, (TOOL,), seed=5, stop=tuple("ABCDEF")))
    sent = asked[0].json
    assert asked[0].path.endswith("/models/a-model:generateContent")
    assert [part["text"] for part in sent["systemInstruction"]["parts"]] == ["Be short."]
    assert sent["contents"] == [
        {"role": "user", "parts": [{"text": "Look:"}, {"inlineData": {"mime_type": "image/png", "data": "YWJj"}}]},
        {
            "role": "model",
            "parts": [
                {"text": "A call."},
                {"functionCall": {"id": "1", "name": "click", "args": {"x": 1}}, "thoughtSignature": "c2ln"},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "1", "name": "click", "response": {"result": "taken"}}},
                {"functionResponse": {"id": "2", "name": "2", "response": {"result": "late"}}},
                {"inlineData": {"mime_type": "image/png", "data": "ZGVm"}},
                {"text": "Go on."},
            ],
        },
    ]
    assert sent["generationConfig"] == {
        "temperature": 0.0,
        "seed": 5,
        "maxOutputTokens": 1024,
        "stopSequences": ["A", "B", "C", "D", "E"],
    }
    [declaration] = sent["tools"][0]["functionDeclarations"]
    assert (declaration["name"], declaration["description"]) == ("click", "Presses.")
    assert TOOL["parameters"] in declaration.values()


def test_a_result_names_the_tool_of_the_call_before_it():
    turns = [
        (Message("assistant", (ToolCall("call-0", name, {}),)), Message("tool", (ToolResult("call-0", "done"),)))
        for name in ("click", "finish")
    ]
    contents = list(written(message for turn in turns for message in turn))
    responses = [part.function_response for content in contents for part in content.parts if part.function_response]
    assert [response.name for response in responses] == ["click", "finish"]


def test_a_signature_of_a_thought_comes_with_its_call():
    call = {"functionCall": {"id": "f1", "name": "click", "args": {"x": 1}}, "thoughtSignature": "c2ln"}
    parts = [{"text": "Hm.", "thought": True}, call, {"functionCall": {"name": "click"}}]
    replies, _ = exchange([answer({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})], ask())
    assert replies[0].text == ""
    assert replies[0].tool_calls == (
        ToolCall("f1", "click", {"x": 1}, signature="c2ln"),
        ToolCall("call-1", "click", {}),
    )


def test_thoughts_count_as_output():
    usage = {
        "promptTokenCount": 100,
        "toolUsePromptTokenCount": 5,
        "cachedContentTokenCount": 60,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 30,
    }
    replies, _ = exchange([answer({"candidates": [{}], "usageMetadata": usage})], ask())
    assert replies[0].usage == Usage(input_tokens=105, output_tokens=37, cached_input_tokens=60)


def test_a_blocked_prompt_is_a_reply():
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}}
    replies, _ = exchange([answer(blocked), google_reply("", finish="PROHIBITED_CONTENT")], ask(), ask())
    assert [reply.finish for reply in replies] == [REFUSED, REFUSED]
    assert replies[0].note == "the prompt was blocked: SAFETY"
    assert replies[0].usage == Usage(input_tokens=9)


def test_a_call_that_google_cannot_read_is_explained():
    candidate = {"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed function call: click(x="}
    replies, _ = exchange([answer({"candidates": [candidate]})], ask())
    assert isinstance(replies[0], MalformedCall)
    assert (replies[0].reply.text, replies[0].reply.finish) == ("Malformed function call: click(x=", "malformed")


@pytest.mark.parametrize("wrapped", [False, True])
def test_the_delay_in_the_details_is_a_hint(wrapped):
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37.5s"}]
    refusal = failure("google", 429, "Quota.", code="RESOURCE_EXHAUSTED", details=details)
    script = [answer([json_of(refusal)], 429) if wrapped else refusal]
    errors, _ = exchange(script, ask())
    assert errors[0].retry_after == 37.5
    assert "Quota." in str(errors[0])


def json_of(reply):
    return json.loads(reply.body)


def test_other_ways_to_googles_models_are_not_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key-0123456789")
    replies, asked = exchange([google_reply("x")], ask())
    assert replies[0].text == "x"
    assert asked[0].headers["x-goog-api-key"] == KEY
