"""Keys of providers: what a provider repeats is not kept, and none goes through the network in the open."""

from __future__ import annotations

import os
from contextlib import nullcontext
from urllib.parse import urlsplit

import pytest

from harness.models import keys
from harness.models.accounts import ReplyCache
from harness.models.client import RequestRefused
from harness.models.ledger import Ledger
from harness.models.messages import Message, Reply, Request, Text, ToolCall, Usage
from harness.models.presets import WrongPreset, resolve
from harness.models.providers.provider_table import HOSTS, PROVIDERS, check_address, make_client
from harness.models.providers.surroundings import open_road, proxy_of
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from harness.records.directory import RunDirectory
from tests.models.dialects import ask, each_dialect
from tests.models.servers import Server
from tests.solvers.runs import evaluate, make_pages

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
    def waiting(self, _asked):
        return nullcontext()

    def stop_at(self, which: str):
        raise AssertionError(which)


@pytest.mark.claim("key-cut-out")
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


@pytest.mark.claim("plain-http")
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


@pytest.mark.claim("plain-http")
@pytest.mark.parametrize(
    "host", ["example.org", "10.0.0.7:8000", "192.168.1.2", "[2001:db8::1]", "127.0.0.1.example.org"]
)
def test_plain_http_to_another_machine_is_warned_about(host):
    assert "no https" in open_road(f"http://{host}/v1")
    assert not open_road(f"https://{host}/v1")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "127.9.9.9", "localhost", "[::1]:8000", "model.localhost"])
def test_plain_http_on_this_machine_is_no_matter(host):
    assert not open_road(f"http://{host}/v1")


# ---- what the environment says of the way ---------------------------------------------------------------------------

ELSEWHERE = "http://127.0.0.1:9"
OF_LIBRARIES = {
    "OPENAI_BASE_URL": ELSEWHERE,
    "ANTHROPIC_BASE_URL": ELSEWHERE,
    "GOOGLE_GEMINI_BASE_URL": ELSEWHERE,
    "OPENAI_ORG_ID": "foreign-word",
    "OPENAI_PROJECT_ID": "foreign-word",
    "ANTHROPIC_CUSTOM_HEADERS": "x-extra: foreign-word",
    "ANTHROPIC_AUTH_TOKEN": "foreign-word",
    "GOOGLE_API_KEY": "foreign-word",
}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture
def _misled(monkeypatch):
    """An environment of which the libraries would take other servers, headers and keys, and that has a proxy."""
    for name, value in OF_LIBRARIES.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in PROXIES:
        monkeypatch.setenv(name, ELSEWHERE)


@pytest.mark.claim("provider-variables")
@each_dialect
@pytest.mark.usefixtures("_misled")
def test_where_calls_go_and_with_what_is_not_taken_from_variables_of_the_libraries(dialect, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    with Server([dialect.reply("x")]) as server:
        client = make_client(dialect.name, base_url=server.url + dialect.path, api_key_env="MY_KEY")
        assert client.complete(ask(), timeout=30).text == "x"
        client.close()
    (asked,) = server.requests
    assert "foreign-word" not in " ".join(asked.headers.values())
    assert all(name in os.environ for name in OF_LIBRARIES)


@pytest.mark.claim("provider-variables")
@each_dialect
@pytest.mark.usefixtures("_misled")
def test_a_provider_s_own_address_is_not_taken_from_the_environment(dialect, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    client = make_client(dialect.name, api_key_env="MY_KEY")
    library = client._session.library()
    options = getattr(library, "_api_client", None)
    address = options._http_options.base_url if options else library.base_url
    assert urlsplit(str(address)).hostname == urlsplit(PROVIDERS[dialect.name].address).hostname
    client.close()


@pytest.mark.claim("proxy-told")
@pytest.mark.parametrize(
    ("address", "proxy", "told"),
    [
        ("https://api.openai.com/v1", "http://me:secret@proxy.example:3128/", "http://proxy.example:3128"),
        ("https://api.openai.com/v1", "proxy.example:3128", "http://proxy.example:3128"),
        ("https://api.openai.com/v1", "", ""),
        ("https://inside.example/v1", "http://proxy.example:3128", ""),
        ("http://127.0.0.1:8000/v1", "http://proxy.example:3128", ""),
        ("http://localhost:8000/v1", "http://proxy.example:3128", ""),
    ],
)
def test_a_proxy_is_told_without_its_password_where_it_is_used(address, proxy, told, monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_of(address) == told


@pytest.mark.slow
@pytest.mark.claim("proxy-told")
@pytest.mark.usefixtures("own_cache")
def test_a_proxy_on_the_way_to_a_model_is_said_and_recorded(tmp_path, monkeypatch, capsys):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://me:secret@proxy.example:3128")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("SCRIPTED_CALLS", str(tmp_path / "calls"))
    make_pages(tmp_path / "tasks", 1)
    evaluate(tmp_path / "tasks", tmp_path / "run")
    assert RunDirectory(tmp_path / "run").read().solver["proxy"] == "http://proxy.example:3128"
    said = capsys.readouterr().err
    assert "calls of the model go through the proxy http://proxy.example:3128" in said
    assert "secret" not in said
