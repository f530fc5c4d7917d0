"""The mirror's files in the user's cache: contents under their hash, and an index that says what they are.

A file is written before the index names it, and both are written whole or not at all, so that a build may stop at any
moment: what the index names is there.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import re
import shlex
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.installation import BUNDLED_TASKS, shown_path, to_type
from harness.kit.files.writing import cache_folder, write_bytes, write_json

# Raised when the index or the rewriting of styles changes; an index of another version counts as empty.
VERSION = 1
BUILD = to_type("setup mirror", "build")
"""What to type to collect what pages ask for."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ALGORITHMS = ("sha256", "sha384", "sha512")


def building(tasks_dir: Path) -> str:
    """What to type to collect what the pages of a task set ask for: ``BUILD`` takes those that it knows of itself."""
    if tasks_dir == BUNDLED_TASKS or tasks_dir.is_relative_to(cache_folder()):
        return BUILD
    return f"{BUILD} {shlex.join(['--tasks-dir', shown_path(tasks_dir)])}"


class MirrorError(UserError):
    """The mirror cannot be read, written or built; the message is one line for the person who typed."""


@dataclass(frozen=True)
class MirroredAddress:
    """What is known of one mirrored address.

    Attributes:
        url: The address, as first seen.
        kind: script, style, font or image.
        sha256: Of the bytes that are served.
        checked: SHA-256 of the bytes as they came, before addresses in a style were rewritten.
        status: How sure it is that these are the bytes of that address: exact, same-release, near, original.
        origin: Where the bytes came from, for people.
        package: "npm:name@version" or "pypi:name@version"; "" if they came from the address itself.
        files: The files of that package which they were made of.
        licence: Of the file; "" if unknown.
        proprietary: Whether the licence forbids to pass it on.
        parts: SHA-256 of the files that a style refers to.
        missing: Addresses that a style refers to and that could not be had.
        hashes: Of the bytes as they came, as integrity attributes write them.
    """

    url: str
    kind: str
    sha256: str
    checked: str
    status: str
    origin: str
    package: str = ""
    files: tuple[str, ...] = ()
    licence: str = ""
    proprietary: bool = False
    parts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredFile:
    """A file of the store.

    Attributes:
        name: The name it is served under.
        content_type: What it is served as.
        size: In bytes.
        hashes: Its hashes as integrity attributes write them, e.g. "sha384-…".
    """

    name: str
    content_type: str
    size: int
    hashes: tuple[str, ...]


@dataclass
class Index:
    """What the store holds.

    Attributes:
        assets: `addresses.key` of an address -> what is served for it.
        files: SHA-256 -> the file.
    """

    assets: dict[str, MirroredAddress] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Index:
        """From ``to_json``.

        Raises:
            ValueError: it is none; or a file in it has another name than a hash, and could lie anywhere.
        """
        index = codec.typed({"assets": record["assets"], "files": record["files"]}, cls)
        named = {*index.files, *(sha256 for each in index.assets.values() for sha256 in (each.sha256, *each.parts))}
        if strange := next((name for name in named if not _SHA256.fullmatch(name)), None):
            raise ValueError(f"{strange!r} is no SHA-256")
        return index

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back."""
        return {
            "version": VERSION,
            "assets": {key: asdict(value) for key, value in sorted(self.assets.items())},
            "files": {key: asdict(value) for key, value in sorted(self.files.items())},
        }


def integrity_of(data: bytes) -> tuple[str, ...]:
    """Return the hashes of some bytes as integrity attributes write them (W3C Subresource Integrity)."""
    return tuple(f"{name}-{b64encode(hashlib.new(name, data).digest()).decode()}" for name in _ALGORITHMS)


def matches(integrity: str, hashes: Iterable[str]) -> bool:
    """Whether bytes with these hashes pass an integrity attribute: one of its strongest hashes has to be theirs.

    An attribute without a hash that browsers know lets everything pass, as it does there.
    """
    known = [word.partition("?")[0] for word in integrity.split() if word[:7] in {"sha256-", "sha384-", "sha512-"}]
    strongest = max((word[:7] for word in known), default="")
    return not known or any(word in hashes for word in known if word.startswith(strongest))


@dataclass(frozen=True)
class Store:
    """A folder of mirrored files."""

    folder: Path

    @classmethod
    def default(cls) -> Store:
        """Return the store in the user's cache."""
        return cls(cache_folder() / "mirror")

    @property
    def index_file(self) -> Path:
        """Where the index is."""
        return self.folder / "index.json"

    def file(self, sha256: str) -> Path:
        """Return where the bytes with a hash are."""
        return self.folder / "files" / sha256[:2] / sha256

    def read(self) -> Index:
        """Read the index; it is empty if nothing was built, or by another version.

        Raises:
            MirrorError: If it cannot be read.
        """
        try:
            record = json.loads(self.index_file.read_bytes())
            return Index.from_json(record) if record["version"] == VERSION else Index()
        except FileNotFoundError:
            return Index()
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            remedy = f"Remove {self.index_file} and run: {BUILD}"
            raise MirrorError(f"the index of the mirror cannot be used: {error}. {remedy}") from error

    def write(self, index: Index) -> None:
        """Write the index."""
        write_json(self.index_file, index.to_json())

    def keep(self, data: bytes, name: str, content_type: str) -> tuple[str, StoredFile]:
        """Write a file and return its hash and what the index says of it."""
        sha256 = hashlib.sha256(data).hexdigest()
        if not self.file(sha256).exists():
            write_bytes(self.file(sha256), data)
        return sha256, StoredFile(name, content_type, len(data), integrity_of(data))

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other builds out for as long as the context lasts, and remove what a killed one left half-written.

        Raises:
            MirrorError: If another build is under way.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("a") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise MirrorError(f"another process is building the mirror in {self.folder}") from error
            for leftover in self.folder.rglob(".*.part"):
                leftover.unlink(missing_ok=True)
            yield

    def verify(self) -> dict[str, str]:
        """Compare every file with its hash.

        Returns:
            SHA-256 -> "missing" or "changed", for files that the index names and that are not as they should be.
        """
        wrong = {}
        for sha256 in self.read().files:
            try:
                data = self.file(sha256).read_bytes()
            except OSError:
                wrong[sha256] = "missing"
                continue
            if hashlib.sha256(data).hexdigest() != sha256:
                wrong[sha256] = "changed"
        return wrong
