"""Conversations that strict servers take, and answers that are none: each server is scripted after a report."""

from __future__ import annotations

import base64
import io
import json
import random
import ssl
import subprocess
from dataclasses import replace

import pytest
from PIL import Image as Picture

from harness.kit.text import PrintableStream
from harness.models.client import MalformedCall, RequestRefused, Retryable
from harness.models.messages import Image, Message, Reply, Request, Text, ToolCall, ToolResult, Usage, with_fit_calls
from harness.models.picture_limits import LEFT_OUT, LIMITS, fitted
from harness.models.providers.failures import ProviderServer
from harness.solvers.models.replies import complaints, read_reply, shown_again
from tests.models.dialects import ANTHROPIC, OPENAI, ask, each_dialect
from tests.models.servers import Answer, Server, answer, failure, openai_reply
from tests.needs import needs, program

TOOLS = ({"name": "modify_radio", "description": "", "parameters": {"type": "object"}},)
USER = Message("user", (Text("Which?"),))


def body(message: dict, usage: dict | None = None, finish: str = "stop", **choice) -> Answer:
    return answer({"model": "m", "choices": [{"message": message, "finish_reason": finish, **choice}], "usage": usage})


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 3010}, Usage(1000, 2010)),
        (
            {"prompt_tokens": 9, "completion_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 5}},
            Usage(9, 6),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 4}, Usage(9, 1, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 1, "cached_tokens": 4}, Usage(9, 1, 4)),
    ],
)
def test_tokens_are_counted_in_each_dialect(usage, counted):
    replies, _ = OPENAI.exchange([body({"content": "a"}, usage)], ask())
    assert replies[0].usage == counted


def test_a_cost_that_the_server_tells_is_kept():
    told = [body({"content": "a"}, {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.0000125})]
    told.append(Answer(told[0].body.replace(b'"cost"', b'"other"'), 200, {"x-litellm-response-cost": "2e-05"}))
    replies, _ = OPENAI.exchange(told, ask(), ask())
    assert [each.cost for each in replies] == [0.0000125, 0.00002]


def test_an_error_with_status_200_is_the_providers_and_keeps_what_was_written():
    error = {"code": 502, "message": "Upstream error: connection reset"}
    broken = body({"content": "I begin"}, finish="error", error=error)
    replies, _ = OPENAI.exchange([broken, answer({"error": {"code": 429, "message": "Slow down"}})], ask(), ask())
    assert [type(each) for each in replies] == [Retryable, Retryable]
    assert replies[0].kind == "server error"
    assert "connection reset; it had written: 'I begin'" in str(replies[0])
    assert "HTTP 429: Slow down" in str(replies[1])


def test_a_malformed_call_is_shown_to_the_model_and_never_acted_on():
    refused = failure("openai", 400, "Failed to call a function.", code="tool_use_failed")
    data = json.loads(refused.body)
    data["error"]["failed_generation"] = "<function=finish()"
    replies, _ = OPENAI.exchange([answer(data, 400)], ask())
    assert isinstance(replies[0], MalformedCall)
    reply = replies[0].reply
    assert read_reply(reply, {}, "text") == read_reply(reply, {}, "tools") == ()
    assert complaints(reply, (), "tools", 64) == "<function=finish()"


def conversation(*calls: ToolCall, reasoning: tuple = ()) -> Request:
    said = Reply("", calls, reasoning=reasoning).message()
    results = Message("tool", tuple(ToolResult(call.id, "ok") for call in calls))
    return Request("a-model", (Message("system", (Text("Rules."),)), USER, said, results), TOOLS)


@pytest.mark.parametrize("name", ["", "same"])
def test_ids_of_calls_are_unique_in_a_conversation(name):
    twice = Reply("", tuple(ToolCall(name, "modify_radio", {"value": value}) for value in "ab"))
    first = with_fit_calls(twice, Request("m", (USER,), TOOLS))
    second = with_fit_calls(twice, conversation(*first.tool_calls))
    ids = [call.id for call in (*first.tool_calls, *second.tool_calls)]
    assert len(set(ids)) == 4
    assert all(ids)
    assert name in ids or not name, "an id that is a call's own is kept"


@pytest.mark.parametrize(
    "name",
    [
        "modify_radio<|channel|>commentary",
        "functions.modify_radio",
        "modify_radio<|channel|>json",
        "default_api:modify_radio",
        "functions.modify_radio:0",
        "<|channel|>commentary to=functions.modify_radio",
    ],
)
def test_a_tools_name_is_read_with_what_servers_leave_around_it(name):
    fit = with_fit_calls(Reply("", (ToolCall("a", name, {}),)), Request("m", (USER,), TOOLS))
    assert fit.tool_calls[0].name == "modify_radio"


def test_the_name_of_no_tool_stays_as_it_is_and_is_replayed_as_it_was_written():
    fit = with_fit_calls(Reply("", (ToolCall("a", "functions.fly", {"to": 1}),)), Request("m", (USER,), TOOLS))
    assert fit.tool_calls[0].name == "functions.fly"
    assert shown_again(fit, {})[0].text == 'functions.fly({"to": 1})'
    assert "nothing" not in shown_again(Reply("", thought="I think."), {})[0].text


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_thoughts_go_back_with_tool_calls_as_they_came(key):
    call = {"id": "a", "function": {"name": "modify_radio", "arguments": "{}"}}
    script = [body({"content": None, key: "Happy.", "tool_calls": [call]}), openai_reply("done")]
    (first, _), asked = OPENAI.exchange(script, ask(), conversation(ToolCall("a", "modify_radio", {})))
    assert first.thought == "Happy."
    _, asked = OPENAI.exchange([openai_reply("done")], conversation(*first.tool_calls, reasoning=first.reasoning))
    assert asked[0].json["messages"][2][key] == "Happy."


def test_a_server_that_takes_no_thoughts_is_asked_without():
    refusal = failure("openai", 400, "Extra inputs are not permitted: messages.2.reasoning_content")
    told = conversation(ToolCall("a", "modify_radio", {}), reasoning=({"reasoning_content": "Happy."},))
    replies, asked = OPENAI.exchange([refusal, openai_reply("done")], told)
    assert replies[0].text == "done"
    assert ["reasoning_content" in each.json["messages"][2] for each in asked] == [True, False]


def test_signed_thoughts_go_back_to_claude_before_its_calls():
    block = {"type": "thinking", "thinking": "Happy.", "signature": "abc"}
    told = conversation(ToolCall("a", "modify_radio", {}), reasoning=(block,))
    use = {"type": "tool_use", "id": "b", "name": "modify_radio", "input": {}}
    script = [answer({"model": "m", "content": [block, use], "usage": {}, "stop_reason": "tool_use"})]
    replies, asked = ANTHROPIC.exchange(script, told)
    assert asked[0].json["messages"][1]["content"][0] == block
    assert replies[0].reasoning == (block,)


@pytest.mark.parametrize(
    "refusal",
    ["System role not supported", "Conversation roles must alternate user/assistant/user/assistant/..."],
)
def test_a_model_without_a_system_role_gets_the_rules_from_the_user(refusal):
    first = Request("a-model", (Message("system", (Text("Rules."),)), USER))
    script = [failure("openai", 400, refusal), openai_reply("a"), openai_reply("b")]
    replies, asked = OPENAI.exchange(script, first, conversation(ToolCall("a", "modify_radio", {})))
    assert asked[1].json["messages"] == [{"role": "user", "content": "Rules.\n\nWhich?"}]
    assert [message["role"] for message in asked[2].json["messages"]] == ["user", "assistant", "tool"]
    assert "no system role" in replies[0].note
    assert not replies[1].note, "it is said once"


def png(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Picture.new("1", (width, height)).save(buffer, format="PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(("pictures", "edge"), [(1, 8000), (21, 2000)])
def test_pictures_are_made_smaller_to_what_the_provider_takes(pictures, edge):
    tall = Message("user", (Image(png(1280, 12_813)), *[Image(png(10, 10))] * (pictures - 1)))
    messages, note = fitted([tall], "anthropic")
    assert max(Picture.open(io.BytesIO(messages[0].images[0].png)).size) == edge
    assert note.startswith(f"1 of {pictures} pictures made smaller")
    assert fitted([tall], "google") == ((tall,), "")


def test_a_picture_of_too_many_bytes_is_made_smaller():
    noise = io.BytesIO()
    pixels = random.Random(0).randbytes(1600 * 1600 * 3)  # noqa: S311 - noise
    Picture.frombytes("RGB", (1600, 1600), pixels).save(noise, format="PNG", compress_level=0)
    asked = Message("user", (Image(noise.getvalue()),))
    assert len(base64.b64encode(noise.getvalue())) > LIMITS["anthropic"].picture_bytes
    messages, note = fitted([asked], "anthropic")
    assert len(base64.b64encode(messages[0].images[0].png)) <= LIMITS["anthropic"].picture_bytes
    assert "1 of 1 pictures made smaller" in note
    assert "10 MB that the provider takes" in note


@pytest.mark.parametrize("provider", LIMITS)
def test_the_oldest_of_too_many_pictures_are_left_out_and_that_is_said(provider):
    most, dot = LIMITS[provider].count, png(1, 1)
    shown = [Message("tool", (ToolResult("a", "ok", (Image(dot),)),)), Message("user", (Image(dot),) * most)]
    messages, note = fitted(shown, provider)
    assert messages == (Message("tool", (ToolResult("a", f"ok\n{LEFT_OUT}"),)), shown[1])
    assert note.startswith(f"the oldest 1 of {most + 1} pictures left out: the provider takes {most:,}")
    assert fitted(shown[1:], provider) == ((shown[1],), "")


@pytest.mark.parametrize("provider", LIMITS)
def test_pictures_that_are_too_many_bytes_together_are_left_out_from_the_oldest_on(provider):
    few = LIMITS[provider].request_bytes // 7_500_000  # 10 million in base64
    shown = Message("user", (Image(b"0" * 7_499_998),) * (few + 1))
    (message,), note = fitted([shown], provider)
    assert f"pictures left out: the provider takes {LIMITS[provider].count:,}" in note
    assert message.parts[0] == Text(LEFT_OUT)
    assert 4 * sum(len(image.png) for image in message.images) < 3 * LIMITS[provider].request_bytes
    assert len(message.images) >= few * 3 // 4 - 1


@each_dialect
def test_each_client_sends_what_its_provider_takes_and_says_so(dialect, monkeypatch):
    monkeypatch.setitem(LIMITS, dialect.name, replace(LIMITS[dialect.name], count=2))
    many = Request("a-model", (Message("user", (Text("Which?"), *[Image(png(1, 1))] * 3)),))
    replies, asked = dialect.exchange([dialect.reply("a")], many)
    assert json.dumps(asked[0].json).count("image/png") == 2
    assert LEFT_OUT in json.dumps(asked[0].json)
    assert "the oldest 1 of 3 pictures left out" in replies[0].note


def test_a_console_that_cannot_show_a_character_is_sent_its_escape():
    raw = io.BytesIO()
    stream = PrintableStream(io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    assert stream.write("a ─ b") == 5
    assert raw.getvalue() == b"a \\u2500 b"


def test_a_certificate_that_fails_is_told_as_that():
    error = OSError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate")
    words = str(ProviderServer("https://localhost:1/v1").unreachable(error))
    assert "the certificate of https://localhost:1/v1 cannot be trusted" in words
    assert "SSL_CERT_FILE" in words


@pytest.mark.parametrize(
    ("status", "words", "remedy"),
    [
        (404, "No endpoints found that support tool use.", "--output text"),
        (
            400,
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "--output text",
        ),
        (400, "registry.ollama.ai/library/gemma3:12b does not support tools", "--output text"),
        (500, "tools param requires --jinja flag", "--output text"),
        (404, "No endpoints found that support image input", "--no-vision"),
        (500, "image input is not supported - hint: you may need to provide the mmproj", "--no-vision"),
        (400, "At most 0 image(s) may be provided in one request.", "--no-vision"),
        (400, "m is not a multimodal model", "--no-vision"),
        (404, "This model is only supported in v1/responses and not in v1/chat/completions.", "openai-responses"),
    ],
)
def test_what_a_server_does_not_take_at_all_is_not_asked_again_and_told_with_the_remedy(status, words, remedy):
    (refused,), asked = OPENAI.exchange([failure("openai", status, words)], ask())
    assert (type(refused), len(asked)) == (RequestRefused, 1)
    assert words.rstrip(".") in str(refused)
    assert remedy in str(refused)


@pytest.mark.parametrize("words", ["The tool parser broke down", "the image could not be read in time"])
def test_other_failures_of_a_server_are_tried_again(words):
    (failed,), _ = OPENAI.exchange([failure("openai", 500, words)], ask())
    assert isinstance(failed, Retryable)


@needs(program("openssl", "apt-get install openssl"))
@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", None])
def test_the_authority_that_the_environment_names_counts_on_this_machine_too(tmp_path, monkeypatch, variable):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += [
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        "-subj",
        "/CN=here",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]
    subprocess.run(made, check=True, capture_output=True)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with Server([openai_reply("trusted")], context) as server:
        client = OPENAI.client(server)
        if variable:
            assert client.complete(ask(), timeout=30).text == "trusted"
        else:
            with pytest.raises(Retryable, match=f"the certificate of {server.url}/v1 cannot be trusted"):
                client.complete(ask(), timeout=30)
        client.close()
