"""Requests and replies as records: equal, hashed, written and read back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.kit.files.codec import decode, plain
from harness.models.messages import Image, Message, Reply, Request, Text, ToolCall, ToolResult, Usage, begun_by_user

TOOL = {"name": "click", "description": "Presses.", "parameters": {"type": "object", "properties": {}}}
REQUEST = Request(
    "a-model",
    (
        Message("system", (Text("Be short."),)),
        Message("user", (Text("Look: "), Image(b"picture"))),
        Message("assistant", (Text("I press."), ToolCall("c1", "click", {"x": 1}))),
        Message("tool", (ToolResult("c1", "pressed", (Image(b"after"),)),)),
    ),
    (TOOL,),
)


def test_the_key_of_a_request_is_the_same_for_an_equal_one():
    copy = replace(REQUEST, messages=tuple(replace(message) for message in REQUEST.messages), temperature=0)
    assert copy.key() == REQUEST.key()
    assert len(REQUEST.key()) == 64


def test_every_part_of_a_request_is_in_its_key():
    messages = REQUEST.messages
    others = [
        replace(REQUEST, model="another"),
        replace(REQUEST, messages=messages[:-1]),
        replace(REQUEST, messages=(*messages[:1], Message("user", (Text("Look: "), Image(b"Picture"))), *messages[2:])),
        replace(REQUEST, messages=(*messages[:3], Message("tool", (ToolResult("c1", "pressed"),)))),
        replace(REQUEST, messages=(*messages[:3], Message("tool", (ToolResult("c2", "pressed", (Image(b"after"),)),)))),
        replace(REQUEST, tools=()),
        replace(REQUEST, stop=("END",)),
        replace(REQUEST, temperature=None),
        replace(REQUEST, temperature=0.5),
        replace(REQUEST, seed=0),
        replace(REQUEST, max_tokens=1025),
        replace(REQUEST, grammar='root ::= "a"'),
    ]
    assert len({request.key() for request in (REQUEST, *others)}) == len(others) + 1


def test_where_the_user_begins_what_the_assistant_says_before_is_the_systems():
    rules, question = Message("assistant", (Text("I answer briefly."),)), Message("user", (Text("Who?"),))
    answer = Message("assistant", (Text("She."),))
    begun = begun_by_user((rules, question, answer, question))
    assert begun == (Message("system", rules.parts), question, answer, question)
    assert begun_by_user(REQUEST.messages) == REQUEST.messages


def test_a_request_in_json_names_pictures_by_hash():
    text = json.dumps(REQUEST.to_json())
    assert "picture" not in text
    assert Image(b"picture").sha256 in text
    assert json.loads(text) == REQUEST.to_json()


def test_a_picture_is_not_in_the_text_of_a_record():
    assert "picture" not in repr(REQUEST)


@pytest.mark.parametrize(
    ("role", "part"),
    [
        ("system", Image(b"")),
        ("user", ToolResult("c1", "")),
        ("assistant", Image(b"")),
        ("tool", Text("")),
        ("robot", Text("")),
    ],
)
def test_a_message_that_no_provider_takes_cannot_be_made(role, part):
    with pytest.raises(ValueError, match=r"cannot hold|is not a role"):
        Message(role, (part,))


def test_a_reply_is_read_back_as_it_was():
    calls = (
        ToolCall("c1", "click", {"x": [1, None, {"y": 2.5}]}, signature="c2ln"),
        ToolCall("c2", "click", {}, "{x:"),
    )
    reply = Reply("Text\x00 ü", calls, Usage(5, 3, 2), "tool_calls", "a-model-2026", "sent without seed")
    assert decode(json.dumps(plain(reply)).encode(), Reply) == reply


def test_a_reply_is_the_next_message():
    calls = (ToolCall("c1", "click", {"x": 1}),)
    assert Reply("I press.", calls).message() == Message("assistant", (Text("I press."), *calls))
    assert Reply("").message() == Message("assistant", ())


def test_usage_adds_up():
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)


def test_lone_surrogates_never_reach_a_file():
    call = ToolCall("c\ud800", "click", {"a\udfff": ["\ud83d\ude00", "\ud800"]})
    assert call.arguments == {"a�": ["😀", "�"]}
    request = Request("m\ud800", (Message("user", (Text("\udc00"),)),), stop=("\ud800",))
    assert len(request.key()) == 64
    assert Text("\udc00").text == "�"
