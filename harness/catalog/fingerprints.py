"""Hashes of tasks: of their files, and of sets of them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from harness.catalog.task import FILES, MEDIA, media_files
from harness.catalog.trace import TRACE
from harness.kit.files.hashing import add_file
from harness.kit.files.inside import ForeignFile, open_inside


def set_hash(tasks: Mapping[str, tuple[str, str]]) -> str:
    """Return the hash of a set of tasks: name -> split and fingerprint."""
    return hashlib.sha256(canonical(tasks)).hexdigest()


def canonical(value: object) -> bytes:
    """Return a JSON value as bytes, the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def files_hash(folder: Path) -> str:
    """Hash the files of a task, with their lengths, so that no byte can move from one to the next."""
    digest = hashlib.sha256()
    for name in (*FILES, TRACE):
        file = folder / name
        with contextlib.suppress(ForeignFile):  # what keeps the task from being used is told where it is read
            if file.exists():
                with open_inside(folder, name) as stream:
                    digest.update(f"{name}:{os.fstat(stream.fileno()).st_size}\n".encode())
                    add_file(digest, stream.fileno())
                continue
        if name != TRACE:  # which forms never have: their hashes are as they were
            digest.update(f"{name}:none\n".encode())
    for file in media_files(folder):
        with open_inside(folder / MEDIA, file.name) as stream:
            digest.update(f"{MEDIA}/{file.name}:{os.fstat(stream.fileno()).st_size}\n".encode())
            add_file(digest, stream.fileno())
    return digest.hexdigest()
