"""What a list says of each task beside its words, found once, in the user's cache: numbers, kinds, a picture."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.catalog.task import media_files
from harness.kit.files import codec
from harness.kit.files.writing import cache_folder, write_bytes, write_json

VERSION = "1"
"""Raised when pictures or numbers come to be made in another way."""
_FILES = ("template.html", "batch.csv", "task.json")


@dataclass(frozen=True)
class KnownCard:
    """What is known of a task.

    Attributes:
        instances: How many instances it has; 0 without a table.
        kinds: Kind of field -> how many the first page has; empty for a task on a website.
        looked: Whether a browser has looked at the first page, or tried to.
        why: Why there is no picture although one did; empty if there is one.
    """

    instances: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    looked: bool = False
    why: str = ""

    @property
    def fields(self) -> int:
        """How many fields the first page has."""
        return sum(self.kinds.values())


def card_key(folder: Path) -> str:
    """The name under which a task's card is kept: another as soon as a file of the task changes.

    Args:
        folder: Of the task. Its files are not read: place, size and time of change say enough.
    """
    stamps = [VERSION, str(folder.absolute())]
    for file in (*(folder / name for name in _FILES), *media_files(folder)):
        with contextlib.suppress(OSError):
            stat = file.stat()
            stamps.append(f"{file.name} {stat.st_mtime_ns} {stat.st_size}")
    return hashlib.sha256("\n".join(stamps).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def find_card(key: str) -> KnownCard | None:
    """What is known of a task; None if nothing is yet.

    Args:
        key: Of the task, by ``card_key``.
    """
    try:
        return codec.decode(_file(key, "json").read_bytes(), KnownCard)
    except (OSError, codec.Malformed):
        return None


def find_picture(key: str) -> bytes | None:
    """The picture of a task's first page, as WebP; None if there is none."""
    try:
        return _file(key, "webp").read_bytes()
    except OSError:
        return None


def keep_card(key: str, card: KnownCard, picture: bytes | None = None) -> None:
    """Keep what was found.

    Args:
        key: Of the task, by ``card_key``.
        card: What is known of it.
        picture: Of its first page, as WebP; None for none.

    Raises:
        OSError: the cache cannot be written.
    """
    if picture is not None:
        write_bytes(_file(key, "webp"), picture)
    write_json(_file(key, "json"), codec.plain(card))


def _file(key: str, kind: str) -> Path:
    return cache_folder() / "task-cards" / f"{key}.{kind}"
