"""Folders that are there whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
