"""From a provider's name to a client, and which key goes where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.kit.files.installation import declared
from harness.models import keys
from harness.models.client import MissingExtra, RequestRefused
from harness.models.keys import OTHER_KEY
from harness.models.providers.provider_table import HOSTS, PROVIDERS, make_client
from tests.models.dialects import DIALECTS, ask, each_dialect
from tests.models.servers import Server

PROJECT = Path(__file__).parents[3]
KEY = "sk-test-0123456789"


@pytest.fixture(autouse=True)
def _no_keys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(keys, "_known", set())
    for name in {*HOSTS.values(), OTHER_KEY, "MY_KEY"}:
        monkeypatch.delenv(name, raising=False)


def sent_key(dialect, **more):
    """The key that a server on loopback is sent."""
    with Server([dialect.reply("x")]) as server:
        client = make_client(dialect.name, base_url=server.url + dialect.path, **more)
        client.complete(ask(), timeout=30)
        client.close()
    headers = server.requests[0].headers
    return headers.get("x-goog-api-key") or headers["authorization"].removeprefix("Bearer ")


@each_dialect
def test_a_client_can_be_made_for_each_provider(dialect, monkeypatch):
    monkeypatch.setenv(PROVIDERS[dialect.name].key_name, KEY)
    assert isinstance(make_client(dialect.name, base_url=None, api_key_env=None), dialect.make)


@each_dialect
def test_a_missing_key_says_where_to_put_it(dialect):
    with pytest.raises(RequestRefused, match=f"{PROVIDERS[dialect.name].key_name} is not set: export it"):
        make_client(dialect.name)


@each_dialect
def test_a_named_key_is_sent_to_a_server_of_ones_own(dialect, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    assert sent_key(dialect, api_key_env="MY_KEY") == KEY


@each_dialect
def test_a_providers_key_is_sent_to_no_other_server(dialect, monkeypatch):
    monkeypatch.setenv(PROVIDERS[dialect.name].key_name, KEY)
    assert sent_key(dialect) == "none"


@each_dialect
def test_another_servers_key_has_a_variable_of_its_own(dialect, monkeypatch):
    monkeypatch.setenv(OTHER_KEY, KEY)
    assert sent_key(dialect) == KEY


@pytest.mark.parametrize("host", HOSTS)
def test_a_well_known_server_needs_its_own_key(host):
    with pytest.raises(RequestRefused, match=f"{HOSTS[host]} is not set"):
        make_client("openai", base_url=f"https://{host}/v1")


def test_a_key_that_is_named_must_be_there():
    with pytest.raises(RequestRefused, match="MY_KEY is not set"):
        make_client("openai", base_url="http://127.0.0.1:1/v1", api_key_env="MY_KEY")


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8000", "ftp://host/v1", "http://", "http://host:port/v1", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(RequestRefused, match="is not an address such as http"):
        make_client("openai", base_url=address)


@pytest.mark.parametrize("address", ["https://me:secret@host/v1", "ftp://me:secret@host", "https://host/v1?key=secret"])
def test_an_address_with_a_secret_is_refused_without_being_repeated(address):
    with pytest.raises(RequestRefused, match="keys go into an environment variable") as caught:
        make_client("openai", base_url=address)
    assert "secret" not in str(caught.value)


def test_an_unknown_provider_is_told_the_known_ones():
    with pytest.raises(
        RequestRefused,
        match="no provider is named 'acme': choose one of openai, openai-responses, anthropic, google, local",
    ):
        make_client("acme")


def test_a_model_in_the_process_has_no_address():
    with pytest.raises(RequestRefused, match="has no address and no key"):
        make_client("local", base_url="http://127.0.0.1:1")


@pytest.mark.parametrize("name", [dialect.name for dialect in DIALECTS])
@pytest.mark.parametrize("missing", ["the library", "the library for HTTP"])
def test_a_library_that_is_not_installed_says_how_to_install_it(name, missing, monkeypatch):
    provider = PROVIDERS[name]
    monkeypatch.setenv(provider.key_name, KEY)
    module = provider.client.partition(":")[0]
    monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(sys.modules, "harness.models.providers.session")
    gone = {"google": "google.genai"}.get(name, name) if missing == "the library" else "httpx2"
    monkeypatch.setitem(sys.modules, gone, None)
    with pytest.raises(
        MissingExtra, match=rf"{provider.package} is not installed; .* pip install .*\[{provider.extra}\]"
    ):
        make_client(name)


def test_the_extras_that_errors_name_exist_and_have_the_package():
    for provider in PROVIDERS.values():
        assert any(each.startswith(f"{provider.package}>=") for each in declared()[provider.extra])


def test_no_library_of_a_provider_is_imported_before_it_is_asked_for():
    code = "import sys, harness.models.providers.provider_table; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    imported = done.stdout.split()
    assert "harness.models.providers.provider_table" in imported
    assert {"openai", "anthropic", "google.genai", "httpx2"}.isdisjoint(imported)
