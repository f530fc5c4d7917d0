"""The vocabularies of models: where they are kept, and how they get there.

tiktoken needs the vocabulary of a model's encoding. It is kept in the user's cache and is never fetched in passing.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tiktoken

from harness.catalog.mirror.building.packages import Packages, Unavailable
from harness.kit.errors import UserError
from harness.kit.files.installation import to_type
from harness.kit.files.writing import cache_folder, write_bytes

FETCH = to_type("setup tokens", "fetch")
"""What to type to get the vocabularies."""


@dataclass(frozen=True)
class Vocabulary:
    """A vocabulary of tiktoken.

    Attributes:
        name: What it is called here.
        file: The name that tiktoken gives it in its cache: SHA-1 of the address from which it would load it.
        sha256: Of the file, as tiktoken 0.14 itself checks it.
        encoding: tiktoken's name of the encoding; empty if it is the same.
    """

    name: str
    file: str
    sha256: str
    encoding: str = ""

    @property
    def tiktoken_name(self) -> str:
        """The name of the encoding in tiktoken."""
        return self.encoding or self.name


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
    # GPT-2's, by which TurkingBench counts the lengths of its prompts. tiktoken's own "gpt2" has the same tokens, ranks
    # and pattern, and wants them as two other files.
    Vocabulary(
        "gpt2",
        "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        "r50k_base",
    ),
)
CARRIER = ("npm", "tiktoken", "1.0.22")
"""A published package (MIT) that carries the vocabularies; they are put back into tiktoken's form byte for byte."""


class VocabularyError(UserError):
    """A vocabulary that cannot be had or is not what it should be; the message says what to do."""


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
        inside = f"encoders/{vocabulary.tiktoken_name}.json"
        try:
            ranks = _ranks(json.loads(files[inside])["bpe_ranks"])
        except (LookupError, ValueError, TypeError) as error:
            raise VocabularyError(f"{CARRIER[1]} {CARRIER[2]} holds no vocabulary in {inside}") from error
        yield _keep(vocabulary, ranks, f"{inside} of {CARRIER[1]} {CARRIER[2]}")


def take(folder: Path) -> Iterator[Path]:
    """Take the files ``<tiktoken's name>.tiktoken`` of all vocabularies from a folder into the user's cache.

    Raises:
        VocabularyError: If one is not there, or not the one that tiktoken uses.
    """
    for vocabulary in VOCABULARIES:
        file = folder / f"{vocabulary.tiktoken_name}.tiktoken"
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


@functools.cache
def _sha256(file: Path, changed: int) -> str:  # noqa: ARG001 - a changed file is looked at again
    return hashlib.sha256(file.read_bytes()).hexdigest()


@functools.cache
def encoding_of(vocabulary: Vocabulary) -> tiktoken.Encoding:
    """What counts by a vocabulary.

    Raises:
        VocabularyError: If it is not in the cache.
    """
    file = find(vocabulary)
    if file is None:
        raise VocabularyError(f"the vocabulary {vocabulary.name} is gone from the cache; fetch it again: {FETCH}")
    # tiktoken reads only what its own check sum fits, from the folder that this variable names: no way to the network.
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(file.parent)
    try:
        return tiktoken.get_encoding(vocabulary.tiktoken_name)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
