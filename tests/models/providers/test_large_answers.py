"""An answer of a provider is read as far as any answer goes."""

from __future__ import annotations

import gzip
import json

import pytest

from harness.models.client import Retryable
from harness.models.messages import Message, Request, Text
from harness.models.providers.openai_client import OpenAIClient
from harness.models.providers.session import MOST_BYTES
from tests.models.servers import Answer, Server, openai_reply

REQUEST = Request("m", (Message("user", (Text("?"),)),))


@pytest.mark.claim("reply-size")
@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_without_end_is_not_read_to_its_end(status):
    large = Answer(b" " * (MOST_BYTES + 1), status=status, promised=2**40)
    with Server([large]) as server, pytest.raises(Retryable, match="larger than 16,777,216 bytes"):
        OpenAIClient(f"{server.url}/v1").complete(REQUEST, timeout=30)


@pytest.mark.claim("reply-size")
def test_an_answer_that_is_packed_is_not_unpacked():
    reply = openai_reply("x" * 1_000_000)
    packed = Answer(gzip.compress(reply.body), headers={"Content-Encoding": "gzip"})
    with Server([packed]) as server, pytest.raises(Retryable, match="cannot be read"):
        OpenAIClient(f"{server.url}/v1").complete(REQUEST, timeout=30)
    (asked,) = server.requests
    assert asked.headers["accept-encoding"] == "identity"
    assert len(json.loads(reply.body)["choices"]) == 1
