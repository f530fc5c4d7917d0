"""OpenAI's protocol where it is like no other."""

from __future__ import annotations

import math

import pytest

from harness.models.client import RequestRefused, Retryable
from harness.models.messages import (
    REFUSED,
    STOP,
    TOOL_CALLS,
    Image,
    Message,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from harness.models.providers.openai_client import OpenAIClient, written
from tests.models.dialects import KEY, OPENAI, ask
from tests.models.servers import Server, answer, failure, openai_reply


def exchange(script, *requests):
    """The replies or errors, and what was sent."""
    told, asked = OPENAI.exchange(script, *requests)
    return told, [each.json for each in asked]


def test_the_assistant_can_say_the_rules():
    messages = (Message("assistant", (Text("I answer briefly."),)), Message("user", (Text("Look."),)))
    assert [message["role"] for message in written(messages)] == ["assistant", "user"]


def test_a_whole_conversation_is_written():
    messages = (
        Message("system", (Text("Be short."),)),
        Message("user", (Text("Look:"), Image(b"abc"))),
        Message("assistant", (Text("Two calls."), ToolCall("1", "click", {"x": "é"}), ToolCall("2", "shot", {}))),
        Message("tool", (ToolResult("1", "pressed"), ToolResult("2", "taken", (Image(b"def"),)))),
        Message("tool", (ToolResult("3", "late"),)),
        Message("assistant", (ToolCall("4", "finish", {}),)),
    )
    assert list(written(messages)) == [
        {"role": "system", "content": "Be short."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}},
            ],
        },
        {
            "role": "assistant",
            "content": "Two calls.",
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "click", "arguments": '{"x": "é"}'}},
                {"id": "2", "type": "function", "function": {"name": "shot", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "pressed"},
        {"role": "tool", "tool_call_id": "2", "content": "taken"},
        {"role": "tool", "tool_call_id": "3", "content": "late"},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,ZGVm"}}],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "4", "type": "function", "function": {"name": "finish", "arguments": "{}"}}],
        },
    ]


def test_a_request_holds_what_was_asked_for_and_no_more():
    _, sent = exchange([openai_reply("x"), openai_reply("x")], ask(seed=5, stop=("A", "B")), ask(temperature=None))
    messages = [{"role": "user", "content": "What now?"}]
    assert sent == [
        {
            "model": "a-model",
            "messages": messages,
            "max_tokens": 1024,
            "temperature": 0.0,
            "seed": 5,
            "stop": ["A", "B"],
        },
        {"model": "a-model", "messages": messages, "max_tokens": 1024},
    ]


def test_no_more_stop_texts_are_sent_than_the_protocol_takes_and_all_of_them_count():
    replies, sent = exchange([openai_reply("a E b")], ask(stop=("A", "B", "C", "D", "E")))
    assert sent[0]["stop"] == ["A", "B", "C", "D"]
    assert replies[0].text == "a "


def test_a_model_that_knows_the_limit_by_its_newer_name_is_asked_by_that():
    refusal = failure(
        "openai",
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        code="unsupported_parameter",
        parameter="max_tokens",
    )
    replies, sent = exchange([refusal, openai_reply("1"), openai_reply("2")], ask(), ask())
    limits = [{name for name in body if name.startswith("max")} for body in sent]
    assert limits == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]
    assert [(reply.text, reply.note) for reply in replies] == [("1", ""), ("2", "")]


def test_parameters_are_left_out_one_after_the_other():
    refusals = [
        failure("openai", 400, f"Unsupported parameter: '{name}' is not supported with this model.", parameter=name)
        for name in ("temperature", "seed", "stop")
    ]
    replies, sent = exchange([*refusals, openai_reply("one, two")], ask(seed=1, stop=(",",)))
    assert set(sent[-1]) == {"model", "messages", "max_tokens"}
    assert replies[0].text == "one"
    assert replies[0].note == "sent without seed and temperature, which the model does not take"


def test_a_limit_that_is_too_high_is_an_error():
    refusal = failure(
        "openai", 400, "max_tokens is too large: 1024. At most 512 are supported.", parameter="max_tokens"
    )
    errors, sent = exchange([refusal, openai_reply("x")], ask())
    assert isinstance(errors[0], RequestRefused)
    assert len(sent) == 1


ARGUMENTS = {
    "": ({}, ""),
    "{}": ({}, ""),
    '{"x": 1}': ({"x": 1}, ""),
    '{"x": 1': ({}, '{"x": 1'),
    "[1]": ({}, "[1]"),
    '{"x": NaN}': ({}, '{"x": NaN}'),
    "click(1)": ({}, "click(1)"),
    '{"x": ' + "[" * 50_000: ({}, '{"x": ' + "[" * 50_000),
}


@pytest.mark.parametrize("text", ARGUMENTS, ids=lambda text: text[:12] or "nothing")
def test_arguments_are_read_or_kept_as_they_were_written(text):
    replies, _ = exchange([openai_reply("", [("click", text)])], ask())
    values, malformed = ARGUMENTS[text]
    assert replies[0].tool_calls == (ToolCall("call_0", "click", values, malformed),)
    assert replies[0].finish == TOOL_CALLS


def test_calls_count_where_the_server_says_stop_and_gives_no_id():
    message = {"content": None, "tool_calls": [{"function": {"name": "click", "arguments": {"x": 1}}}]}
    replies, _ = exchange([answer({"choices": [{"message": message, "finish_reason": "stop"}]})], ask())
    assert replies[0].tool_calls == (ToolCall("call-0", "click", {"x": 1}),)
    assert (replies[0].finish, replies[0].usage) == (TOOL_CALLS, Usage())


@pytest.mark.parametrize("call", [5, {}, {"function": None}, {"function": {"name": None}}])
def test_a_call_without_a_name_is_no_answer(call):
    errors, _ = exchange([answer({"choices": [{"message": {"tool_calls": [call]}}]})], ask())
    assert isinstance(errors[0], Retryable)


def test_a_refusal_of_the_model_is_a_reply():
    refusal = {"choices": [{"message": {"content": None, "refusal": "I will not."}, "finish_reason": "stop"}]}
    filtered = openai_reply("", finish="content_filter")
    blocked = failure("openai", 400, "The prompt was filtered.", code="content_filter")
    replies, _ = exchange([answer(refusal), filtered, blocked], ask(), ask(), ask())
    assert [(reply.text, reply.finish) for reply in replies] == [("I will not.", REFUSED), ("", REFUSED), ("", REFUSED)]


@pytest.mark.parametrize("names", [("reasoning_content",), ("reasoning",), ("reasoning_content", "reasoning")])
def test_reasoning_is_no_part_of_the_text(names):
    message = {"content": "Yes.", **dict.fromkeys(names, "Hm.")}
    replies, _ = exchange([answer({"choices": [{"message": message, "finish_reason": "stop"}]})], ask())
    assert (replies[0].text, replies[0].finish, replies[0].thought) == ("Yes.", STOP, "Hm.")


def test_the_reset_of_a_rate_limit_is_a_hint():
    headers = {
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1m2s",
        "x-ratelimit-reset-requests": "1ms",
    }
    errors, _ = exchange([failure("openai", 429, headers=headers)], ask())
    assert errors[0].retry_after == 62.0


def test_an_account_without_credit_is_not_tried_again():
    errors, _ = exchange([failure("openai", 429, "You exceeded your quota.", code="insufficient_quota")], ask())
    assert isinstance(errors[0], RequestRefused)
    assert "out of credit or quota" in str(errors[0])


def test_an_error_with_status_200_is_told():
    errors, _ = exchange([answer({"error": {"message": "The model behind is down.", "code": 502}})], ask())
    assert isinstance(errors[0], Retryable)
    assert "The model behind is down." in str(errors[0])


@pytest.mark.parametrize(
    "body", [{"object": "error", "message": "Too long."}, {"error": "Too long."}, {"detail": "Too long."}]
)
def test_errors_of_other_servers_are_understood(body):
    errors, _ = exchange([answer(body, 400)], ask())
    assert isinstance(errors[0], RequestRefused)
    assert "Too long." in str(errors[0])


def test_without_a_key_none_is_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    with Server([openai_reply("x")]) as server:
        client = OpenAIClient(f"{server.url}/v1")
        client.complete(Request("a-model", ask().messages), timeout=30)
        client.close()
    assert KEY not in str(server.requests[0].headers)


def test_tokens_that_were_cached_or_put_into_the_cache_are_told_apart():
    usage = {
        "prompt_tokens": 125,
        "completion_tokens": 3,
        "total_tokens": 128,
        "prompt_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 20},
    }
    choice = {"index": 0, "message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    replies, _ = exchange([answer(body)], ask())
    assert replies[0].usage == Usage(125, 3, cached_input_tokens=100, written_input_tokens=20)


def test_how_likely_a_reply_was_is_asked_for_and_kept_as_a_mean():
    told = {"content": [{"token": "Y", "logprob": math.log(0.5)}, {"token": "es", "logprob": math.log(0.125)}]}
    choice = {"message": {"content": "Yes"}, "finish_reason": "stop", "logprobs": told}
    replies, sent = exchange([answer({"choices": [choice]})] * 2, ask(likelihoods=True), ask())
    assert replies[0].likelihood == pytest.approx(0.25)
    assert (sent[0]["logprobs"], "logprobs" in sent[1]) == (True, False)


@pytest.mark.parametrize("told", [None, {}, {"content": None}, {"content": [{"logprob": "x"}, 3]}, [1]])
def test_a_server_that_does_not_tell_how_likely_a_reply_was_leaves_it_unknown(told):
    choice = {"message": {"content": "Yes"}, "finish_reason": "stop", "logprobs": told}
    replies, _ = exchange([answer({"choices": [choice]})], ask(likelihoods=True))
    assert (replies[0].text, replies[0].likelihood) == ("Yes", None)
