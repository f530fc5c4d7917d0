"""Replies on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.models.accounts import ReplyCache
from harness.models.messages import Image, Message, Reply, Request, Text, ToolCall, Usage

REQUEST = Request("model-1", (Message("user", (Text("What is on it?"), Image(b"picture"))),), seed=1)
REPLY = Reply(
    "A dog \ud800 waits.", (ToolCall("1", "modify_text", {"name": "a"}),), Usage(10, 5, 2), "tool_calls", "model-1-a"
)


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    return ReplyCache(tmp_path / "replies", "openai")


def test_a_reply_comes_back_whole(cache: ReplyCache, tmp_path: Path) -> None:
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, REPLY)
    assert cache.get(REQUEST) == REPLY
    assert ReplyCache(tmp_path / "replies", "openai").get(REQUEST) == REPLY


def test_what_goes_back_to_the_provider_as_it_was_comes_back_so(cache: ReplyCache) -> None:
    native = (
        {"type": "reasoning", "summary": [], "encrypted_content": "hidden"},
        {"actions": [{"x": 1, "keys": None}]},
    )
    cache.put(REQUEST, replace(REPLY, native=native))
    assert cache.get(REQUEST).native == native


@pytest.mark.parametrize(
    "change",
    [
        {"model": "model-2"},
        {"messages": (Message("user", (Text("What is on it?"), Image(b"other picture"))),)},
        {"messages": (Message("user", (Image(b"picture"), Text("What is on it?"))),)},
        {"tools": ({"name": "modify_text", "description": "", "parameters": {}},)},
        {"stop": ("\n",)},
        {"temperature": 0.5},
        {"temperature": None},
        {"seed": 2},
        {"max_tokens": 7},
        {"grammar": "root ::= 'a'"},
        {"more": {"truncation": "auto"}},
        {"messages": (Message("user", (Text("What is on it?"), Image(b"picture")), ({"type": "x"},)),)},
    ],
    ids=str,
)
def test_another_request_has_another_reply(cache: ReplyCache, change: dict[str, Any]) -> None:
    cache.put(REQUEST, REPLY)
    assert cache.get(replace(REQUEST, **change)) is None


def test_another_server_has_other_replies(cache: ReplyCache, tmp_path: Path) -> None:
    cache.put(REQUEST, REPLY)
    assert ReplyCache(tmp_path / "replies", "openai http://127.0.0.1:8000/v1").get(REQUEST) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"schema": 0}', b'{"schema": 1, "reply": {}}', b"\xff\xfe"])
def test_a_damaged_file_is_asked_for_again_and_replaced(cache: ReplyCache, tmp_path: Path, damage: bytes) -> None:
    cache.put(REQUEST, REPLY)
    (file,) = (tmp_path / "replies").glob("*/*.json")
    file.write_bytes(damage)
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, REPLY)
    assert cache.get(REQUEST) == REPLY


def test_what_was_asked_is_not_kept_but_by_its_hash(cache: ReplyCache, tmp_path: Path) -> None:
    cache.put(REQUEST, REPLY)
    (file,) = (tmp_path / "replies").glob("*/*.json")
    assert b"What is on it?" not in file.read_bytes()
