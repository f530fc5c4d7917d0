"""Anthropic's protocol where it is like no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.models.client import RequestRefused, Retryable
from harness.models.messages import LENGTH, REFUSED, STOP, Image, Message, Text, ToolCall, ToolResult, Usage
from harness.models.providers.anthropic_client import written
from tests.models.dialects import ANTHROPIC, ask
from tests.models.servers import answer, anthropic_reply, failure

exchange = ANTHROPIC.exchange


def test_a_whole_conversation_is_written():
    messages = (
        Message("system", (Text("Be short."),)),
        Message("user", (Text("Look:"), Image(b"abc"))),
        Message("assistant", (Text("A call."), ToolCall("1", "shot", {"x": 1}))),
        Message("tool", (ToolResult("1", "taken", (Image(b"def"),)),)),
        Message("tool", (ToolResult("2", ""),)),
        Message("user", (Text("Go on."), Text(" \n"))),
        Message("assistant", ()),
        Message("user", (Text("Please."),)),
    )
    assert list(written(messages)) == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "YWJj"}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "A call."},
                {"type": "tool_use", "id": "1", "name": "shot", "input": {"x": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "1",
                    "content": [
                        {"type": "text", "text": "taken"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "ZGVm"}},
                    ],
                },
                {"type": "tool_result", "tool_use_id": "2", "content": []},
                {"type": "text", "text": "Go on."},
                {"type": "text", "text": "Please."},
            ],
        },
    ]


def test_a_request_holds_what_was_asked_for_and_no_more():
    tool = {"name": "click", "description": "Presses.", "parameters": {"type": "object", "properties": {}}}
    request = ask(tools=(tool,), stop=("END", "\n"), seed=5, temperature=None)
    system = (Message("system", (Text("Be short."),)), Message("system", (Text("Be kind."),)))
    request = type(request)(**{**vars(request), "messages": (*system, *request.messages)})
    _, asked = exchange([anthropic_reply("x")], request)
    assert asked[0].path == "/v1/messages"
    assert asked[0].json == {
        "model": "a-model",
        "max_tokens": 1024,
        "system": "Be short.\n\nBe kind.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "What now?"}]}],
        "stop_sequences": ["END"],
        "tools": [
            {"name": "click", "description": "Presses.", "input_schema": {"type": "object", "properties": {}}},
        ],
    }


def test_rules_that_the_assistant_says_first_are_the_systems():
    request = ask()
    rules = Message("assistant", (Text("I answer briefly."),))
    _, asked = exchange([anthropic_reply("x")], replace(request, messages=(rules, *request.messages)))
    assert asked[0].json["system"] == "I answer briefly."
    assert [message["role"] for message in asked[0].json["messages"]] == ["user"]


def test_a_temperature_asks_for_the_last_api_version_that_has_one():
    refusal = failure("anthropic", 400, "temperature: Extra inputs are not permitted", code="invalid_request_error")
    replies, asked = exchange([anthropic_reply("1"), refusal, anthropic_reply("2")], ask(), ask())
    versions = [each.headers["anthropic-version"] for each in asked]
    assert versions[:2] == ["2023-06-01", "2023-06-01"]
    assert versions[2] > "2023-06-01"
    assert [reply.note for reply in replies] == ["", "sent without temperature, which the model does not take"]


def test_tokens_that_were_cached_or_put_into_the_cache_count_as_input():
    usage = {"input_tokens": 5, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 3}
    replies, _ = exchange([answer({"content": [], "usage": usage, "stop_reason": "end_turn"})], ask())
    assert replies[0].usage == Usage(125, 3, cached_input_tokens=100, written_input_tokens=20)


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("stop_sequence", STOP),
        ("model_context_window_exceeded", LENGTH),
        ("refusal", REFUSED),
        ("pause_turn", "pause_turn"),
    ],
)
def test_the_end_of_an_answer_has_a_reason(word, finish):
    replies, _ = exchange([anthropic_reply("x", finish=word)], ask())
    assert replies[0].finish == finish


def test_thoughts_are_no_part_of_the_text():
    content = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "Yes."}]
    replies, _ = exchange([answer({"content": content, "stop_reason": "end_turn"})], ask())
    assert replies[0].text == "Yes."


def test_arguments_that_are_no_object_are_kept_as_text():
    replies, _ = exchange([anthropic_reply("", [("click", [1])])], ask())
    assert replies[0].tool_calls == (ToolCall("toolu_0", "click", {}, malformed="[1]"),)


def test_an_overloaded_provider_can_be_tried_again():
    errors, _ = exchange([failure("anthropic", 529, "Overloaded", code="overloaded_error")], ask())
    assert isinstance(errors[0], Retryable)


def test_an_account_without_credit_is_not_tried_again():
    errors, _ = exchange([failure("anthropic", 429, "No credit.", code="billing_error")], ask())
    assert isinstance(errors[0], RequestRefused)
