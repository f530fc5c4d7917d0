"""Counting tokens before a request is sent; and the command that fetches the vocabularies for it.

    python -m harness.models.tokens fetch
    python -m harness.models.tokens status

Texts are counted with tiktoken, which needs the vocabulary of a model's encoding. It is kept in the user's cache and is
never fetched in passing: without it a count is an estimate, and says so (``Tokens.name``). What a call really cost is
known from the provider's own count in the reply alone; these counts are for budgets and limits before it.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tiktoken
from tiktoken.model import encoding_name_for_model

from harness.errors.user import UserError
from harness.files.writing import cache_folder, write_bytes
from harness.mirror.building.packages import Packages, RegistryPackages, Unavailable
from harness.models.images import rule_for
from harness.models.messages import Image, Message, Request, Text, ToolCall, ToolResult
from harness.observe import picture

BYTES_A_TOKEN = 3
"""Of the estimate: UTF-8 bytes a token. HTML pages of the benchmark have 2.9 to 7.5 (o200k_base; median 4.1; 95 % have
more than 3.06), so that the estimate is rather too high, as a limit needs it."""

PIECE = 16_384
"""Characters that are counted at once. tiktoken takes time in the square of a long word and runs out of stack on a
million spaces; each cut adds a token at most, or two."""

MESSAGE_TOKENS, REPLY_TOKENS = 4, 3
"""What a message and the beginning of the reply add (OpenAI Cookbook, "How to count tokens with tiktoken"); others have
not published theirs."""

FETCH = "python -m harness.models.tokens fetch"


@dataclass(frozen=True)
class Vocabulary:
    """A vocabulary of tiktoken.

    Attributes:
        name: tiktoken's name of the encoding.
        file: The name that tiktoken gives it in its cache: SHA-1 of the address from which it would load it.
        sha256: Of the file, as tiktoken 0.14 itself checks it.
    """

    name: str
    file: str
    sha256: str


VOCABULARIES = (
    Vocabulary(
        "o200k_base",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    Vocabulary(
        "cl100k_base",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
)
CARRIER = ("npm", "tiktoken", "1.0.22")
"""A published package (MIT) that carries the vocabularies; they are put back into tiktoken's form byte for byte."""


class VocabularyError(UserError):
    """A vocabulary that cannot be had or is not what it should be; the message says what to do."""


@dataclass(frozen=True)
class Tokens:
    """Counts tokens for one model.

    Attributes:
        name: How texts are counted: the name of a tiktoken encoding that is the model's own; the same with
            ``(stand-in)`` where the model's own vocabulary is not public; or ``estimate (UTF-8 bytes / 3)``.
        images: How pictures are counted, see ``harness.models.images``.
        advice: What would make the count better; empty if nothing.
    """

    name: str
    images: str
    advice: str
    _count: Callable[[str], int]
    _picture: Callable[[int, int], int]

    @property
    def exact(self) -> bool:
        """Whether texts are counted with the model's own vocabulary."""
        return self.name in {vocabulary.name for vocabulary in VOCABULARIES}

    def text(self, text: str) -> int:
        """Tokens of a text."""
        return self._count(text)

    def picture(self, width: int, height: int) -> int:
        """Tokens of a picture of that many pixels, by the provider's published rule."""
        return self._picture(width, height)

    def request(self, request: Request) -> int:
        """Tokens of a whole request."""
        tools = (
            self.text(json.dumps([dict(tool) for tool in request.tools], ensure_ascii=False)) if request.tools else 0
        )
        return sum(map(self.message, request.messages)) + tools + REPLY_TOKENS

    def message(self, message: Message) -> int:
        """Tokens of one message."""
        return MESSAGE_TOKENS + sum(map(self._part, message.parts))

    def _part(self, part: Text | Image | ToolCall | ToolResult) -> int:
        match part:
            case Text():
                return self.text(part.text)
            case Image():
                return self.picture(*picture.size(part.png))
            case ToolResult():
                return self.text(part.text) + sum(map(self._part, part.images))
        return self.text(part.name) + self.text(json.dumps(dict(part.arguments), ensure_ascii=False))


def tokens_for(model: str, provider: str = "openai") -> Tokens:
    """How tokens of a model are counted; the vocabulary is loaded at the first count.

    Args:
        model: The provider's name of the model.
        provider: As in ``harness.models.providers.table``.

    Returns:
        Its counter. Nothing is fetched: where the vocabulary is not in the cache, it is an estimate by name.
    """
    own = _own_encoding(model) if provider == "openai" else None
    rule = rule_for(model, provider)
    vocabulary = next(each for each in VOCABULARIES if each.name == (own or VOCABULARIES[0].name))
    if find(vocabulary) is None:
        estimate = f"estimate (UTF-8 bytes / {BYTES_A_TOKEN})"
        return Tokens(estimate, rule.name, f"For better counts: {FETCH}", _estimate, rule.count)
    name = vocabulary.name if own else f"{vocabulary.name} (stand-in)"
    return Tokens(name, rule.name, "", functools.partial(_count, vocabulary), rule.count)


def count(text: str, model: str) -> int:
    """Tokens of a text, see ``tokens_for``."""
    return tokens_for(model).text(text)


def find(vocabulary: Vocabulary) -> Path | None:
    """The file of a vocabulary in ``TIKTOKEN_CACHE_DIR`` or in the user's cache, checked; None if there is none."""
    own = os.environ.get("TIKTOKEN_CACHE_DIR")
    for folder in [*([Path(own)] if own else []), folder_of_vocabularies()]:
        file = folder / vocabulary.file
        if file.is_file() and _sha256(file, file.stat().st_mtime_ns) == vocabulary.sha256:
            return file
    return None


def folder_of_vocabularies() -> Path:
    """Where fetched vocabularies are kept; tiktoken itself can use it as ``TIKTOKEN_CACHE_DIR``."""
    return cache_folder() / "tiktoken"


def fetch(packages: Packages) -> Iterator[Path]:
    """Get all vocabularies out of a published package into the user's cache.

    Args:
        packages: Where packages come from.

    Yields:
        Each file that was written.

    Raises:
        VocabularyError: If the package cannot be had, or a vocabulary is not the one that tiktoken uses.
    """
    try:
        files = packages.get(*CARRIER).files
    except Unavailable as error:
        raise VocabularyError(f"the package {CARRIER[1]} ({CARRIER[0]}) cannot be had: {error}") from error
    for vocabulary in VOCABULARIES:
        inside = f"encoders/{vocabulary.name}.json"
        try:
            ranks = _ranks(json.loads(files[inside])["bpe_ranks"])
        except (LookupError, ValueError, TypeError) as error:
            raise VocabularyError(f"{CARRIER[1]} {CARRIER[2]} holds no vocabulary in {inside}") from error
        yield _keep(vocabulary, ranks, f"{inside} of {CARRIER[1]} {CARRIER[2]}")


def take(folder: Path) -> Iterator[Path]:
    """Take ``o200k_base.tiktoken`` and ``cl100k_base.tiktoken`` from a folder into the user's cache.

    Raises:
        VocabularyError: If one is not there, or not the one that tiktoken uses.
    """
    for vocabulary in VOCABULARIES:
        file = folder / f"{vocabulary.name}.tiktoken"
        if not file.is_file():
            raise VocabularyError(f"there is no file {file}")
        yield _keep(vocabulary, file.read_bytes(), str(file))


def _keep(vocabulary: Vocabulary, data: bytes, source: str) -> Path:
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        raise VocabularyError(f"{source} is not the vocabulary {vocabulary.name} that tiktoken uses: nothing was kept")
    file = folder_of_vocabularies() / vocabulary.file
    write_bytes(file, data)
    return file


def _ranks(packed: str) -> bytes:
    """Turn lines of a mark, a first rank and tokens in base64 into tiktoken's lines of a token and its rank."""
    lines = []
    for line in packed.splitlines():
        _, first, *tokens = line.split(" ")
        lines += [f"{token} {rank}\n" for rank, token in enumerate(tokens, int(first))]
    return "".join(lines).encode("ascii")


def _own_encoding(model: str) -> str | None:
    """The encoding that OpenAI has published for a model, if it is one of ``VOCABULARIES``."""
    try:
        name = encoding_name_for_model(model)
    except KeyError:
        return None
    # gpt-oss's encoding has the same vocabulary, and marks of its own for the frame of a conversation.
    name = "o200k_base" if name == "o200k_harmony" else name
    return name if name in {vocabulary.name for vocabulary in VOCABULARIES} else None


@functools.cache
def _sha256(file: Path, changed: int) -> str:  # noqa: ARG001 - a changed file is looked at again
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _estimate(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def _count(vocabulary: Vocabulary, text: str) -> int:
    encoding = _encoding(vocabulary)
    return sum(len(encoding.encode_ordinary(text[start : start + PIECE])) for start in range(0, len(text), PIECE))


@functools.cache
def _encoding(vocabulary: Vocabulary) -> tiktoken.Encoding:
    file = find(vocabulary)
    if file is None:
        raise VocabularyError(f"the vocabulary {vocabulary.name} is gone from the cache; fetch it again: {FETCH}")
    # tiktoken reads only what its own check sum fits, from the folder that this variable names: no way to the network.
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(file.parent)
    try:
        return tiktoken.get_encoding(vocabulary.name)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m harness.models.tokens", description="Vocabularies for token counts."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch", help="put the vocabularies into the user's cache")
    fetching.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help="take o200k_base.tiktoken and cl100k_base.tiktoken from a folder, instead of a package that npm gets",
    )
    commands.add_parser("status", help="say which vocabularies are there")
    chosen = parser.parse_args(arguments)
    if chosen.command == "status":
        for vocabulary in VOCABULARIES:
            print(f"{vocabulary.name}: {find(vocabulary) or f'not there; {FETCH}'}")
        return 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            written = take(chosen.folder) if chosen.folder else fetch(RegistryPackages(Path(folder)))
            for file in written:
                print(file)
    except VocabularyError as error:
        print(f"{error}\nOr put the two files into a folder and use: {FETCH} --from FOLDER", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
