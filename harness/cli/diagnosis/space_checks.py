"""Where files are written: whether that can be done, and how much room there is."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.cli.diagnosis.finding import Look
from harness.kit.files.writing import cache_folder

LITTLE, TOO_LITTLE = 2_000_000_000, 100_000_000
"""Bytes below which a folder is warned of, and below which no run comes to its end."""
LITTLE_SHARED = 256_000_000
"""Bytes of shared memory below which browsers crash on large pages."""
SHARED = Path("/dev/shm")  # noqa: S108 - where Linux has it


def check_space() -> Iterator[Look]:
    """The cache, temporary files, shared memory, and the folder of runs."""
    yield _folder("cache", cache_folder(), "let XDG_CACHE_HOME name a folder that can be written")
    yield _folder("TMPDIR", Path(tempfile.gettempdir()), "let TMPDIR name a folder that can be written")
    yield _folder("runs", Path.cwd(), "start commands in a folder that can be written, or give --out")
    if SHARED.is_dir():
        yield _folder(str(SHARED), SHARED, "mount it, or start the container with --shm-size=1g", LITTLE_SHARED, 0)


def _folder(what: str, folder: Path, remedy: str, little: int = LITTLE, too_little: int = TOO_LITTLE) -> Look:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return Look(what, "problem", f"{folder} cannot be written", remedy)
    try:
        with tempfile.TemporaryFile(dir=there):
            free = shutil.disk_usage(there).free
    except OSError as error:
        return Look(what, "problem", f"{folder} cannot be written: {error.strerror}", remedy)
    words = f"{folder}, {free / 1e9:.1f} GB free"
    if free < too_little:
        return Look(what, "problem", words, "make room")
    if free < little:
        return Look(what, "warning", words, "make room" if folder != SHARED else remedy)
    return Look(what, "ok", words)
