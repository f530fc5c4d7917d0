"""Files and folders that are written whole or not at all, and the names that file systems allow."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import msgspec


def is_free(out: Path) -> bool:
    """Whether nothing is in the way of a new folder: it is not there, or is a folder that holds nothing."""
    return not out.exists() or (out.is_dir() and not any(out.iterdir()))


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to be filled, which becomes ``out`` when the work is done and is removed when it fails.

    Args:
        out: Its name; free, as ``is_free`` says.

    Raises:
        OSError: it cannot be made, or something has come in its way.
    """
    part = out.with_name(f".{secrets.token_hex(8)}.part")
    try:
        part.mkdir(parents=True)
        yield part
        if out.exists():
            out.rmdir()
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)


# A file name may have 255 bytes on common file systems; the rest is left for suffixes such as ".json" and
# those of temporary files.
LONGEST_PATH_NAME = 200
_HASH_DIGITS = 16
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])(\..*)?", re.IGNORECASE)
"""Names of devices on Windows, whatever follows a dot."""


def url_name(name: str) -> str:
    """Return the task name as one segment of a URL path.

    Args:
        name: A task name as `Catalog.names` gives it.

    Returns:
        The name percent-encoded; `urllib.parse.unquote` gives it back.

    Raises:
        ValueError: For "", "." and "..", which no encoding keeps from being read as a step in the path
            (URL standard, section 4.1: "%2e" is a dot too).
    """
    if name in {"", ".", ".."}:
        raise ValueError(f"{name!r} cannot be a segment of a URL")
    return quote(name, safe="")


@lru_cache(maxsize=4096)
def path_name(name: str) -> str:
    """Return the task name as the name of one file or folder.

    The result is ASCII, has at most `LONGEST_PATH_NAME` bytes, never starts with a dot or a dash, is none
    that Windows keeps for itself, and differs for different names: a name that is too long is cut and gets
    a hash of the whole. A name of usual length is read back by `urllib.parse.unquote`.

    Args:
        name: Any text without lone surrogates.

    Raises:
        ValueError: If the name is empty.
    """
    if not name:
        raise ValueError("an empty name cannot name a file")
    encoded = quote(name, safe="")
    if encoded[0] in ".-":
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    if encoded[-1] == ".":  # which Windows drops
        encoded = f"{encoded[:-1]}%2E"
    if _DEVICE.fullmatch(encoded):
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    if len(encoded) <= LONGEST_PATH_NAME:
        return encoded
    # "~" ends what was kept: quote leaves it alone, so a short name can look like this only by holding the
    # hash.
    digest = hashlib.sha256(name.encode()).hexdigest()[:_HASH_DIGITS]
    return f"{encoded[: LONGEST_PATH_NAME - _HASH_DIGITS - 1]}~{digest}"


CACHE_NAME = "turkbench"
_NAME_BEFORE = "turking-harness"


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/turkbench``, by default under ``~/.cache``; one with the name of before is taken over."""
    return _taken_over(_caches())


def data_folder() -> Path:
    """``$XDG_DATA_HOME/turkbench``, by default under ``~/.local/share``: what must outlive the cache.

    One with the name of before is taken over.
    """
    return _taken_over(_data())


def folders_before() -> tuple[Path, ...]:
    """The caches and data of earlier versions that are still there, since there are newer ones beside them."""
    return tuple(old for base in (_caches(), _data()) if (old := base / _NAME_BEFORE).exists())


def _caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


@cache
def _taken_over(base: Path) -> Path:
    """Our folder among those of all programs: the one of earlier versions, renamed, where it is the only one."""
    folder, old = base / CACHE_NAME, base / _NAME_BEFORE
    if folder.exists() or not old.is_dir():
        return folder
    try:
        old.rename(folder)
    except OSError:
        # Another process was faster, or it may not be renamed.
        return old if old.is_dir() else folder
    print(f"note: the folder {old} is called {folder} now", file=sys.stderr)
    return folder


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """A context with a stream, whose bytes become ``file`` if the context ends well; folders are made as needed.

    Raises:
        OSError: it cannot be written.
    """
    # Not by `tempfile`, whose files nobody but their owner may read.
    temporary = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with _opened(temporary) as stream:
            yield stream
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _opened(new: Path) -> BinaryIO:
    try:
        return new.open("xb")
    except FileNotFoundError:
        new.parent.mkdir(parents=True, exist_ok=True)
        return new.open("xb")


def write_bytes(file: Path, data: bytes) -> None:
    """Write ``data`` under a temporary name in the same folder, then rename; folders are made as needed."""
    with whole_file(file) as stream:
        stream.write(data)


def write_json(file: Path, record: object) -> None:
    """Write a record as ``json_text``."""
    write_bytes(file, json_text(record))


def json_text(record: object) -> bytes:
    """A record as UTF-8 JSON, indented for people, with a line end."""
    # A lone surrogate, which UTF-8 cannot hold, becomes "\\udXXX": what JSON writes for it, too.
    return indented(record).encode("utf-8", "backslashreplace") + b"\n"


def indented(record: object) -> str:
    """A record as JSON, a line for each value.

    It is what ``json.dumps`` makes with ``indent=1``, which is Python all through and takes five times as long.
    """
    try:
        return msgspec.json.format(json.dumps(record, ensure_ascii=False), indent=1)
    except (msgspec.DecodeError, UnicodeEncodeError):  # a number that JSON has not, or a lone surrogate
        return json.dumps(record, ensure_ascii=False, indent=1)
