"""Files that are written whole or not at all, so that a crash leaves none half-written; and the user's own folders."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

CACHE_NAME = "turking-harness"


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/turking-harness``, by default under ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / CACHE_NAME


def data_folder() -> Path:
    """``$XDG_DATA_HOME/turking-harness``, by default under ``~/.local/share``: what must outlive the cache."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / CACHE_NAME


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """A context with a stream, whose bytes become ``file`` if the context ends well; folders are made as needed.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    # Not by `tempfile`, whose files nobody but their owner may read.
    temporary = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as stream:
            yield stream
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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
    return json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"
