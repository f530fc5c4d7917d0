"""What all three protocols have in common, through the providers' own libraries, against scripted servers."""

from __future__ import annotations

import gc
import json
import multiprocessing
import pickle
import socket
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from harness.kit.files.codec import plain
from harness.models import keys
from harness.models.client import ModelError, NoAccess, RequestRefused, Retryable
from harness.models.messages import LENGTH, STOP, TOOL_CALLS, Image, Message, Text, ToolCall, ToolResult, Usage
from tests.models.dialects import KEY, ask, each_dialect
from tests.models.servers import STALL, TRICKLE, Answer, Server, answer, truncated

PATIENCE = 30.0
"""Seconds that no answer here needs, however busy the machine is."""

CLICK = {
    "name": "click",
    "description": "Presses something.",
    "parameters": {
        "type": "object",
        "properties": {"x": {"type": "integer"}},
        "required": ["x"],
        "additionalProperties": False,
    },
}


def failed(dialect, script, *, timeout=PATIENCE, **more):
    """The error of one call, and the requests that the server saw."""
    with Server(script) as server:
        client = dialect.client(server)
        with pytest.raises(ModelError) as caught:
            client.complete(ask(**more), timeout=timeout)
        client.close()
    return caught.value, server.requests


def errors(dialect, script, key=KEY):
    """The errors of one call for each answer, all by one client, and that client."""
    script = list(script)
    caught = []
    with Server(script) as server:
        client = dialect.client(server, key)
        for _ in script:
            with pytest.raises(ModelError) as error:
                client.complete(ask(), timeout=PATIENCE)
            caught.append(error.value)
        client.close()
    assert len(server.requests) == len(script)
    return caught, client


def answered(dialect, script, request):
    with Server(script) as server:
        client = dialect.client(server)
        reply = client.complete(request, timeout=PATIENCE)
        client.close()
    return reply, server.requests


@each_dialect
def test_an_answer_has_text_usage_model_and_finish(dialect):
    reply, asked = answered(dialect, [dialect.reply("Hello.", usage=(120, 7, 100))], ask())
    assert (reply.text, reply.tool_calls, reply.finish, reply.note) == ("Hello.", (), STOP, "")
    assert reply.usage == Usage(input_tokens=120, output_tokens=7, cached_input_tokens=100)
    assert reply.model == "a-model-2026"
    assert "What now?" in asked[0].body.decode()


@each_dialect
def test_settings_are_sent(dialect):
    _, asked = answered(dialect, [dialect.reply("x")], ask(temperature=0.5, max_tokens=77, stop=("END",)))
    settings = dialect.settings(asked[0].json)
    assert settings["temperature"] == 0.5
    assert 77 in settings.values()
    assert ["END"] in settings.values()


@each_dialect
def test_a_temperature_of_none_is_left_to_the_provider(dialect):
    _, asked = answered(dialect, [dialect.reply("x")], ask(temperature=None))
    assert "temperature" not in dialect.settings(asked[0].json)


@each_dialect
def test_calls_of_tools_arrive(dialect):
    script = [dialect.reply("I press.", [("click", {"x": 3}), ("click", {"x": 4})])]
    reply, asked = answered(dialect, script, ask(tools=(CLICK,)))
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("click", {"x": 3}), ("click", {"x": 4})]
    assert (reply.text, reply.finish) == ("I press.", TOOL_CALLS)
    assert CLICK["description"] in asked[0].body.decode()


@each_dialect
def test_a_conversation_with_tools_can_go_on(dialect):
    with Server([dialect.reply("", [("click", {"x": 3})]), dialect.reply("Done.")]) as server:
        client = dialect.client(server)
        first = ask(tools=(CLICK,))
        reply = client.complete(first, timeout=PATIENCE)
        result = Message("tool", (ToolResult(reply.tool_calls[0].id, "pressed", (Image(b"\x89PNG..."),)),))
        messages = (*first.messages, reply.message(), result)
        second = type(first)("a-model", messages, tools=(CLICK,))
        assert client.complete(second, timeout=PATIENCE).text == "Done."
        client.close()
    body = server.requests[1].body.decode()
    assert body.count(reply.tool_calls[0].id) == 2
    assert "pressed" in body
    assert "iVBORy4uLg==" in body


@each_dialect
def test_pictures_arrive_byte_for_byte(dialect):
    message = Message("user", (Text("Look:"), Image(b"\x89PNG\r\n\x1a\n\x00\xff")))
    _, asked = answered(dialect, [dialect.reply("x")], type(ask())("a-model", (message,)))
    body = asked[0].body.decode().replace("_", "/")  # Google's library writes the other alphabet of base64.
    assert "iVBORw0KGgoA/w==" in body
    assert "image/png" in asked[0].body.decode()


@each_dialect
def test_an_answer_that_was_cut_off_says_so(dialect):
    word = {"openai": "length", "anthropic": "max_tokens", "google": "MAX_TOKENS"}[dialect.name]
    assert answered(dialect, [dialect.reply("x", finish=word)], ask())[0].finish == LENGTH


@each_dialect
def test_a_finish_of_a_later_day_is_given_in_the_providers_word(dialect):
    assert answered(dialect, [dialect.reply("x", finish="tired")], ask())[0].finish == "tired"


@each_dialect
def test_text_ends_before_a_stop_text_that_the_server_did_not_mind(dialect):
    assert answered(dialect, [dialect.reply("one\ntwo\nthree")], ask(stop=("three", "\n")))[0].text == "one"


@each_dialect
def test_an_answer_of_ten_megabytes_is_whole(dialect):
    text = "<p>" * (10_000_000 // 3)
    assert answered(dialect, [dialect.reply(text)], ask())[0].text == text


@each_dialect
def test_control_characters_stay_and_lone_surrogates_become_replacement_characters(dialect):
    reply, _ = answered(dialect, [dialect.reply("\x00\x1b[31m\ud800", [("click", {"x": "\udfff"})])], ask())
    assert reply.text == "\x00\x1b[31m�"
    assert reply.tool_calls[0].arguments == {"x": "�"}
    assert json.dumps(plain(reply), ensure_ascii=False).encode()


@each_dialect
def test_one_connection_serves_many_calls(dialect):
    with Server([dialect.reply("1"), dialect.reply("2")]) as server:
        client = dialect.client(server)
        assert [client.complete(ask(), timeout=PATIENCE).text for _ in range(2)] == ["1", "2"]
        client.close()
    assert server.connections == 1


@pytest.mark.slow
@each_dialect
def test_a_client_that_is_dropped_ends_its_connection(dialect):
    with Server([dialect.reply("1")]) as server:
        client = dialect.client(server)
        client.complete(ask(), timeout=PATIENCE)
        assert not server.ended.is_set()
        del client
        gc.collect()
        assert server.ended.wait(PATIENCE)


@each_dialect
def test_a_forked_process_makes_a_connection_of_its_own(dialect):
    with Server([dialect.reply("1"), dialect.reply("2"), dialect.reply("3")]) as server:
        client = dialect.client(server)
        client.complete(ask(), timeout=PATIENCE)
        child = multiprocessing.get_context("fork").Process(
            target=client.complete, args=(ask(),), kwargs={"timeout": 30}
        )
        child.start()
        child.join()
        assert child.exitcode == 0
        client.complete(ask(), timeout=PATIENCE)
        client.close()
    assert (len(server.requests), server.connections) == (3, 2)


@each_dialect
def test_what_passes_can_be_tried_again_and_is_not_tried_again_here(dialect):
    statuses = (408, 409, 429, 500, 502, 503, 529)
    caught, _ = errors(dialect, [dialect.failure(status, "Too busy.") for status in statuses])
    assert [type(error) for error in caught] == [Retryable] * len(statuses)
    assert [error.retry_after for error in caught] == [None] * len(statuses)
    told = [str(error).partition(": ")[2] for error in caught]
    assert told == [f"HTTP {status}: Too busy." for status in statuses]


@each_dialect
def test_the_providers_hint_is_kept(dialect):
    hints = ({"Retry-After": "7"}, {"Retry-After": "9", "retry-after-ms": "1500"}, {"Retry-After": "soon"})
    caught, _ = errors(dialect, [dialect.failure(429, headers=hint) for hint in hints])
    assert [error.retry_after for error in caught] == [7.0, 1.5, None]


@each_dialect
def test_a_date_to_try_again_is_understood(dialect):
    moment = datetime.now(UTC) + timedelta(hours=1)
    error, _ = failed(dialect, [dialect.failure(503, headers={"Retry-After": format_datetime(moment, usegmt=True)})])
    assert isinstance(error, Retryable)
    assert 3000 < error.retry_after <= 3600


@each_dialect
@pytest.mark.parametrize("script", [STALL, TRICKLE], ids=["silence", "spaces without end"])
def test_a_server_that_never_answers_is_given_up(dialect, script):
    error, asked = failed(dialect, [script], timeout=0.2)
    assert isinstance(error, Retryable)
    assert "gave no answer within 0.2 s" in str(error)
    assert len(asked) <= 1


@each_dialect
def test_an_answer_that_breaks_off_can_be_asked_for_again(dialect):
    error, asked = failed(dialect, [truncated(dialect.reply("Hello."))])
    assert isinstance(error, Retryable)
    assert "no connection with http://127.0.0.1:" in str(error)
    assert len(asked) == 1


BODIES = {
    "nothing": b"",
    "half": b'{"choices": [{"mess',
    "null": b"null",
    "a list": b"[]",
    "empty": b"{}",
    "other shapes": b'{"choices": [5], "content": {"type": "text"}, "candidates": "none"}',
    "no text": b'{"choices": [{"message": null}], "content": null, "candidates": [null]}',
    "too deep": b"[" * 100_000,
    "a huge number": b'{"choices": ' + b"9" * 5_000 + b"}",
    "not UTF-8": b'{"choices": "\xff\xfe"}',
}


@each_dialect
def test_an_answer_of_the_wrong_shape_can_be_asked_for_again(dialect):
    caught, _ = errors(dialect, map(Answer, BODIES.values()))
    told = {name: f"{type(error).__name__}: {error}" for name, error in zip(BODIES, caught, strict=True)}
    assert {
        name: text for name, text in told.items() if "Retryable: " not in text or "cannot be read" not in text
    } == {}


@each_dialect
@pytest.mark.parametrize("status", [200, 405, 501])
def test_a_web_page_in_place_of_an_answer_says_that_the_address_is_wrong(dialect, status):
    page = b"\n<!DOCTYPE html><html>Welcome to the hotel's network</html>"
    error, asked = failed(dialect, [Answer(page, status, {"Content-Type": "text/html"})])
    assert isinstance(error, Retryable)
    assert error.kind == "web page"
    assert f"answers with a web page (HTML, HTTP {status}) instead of JSON: check --base-url" in str(error)
    assert len(asked) == 1


@each_dialect
def test_odd_pieces_of_a_good_answer_do_no_harm(dialect):
    odd = {
        "choices": [{"message": {"content": [{"text": "a"}, 5, {"text": None}], "tool_calls": None}}],
        "content": [{"type": "text", "text": "a"}, 5, {"type": "thinking"}, {"type": "text", "text": None}],
        "candidates": [{"content": {"parts": [{"text": "a"}, 5, {"text": "b", "thought": True}, {"text": None}]}}],
        "usage": {"prompt_tokens": -1, "input_tokens": True, "output_tokens": "many", "prompt_tokens_details": 5},
        "usageMetadata": 5,
        "model": 5,
    }
    reply, _ = answered(dialect, [answer(odd)], ask())
    assert (reply.text, reply.usage, reply.model, reply.finish) == ("a", Usage(), "", STOP)


@each_dialect
def test_no_server_can_be_tried_again_and_the_address_is_named(dialect):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    client = dialect.make(address + dialect.path, KEY, "A_KEY")
    with pytest.raises(Retryable, match=f"no connection with {address}.*refused.*is --base-url right"):
        client.complete(ask(), timeout=PATIENCE)


ODD_ERRORS = {
    "nothing": Answer(b"", 500),
    "a page": Answer(b"<html>Bad gateway</html>", 502, {"Content-Type": "text/html"}),
    "not UTF-8": Answer(b"\xff\xfe", 500),
    "not the encoding that it says": Answer(b"{}", 500, {"Content-Encoding": "gzip"}),
    "an answer that is not the encoding that it says": Answer(b"{}", 200, {"Content-Encoding": "gzip"}),
    "too deep": Answer(b"[" * 100_000, 500),
    "a huge number": Answer(b"9" * 5_000, 500),
    "null": Answer(b"null", 500),
    "text": Answer(b'"no"', 500),
    "a list": Answer(b"[1, 2]", 500),
    "other shapes": Answer(b'{"error": {"message": 5, "code": [], "type": {}, "status": 5, "details": 5}}', 500),
    "a number": Answer(b'{"error": 5}', 500),
    "an odd status": Answer(b"{}", 599),
}


@each_dialect
def test_an_error_of_the_wrong_shape_is_an_error_of_ours(dialect):
    caught, _ = errors(dialect, ODD_ERRORS.values())
    assert [type(error) for error in caught] == [Retryable] * len(ODD_ERRORS)


REFUSALS = {
    400: "refused the request to a-model (HTTP 400: Bad thing.)",
    401: "does not accept (HTTP 401) the key in A_KEY",
    402: "the account is out of credit or quota",
    403: "does not allow the use of a-model (HTTP 403: Bad thing.) to the key in A_KEY",
    404: "knows no model a-model: check --model and --base-url",
    413: "HTTP 413: Bad thing.",
    302: "sends callers elsewhere: check --base-url",
}


@each_dialect
def test_what_will_never_work_says_what_to_do(dialect):
    headers = {"Location": "/elsewhere"}
    caught, _ = errors(dialect, [dialect.failure(status, "Bad thing.", headers=headers) for status in REFUSALS])
    of_this_request = {400, 413}
    assert [type(error) for error in caught] == [
        RequestRefused if status in of_this_request else NoAccess for status in REFUSALS
    ]
    assert [says for says, error in zip(REFUSALS.values(), caught, strict=True) if says not in str(error)] == []


TOO_LONG = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
)


@each_dialect
def test_a_request_that_the_context_does_not_hold_names_the_option_that_shortens_it(dialect):
    caught, _ = errors(dialect, [dialect.failure(400, said) for said in TOO_LONG])
    assert [type(error) for error in caught] == [RequestRefused] * len(TOO_LONG)
    assert [said for said, error in zip(TOO_LONG, caught, strict=True) if "--max-input-tokens" not in str(error)] == []
    assert [said for said, error in zip(TOO_LONG, caught, strict=True) if said[:40] not in str(error)] == []


@each_dialect
def test_a_server_that_wants_a_key_and_gets_none_says_how_to_give_one(dialect):
    with Server([dialect.failure(401)]) as server:
        client = dialect.make(server.url + dialect.path)
        with pytest.raises(RequestRefused, match="calls without a key: put one into MODEL_API_KEY"):
            client.complete(ask(), timeout=PATIENCE)
        client.close()


@each_dialect
def test_a_key_that_the_server_repeats_reaches_no_text(dialect, monkeypatch):
    monkeypatch.setenv("A_KEY", KEY)
    said = f"Wrong key {KEY}, or sk-te*****cdef: you sent 'Bearer {KEY}'"
    script = [dialect.failure(status, said) for status in (400, 401, 403, 404, 429, 500)]
    caught, client = errors(dialect, script, keys.key("A_KEY"))
    told = repr(client) + "".join("".join(traceback.format_exception(error)) + repr(error) for error in caught)
    assert "Wrong key [key], or [key]" in told
    assert KEY not in told
    assert "sk-te" not in told


@each_dialect
def test_the_key_is_sent(dialect):
    _, asked = answered(dialect, [dialect.reply("x")], ask())
    assert [name for name, value in asked[0].headers.items() if KEY in value] in (["authorization"], ["x-goog-api-key"])


@each_dialect
def test_what_a_server_says_becomes_one_short_line(dialect):
    error, _ = failed(dialect, [dialect.failure(500, "a\n\x1b[31mb\u2028c " + "x" * 10_000)])
    assert "HTTP 500: a [31mb c xxx" in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 400


@each_dialect
def test_a_temperature_that_a_model_refuses_is_left_out_from_then_on(dialect):
    refusal = dialect.failure(400, "`temperature` is deprecated for this model.", parameter="temperature")
    script = [refusal, dialect.reply("1"), dialect.reply("2"), dialect.reply("3")]
    with Server(script) as server:
        client = dialect.client(server)
        replies = [client.complete(ask(), timeout=PATIENCE) for _ in range(2)]
        other = type(ask())("another-model", ask().messages)
        replies.append(client.complete(other, timeout=PATIENCE))
        client.close()
    sent = ["temperature" in dialect.settings(asked.json) for asked in server.requests]
    assert sent == [True, False, False, True]
    note = "sent without temperature, which the model does not take"
    assert [reply.note for reply in replies] == [note, note, ""]


@each_dialect
def test_a_wrong_temperature_is_not_left_out(dialect):
    refusal = dialect.failure(400, "temperature must be at most 2", parameter="temperature")
    error, asked = failed(dialect, [refusal, dialect.reply("x")], temperature=9.0)
    assert isinstance(error, RequestRefused)
    assert "temperature must be at most 2" in str(error)
    assert len(asked) == 1


@each_dialect
def test_a_refusal_that_goes_on_ends(dialect):
    refusal = dialect.failure(400, "Unsupported parameter: 'temperature'.", parameter="temperature")
    error, asked = failed(dialect, [refusal, refusal, refusal])
    assert isinstance(error, RequestRefused)
    assert len(asked) == 2


@each_dialect
def test_a_grammar_is_refused_before_anything_is_sent(dialect):
    error, asked = failed(dialect, [dialect.reply("x")], grammar='root ::= "a"')
    assert isinstance(error, RequestRefused)
    assert "--solver local" in str(error)
    assert asked == []


@each_dialect
def test_errors_travel_between_processes(dialect):
    error, _ = failed(dialect, [dialect.failure(429, headers={"Retry-After": "7"})])
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(copy), str(copy), copy.retry_after) == (Retryable, str(error), 7.0)


@each_dialect
def test_an_empty_answer_in_the_history_is_no_empty_block(dialect):
    history = (*ask().messages, Message("assistant", ()), Message("user", (Text("Say something."),)))
    _, asked = answered(dialect, [dialect.reply("x")], type(ask())("a-model", history))
    texts = [part for part in json.dumps(asked[0].json).split('"') if part == "Say something."]
    assert len(texts) == 1
    assert '"text": ""' not in json.dumps(asked[0].json)


@each_dialect
def test_a_call_with_unreadable_arguments_goes_back_without_them(dialect):
    call = ToolCall("c1", "click", {}, malformed="{x: 3")
    history = (*ask().messages, Message("assistant", (call,)), Message("tool", (ToolResult("c1", "Not JSON."),)))
    _, asked = answered(dialect, [dialect.reply("x")], type(ask())("a-model", history, tools=(CLICK,)))
    body = asked[0].body.decode()
    assert "{x: 3" not in body
    assert "Not JSON." in body
