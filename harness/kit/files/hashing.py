"""Hashes of files: of the project's own code, and of some that a process is not to know."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import Protocol

from harness.kit.files.places import IMPORT_ROOT

_AT_ONCE = 1 << 18


class Digest(Protocol):
    """A hash that grows, as of ``hashlib``."""

    def update(self, data: bytearray | memoryview, /) -> None:
        """Add some bytes."""


def add_file(digest: Digest, descriptor: int) -> None:
    """Add the bytes of a file to a hash, and leave nothing of them in the memory of this process.

    Memory that is freed keeps what was in it, also in processes that are forked later: here it is wiped first.

    Args:
        digest: The hash.
        descriptor: The file, open to be read.

    Raises:
        OSError: it cannot be read.
    """
    buffer = bytearray(_AT_ONCE)
    view = memoryview(buffer)
    while read := os.readv(descriptor, [buffer]):
        digest.update(view[:read])
    buffer[:] = bytes(len(buffer))


def hash_of_code(sources: Iterable[tuple[str, str]]) -> str:
    """A hash of code of ours, by which is told whether what it has made is still what it would make.

    Args:
        sources: Folders of ``harness``, each with a pattern of file names, which some have.
    """
    digest = hashlib.sha256()
    for folder, pattern in sources:
        files = sorted((IMPORT_ROOT / "harness" / folder).glob(pattern))
        assert files, f"no file of {folder} is called {pattern}"  # noqa: S101 - else nothing would be told apart
        for file in files:
            digest.update(file.read_bytes())
    return digest.hexdigest()
