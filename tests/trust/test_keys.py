"""Keys of providers: what a provider repeats is not kept, and none goes through the network in the open."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from harness.models import keys
from harness.models.cache import ReplyCache
from harness.models.client import RequestRefused
from harness.models.ledger import Ledger
from harness.models.messages import Message, Reply, Request, Text, ToolCall, Usage
from harness.models.presets import WrongPreset, resolve
from harness.models.providers.provider_table import HOSTS, check_address, make_client, open_road
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for

KEY = "sk-a-key-that-nobody-else-has"
REQUEST = Request("m", (Message("user", (Text("what is your key?"),)),))


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr(keys, "_known", set())
    monkeypatch.setenv("TRUST_TEST_KEY", KEY)
    assert keys.key("TRUST_TEST_KEY") == KEY


class Repeats:
    """A provider that sends back what it was sent, in every place that it has."""

    def complete(self, _request: Request, *, timeout: float) -> Reply:
        assert timeout
        call = ToolCall(KEY, KEY, {f"name {KEY}": [{"deep": f"it is {KEY}."}]}, malformed=KEY, signature=KEY)
        return Reply(f"***bold*** {KEY}", (call,), Usage(1, 1), finish=KEY, model=KEY, note=KEY, thought=KEY)


class Waiter:
    def waiting(self):
        return nullcontext()

    def stop_at(self, which: str):
        raise AssertionError(which)


def test_a_key_that_a_provider_repeats_is_in_no_reply_that_is_handed_on_or_kept(tmp_path):
    service = ModelService(
        Repeats,
        price=None,
        tokens=tokens_for("m", "openai"),
        ledger=Ledger(tmp_path / "ledger.jsonl"),
        cache=ReplyCache(tmp_path / "replies", "openai"),
    )
    reply = service.complete(REQUEST, Waiter(), where="T/0").reply
    assert reply.text == "***bold*** [key]"
    assert reply.tool_calls[0].arguments == {"name [key]": [{"deep": "it is [key]."}]}
    assert KEY not in repr(reply)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) == 2
    assert not any(KEY in file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize("host", [*HOSTS, "API.OPENAI.COM", "api.openai.com.", "api.openai.com:80"])
def test_plain_http_to_a_well_known_provider_is_refused(host, monkeypatch):
    address = f"http://{host}/v1"
    for name in HOSTS.values():
        monkeypatch.setenv(name, KEY)
    with pytest.raises(RequestRefused, match="https://"):
        check_address(address)
    with pytest.raises(RequestRefused, match="https://"):
        make_client("openai", base_url=address)
    with pytest.raises(WrongPreset, match="https://"):
        resolve("gpt-4o", {"base_url": address})
    check_address(address.replace("http:", "https:"))


@pytest.mark.parametrize(
    "host", ["example.org", "10.0.0.7:8000", "192.168.1.2", "[2001:db8::1]", "127.0.0.1.example.org"]
)
def test_plain_http_to_another_machine_is_warned_about(host):
    assert "no https" in open_road(f"http://{host}/v1")
    assert not open_road(f"https://{host}/v1")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "127.9.9.9", "localhost", "[::1]:8000", "model.localhost"])
def test_plain_http_on_this_machine_is_no_matter(host):
    assert not open_road(f"http://{host}/v1")
