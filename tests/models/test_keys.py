"""Keys: where they come from, and that they stay out of texts."""

from __future__ import annotations

import pytest

from harness.models import keys
from harness.models.client import RequestRefused

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
