"""Tokens are counted exactly, or by an estimate that says so; vocabularies are fetched when asked for only."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness.catalog.mirror.building.packages import Package, Unavailable
from harness.cli.commands.setup import tokens as command
from harness.kit import picture
from harness.models.messages import Image, Message, Request, Text, ToolCall, ToolResult
from harness.models.tokens import counting, vocabulary
from harness.models.tokens.counting import count, counter, gemini_tiles, rule_for, tokens_for
from harness.models.tokens.vocabulary import FETCH, Vocabulary, VocabularyError, fetch, find, take
from tests.needs import TOKENS, needs

FETCHED = {each.name: find(each) for each in vocabulary.VOCABULARIES}

RANKS = b"".join(
    base64.b64encode(word) + f" {rank}\n".encode() for rank, word in enumerate([b"a", b"b", b"ab", b"\xff"])
)
"""A small vocabulary in tiktoken's form."""

PACKED = "! 0 YQ== Yg==\n! 2 YWI= /w=="
"""The same as packages carry it."""


@dataclass
class Shelf:
    """Packages that need no network."""

    files: Mapping[str, bytes]
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def get(self, registry: str, name: str, version: str) -> Package:
        self.asked.append((registry, name, version))
        return Package(registry, name, version, self.files)


class Offline:
    """No package can be had."""

    def get(self, registry: str, name: str, version: str) -> Package:
        raise Unavailable(f"{registry} is not installed, so there is no {name} {version}")


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    return tmp_path / "turkbench" / "tiktoken"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Vocabulary:
    """In place of the real vocabularies, one of four tokens."""
    small = Vocabulary("o200k_base", "a-file", hashlib.sha256(RANKS).hexdigest())
    for module in (vocabulary, counting, command):
        monkeypatch.setattr(module, "VOCABULARIES", (small,))
    return small


def packed(ranks: str = PACKED) -> Mapping[str, bytes]:
    return {"encoders/o200k_base.json": json.dumps({"bpe_ranks": ranks}).encode()}


# ---- without a vocabulary --------------------------------------------------------------------------------------


def test_without_a_vocabulary_counts_are_estimates_by_name(empty_cache: Path) -> None:
    counter = tokens_for("gpt-4o")
    assert (counter.name, counter.exact) == ("estimate (UTF-8 bytes / 3)", False)
    assert counter.text("") == 0
    assert counter.text("abcdefg") == 3
    assert counter.text("中文") == 2
    assert counter.text("\ud800") == 1
    assert "python -m harness setup tokens fetch" in counter.advice
    assert not empty_cache.exists()


# ---- fetching ---------------------------------------------------------------------------------------------------


def test_a_vocabulary_is_unpacked_byte_for_byte_as_tiktoken_wants_it(empty_cache: Path, small: Vocabulary) -> None:
    shelf = Shelf(packed())
    assert list(fetch(shelf)) == [empty_cache / "a-file"]
    assert (empty_cache / "a-file").read_bytes() == RANKS
    assert shelf.asked == [("npm", "tiktoken", "1.0.22")]
    assert find(small) == empty_cache / "a-file"


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (packed("! 0 YQ== Yg==\n! 2 YWI= /g=="), "is not the vocabulary o200k_base"),
        (packed("nonsense"), "holds no vocabulary"),
        ({"encoders/o200k_base.json": b"<html>"}, "holds no vocabulary"),
        ({}, "holds no vocabulary"),
    ],
    ids=["another vocabulary", "no ranks", "no JSON", "no file"],
)
@pytest.mark.usefixtures("small")
def test_what_is_not_the_vocabulary_is_not_kept(empty_cache: Path, files: Mapping[str, bytes], complaint: str) -> None:
    with pytest.raises(VocabularyError, match=complaint):
        list(fetch(Shelf(files)))
    assert not empty_cache.exists()


def test_a_package_that_cannot_be_had_is_named_with_the_reason() -> None:
    with pytest.raises(VocabularyError, match=r"the package tiktoken \(npm\) cannot be had: npm is not installed"):
        list(fetch(Offline()))


def test_a_vocabulary_can_be_brought_by_hand(
    empty_cache: Path, small: Vocabulary, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "o200k_base.tiktoken").write_bytes(RANKS)
    assert command.main(["fetch", "--from", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{empty_cache / small.file}\n"
    assert command.main(["status"]) == 0
    assert capsys.readouterr().out == f"o200k_base: {empty_cache / small.file}\n"


@pytest.mark.usefixtures("empty_cache", "small")
def test_the_command_says_what_to_do_if_it_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["status"]) == 0
    assert f"not there; {FETCH}" in capsys.readouterr().out
    assert command.main(["fetch", "--from", str(tmp_path)]) == 1
    assert "there is no file" in capsys.readouterr().err


def test_a_damaged_vocabulary_is_as_good_as_none(empty_cache: Path, small: Vocabulary) -> None:
    empty_cache.mkdir(parents=True)
    (empty_cache / small.file).write_bytes(RANKS[:-1])
    assert find(small) is None


def test_a_vocabulary_of_tiktokens_own_cache_is_used(
    empty_cache: Path, small: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / small.file).write_bytes(RANKS)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert find(small) == tmp_path / small.file
    assert tokens_for("gpt-4o").exact
    assert not empty_cache.exists()


# ---- with the real vocabularies -----------------------------------------------------------------------------------

fetched = needs(TOKENS)


@fetched
@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("gpt-4o-2024-08-06", "openai", "o200k_base"),
        ("gpt-4.1", "openai", "o200k_base"),
        ("gpt-4-turbo-preview", "openai", "cl100k_base"),
        ("gpt-4-vision-preview", "openai", "cl100k_base"),
        ("claude-sonnet-5-5", "anthropic", "o200k_base (stand-in)"),
        ("gpt-4o", "anthropic", "o200k_base (stand-in)"),
        ("Qwen/Qwen2.5-VL-7B-Instruct", "openai", "o200k_base (stand-in)"),
        ("text-davinci-003", "openai", "o200k_base (stand-in)"),
    ],
)
def test_a_model_is_counted_with_its_own_vocabulary_or_a_stand_in_that_says_so(
    model: str, provider: str, name: str
) -> None:
    counter = tokens_for(model, provider)
    assert counter.name == name
    assert counter.exact == ("stand-in" not in name)
    assert counter.text("hello world") == 2


@fetched
@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    # The examples of OpenAI's Cookbook, "How to count tokens with tiktoken".
    [("antidisestablishmentarianism", 6, 6), ("2 + 2 = 4", 7, 7), ("お誕生日おめでとう", 9, 8), ("", 0, 0)],
)
def test_counts_are_the_published_ones(text: str, cl100k: int, o200k: int) -> None:
    assert (count(text, "gpt-4"), count(text, "gpt-4o")) == (cl100k, o200k)


@fetched
@pytest.mark.parametrize(
    ("text", "tokens"),
    # The same examples, by the vocabulary of GPT-2 (r50k_base).
    [("antidisestablishmentarianism", 5), ("2 + 2 = 4", 5), ("お誕生日おめでとう", 14), ("", 0), ("<|endoftext|>", 7)],
)
def test_texts_are_counted_by_the_vocabulary_of_gpt_2(text: str, tokens: int) -> None:
    assert counter("gpt2")(text) == tokens


@pytest.mark.usefixtures("empty_cache")
def test_a_count_by_a_vocabulary_is_never_an_estimate() -> None:
    with pytest.raises(VocabularyError, match=r"the vocabulary gpt2 is not in the cache; fetch it: .*python -m"):
        counter("gpt2")
    with pytest.raises(VocabularyError, match="no vocabulary 'gpt3'; there are o200k_base, cl100k_base, gpt2"):
        counter("gpt3")


def test_a_vocabulary_can_have_another_name_in_tiktoken(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = Vocabulary("small", "a-file", hashlib.sha256(RANKS).hexdigest(), "o200k_base")
    monkeypatch.setattr(vocabulary, "VOCABULARIES", (named,))
    assert list(fetch(Shelf(packed()))) == [empty_cache / "a-file"]
    (empty_cache / "a-file").unlink()
    (tmp_path / "o200k_base.tiktoken").write_bytes(RANKS)
    assert list(take(tmp_path)) == [empty_cache / "a-file"]
    assert find(named) is not None


@fetched
def test_a_marker_that_stands_on_a_page_is_text() -> None:
    assert count("<|endoftext|>", "gpt-4") > 1


@fetched
@pytest.mark.parametrize("text", [" " * 300_000, "a" * 300_000, "\n<" * 100_000], ids=["spaces", "a word", "brackets"])
def test_a_hostile_page_is_counted_soon(text: str) -> None:
    assert 0 < count(text, "gpt-4o") <= len(text)


# ---- requests and pictures ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("empty_cache")
def test_a_request_counts_all_that_is_sent() -> None:
    counter = tokens_for("gpt-4o")
    png = picture_of(600, 600)
    bare = Request("gpt-4o", (Message("user", (Text("abc"),)),))
    assert counter.request(bare) == 1 + 4 + 3
    with_tools = Request("gpt-4o", bare.messages, tools=({"name": "finish", "description": "", "parameters": {}},))
    assert counter.request(with_tools) > counter.request(bare) + 10
    shown = Message("tool", (ToolResult("1", "abcdef", (Image(png),)),))
    assert counter.message(shown) == 4 + 2 + counter.picture(600, 600)
    called = Message("assistant", (ToolCall("1", "abc", {"name": "x" * 300}),))
    assert counter.message(called) > 100


@pytest.mark.parametrize(
    ("model", "provider", "size", "count"),
    [
        # The examples of OpenAI's guide.
        ("gpt-4o", "openai", (1024, 1024), 765),
        ("gpt-4o", "openai", (2048, 4096), 1105),
        ("gpt-4-vision-preview", "openai", (512, 512), 255),
        ("gpt-4.1-mini", "openai", (1024, 1024), 1659),
        # A public table of what providers counted for pictures of ten sizes (image-token-cost, Hugging Face, 2026).
        ("gpt-6.1-sol", "openai", (1280, 720), 1104),
        ("gpt-6.1-sol", "openai", (1920, 1080), 2448),
        ("gpt-6.1-sol", "openai", (4032, 3024), 14364),
        # The same, less the 77 and 65 tokens of the question.
        ("claude-opus-5-5", "anthropic", (1024, 1024), 1446 - 77),
        ("claude-opus-5-5", "anthropic", (1920, 1080), 2768 - 77),
        ("claude-haiku-4-5", "anthropic", (768, 768), 849 - 65),
        ("gemini-4-argon", "google", (1280, 800), 1120),
        ("gemini-1.5-pro", "google", (384, 384), 258),
    ],
)
def test_pictures_count_as_their_provider_says(model: str, provider: str, size: tuple[int, int], count: int) -> None:
    assert rule_for(model, provider).count(*size) == count


@pytest.mark.parametrize("size", [(1, 9_000), (9_000, 9_000)])
@pytest.mark.parametrize("provider", ["openai", "anthropic", "google", "local"])
def test_every_picture_has_a_count(provider: str, size: tuple[int, int]) -> None:
    for model in {"openai": ("gpt-4o", "gpt-5.5", "o1"), "google": ("gemini-2.5-pro",)}.get(provider, ("claude-2.1",)):
        assert 0 < rule_for(model, provider).count(*size) < 40_000, model


def test_a_small_picture_is_one_tile_for_gemini_2() -> None:
    assert gemini_tiles(960, 540) == 258 * 6


def picture_of(width: int, height: int) -> bytes:
    import io

    from PIL import Image as Pillow

    buffer = io.BytesIO()
    Pillow.new("RGB", (width, height)).save(buffer, format="PNG")
    assert picture.size(buffer.getvalue()) == (width, height)
    return buffer.getvalue()
