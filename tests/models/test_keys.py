"""Keys: where they come from, and that they stay out of texts."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from harness.models import keys
from harness.models.client import RequestRefused

KEY_WITH_SIGNS = "sk/test+secret=012~345"
SECRET = "sk-test-secret-0123456789"  # noqa: S105 - nobody's


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("A_KEY", raising=False)
    monkeypatch.setattr(keys, "_known", set())


def test_a_key_comes_from_the_environment_before_the_file(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("A_KEY=from-the-file\n", encoding="utf-8")
    assert keys.key("A_KEY") == "from-the-file"
    monkeypatch.setenv("A_KEY", f"  {SECRET}\n")
    assert keys.key("A_KEY") == SECRET


@pytest.mark.parametrize("line", ['A_KEY="a$b{c}"', "export A_KEY=a$b{c}", "A_KEY = 'a$b{c}' # mine"])
def test_the_file_is_read_as_shells_write_it_and_nothing_in_it_is_replaced(tmp_path, line):
    (tmp_path / ".env").write_text(f"OTHER=1\n{line}\n", encoding="utf-8")
    assert keys.key("A_KEY") == "a$b{c}"


def test_a_key_that_is_nowhere_says_where_to_put_it():
    with pytest.raises(RequestRefused, match=r"A_KEY is not set: export it, or write A_KEY=\.\.\. into .*\.env"):
        keys.key("A_KEY")
    assert keys.optional_key("A_KEY") is None


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "“quoted”"])
def test_what_cannot_be_a_key_is_refused_without_being_repeated(monkeypatch, value):
    monkeypatch.setenv("A_KEY", value)
    with pytest.raises(RequestRefused, match="A_KEY holds spaces, line breaks") as caught:
        keys.key("A_KEY")
    assert value not in str(caught.value)


def test_keys_that_were_read_are_taken_out_of_texts(monkeypatch):
    assert keys.redact(f"Bearer {SECRET}") == f"Bearer {SECRET}"
    monkeypatch.setenv("A_KEY", SECRET)
    monkeypatch.setenv("LONGER_KEY", f"{SECRET}-and-more")
    keys.key("A_KEY")
    keys.key("LONGER_KEY")
    assert keys.redact(f"Bearer {SECRET}, {SECRET}-and-more.") == "Bearer [key], [key]."


@pytest.mark.parametrize(
    ("name", "value", "is_key"),
    [
        ("AGENT_MODEL", "gpt-6-luna-2026-01-31", False),
        ("AGENT_MODEL", "meta-llama/Llama-3.3-70B-Instruct", False),
        ("AGENT_MODEL", "skywork-reward-0123456789", False),
        ("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1", False),
        ("MAX_TOKENS", "1000000000", False),
        ("AGENT_TOKEN", "by its name", True),
        ("AGENT_SETTING", SECRET, True),
        ("AGENT_SETTING", "postgres://me:word@host.example/x", True),
        ("AGENT_SETTING", "c29tZWJvZHkncyBrZXk0MiE9", True),
        ("AGENT_SETTING", "eyJhbGciOiJIUzI1NiJ9.e30.abc", True),
    ],
)
def test_a_setting_is_taken_out_of_texts_if_its_name_or_form_is_that_of_a_key(monkeypatch, name, value, is_key):
    monkeypatch.setenv(name, value)
    assert keys.setting(name) == value
    assert keys.redact(value) == ("[key]" if is_key else value)


@pytest.mark.claim("key-cut-out")
@pytest.mark.parametrize("before", ["", "k", "id", "user:"])
@pytest.mark.parametrize("behind", ["", ":x", "?"])
def test_a_key_in_base64_is_taken_out_wherever_it_stands_in_what_was_encoded(monkeypatch, before, behind):
    monkeypatch.setenv("A_KEY", KEY_WITH_SIGNS)
    keys.key("A_KEY")
    data = f"{before}{KEY_WITH_SIGNS}{behind}".encode()
    for code in (base64.b64encode, base64.urlsafe_b64encode):
        for digits in (code(data).decode(), code(data).decode().rstrip("=")):
            told = keys.without_keys(f'{{"auth": "{digits}"}} and so on')
            assert "[key]" in told
            assert told.endswith('"} and so on')
            left = told.split('"')[3]
            # What is left are digits of what stood around it.
            assert len(left) - len("[key]") <= 4 * (-(-len(before) // 3) + -(-len(behind) // 3))


@pytest.mark.parametrize(
    "spelled",
    [
        quote(KEY_WITH_SIGNS, safe=""),
        quote(quote(KEY_WITH_SIGNS, safe=""), safe=""),
        "".join(f"%{ord(sign):02X}" for sign in KEY_WITH_SIGNS),
        "".join(f"%{ord(sign):02x}" for sign in KEY_WITH_SIGNS),
    ],
)
def test_a_key_that_is_percent_encoded_is_taken_out(monkeypatch, spelled):
    monkeypatch.setenv("A_KEY", KEY_WITH_SIGNS)
    keys.key("A_KEY")
    assert keys.without_keys(f"/v1?key={spelled}&model=100%25") == "/v1?key=[key]&model=100%25"


def test_keys_that_a_provider_masked_are_taken_out_of_texts():
    assert keys.redact("Incorrect key provided: sk-ab*********wxyz. **Bold** stays.") == (
        "Incorrect key provided: [key]. **Bold** stays."
    )


def test_a_short_word_is_no_key(monkeypatch):
    monkeypatch.setenv("A_KEY", "none")
    keys.key("A_KEY")
    assert keys.redact("none of it") == "none of it"


def test_a_long_text_is_read_once():
    text = "x" * 3_000_000  # To look from each letter to the end would take days.
    assert keys.redact(text) == text
