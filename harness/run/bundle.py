"""Folders that are named by their content, and written into a machine's cache once, such as those of other machines."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.kit.files.writing import cache_folder

BUNDLES = "bundles"
"""The folder in the cache of a machine where they are written."""


@dataclass(frozen=True)
class Bundle:
    """The files of a folder.

    Attributes:
        name: A hash of them.
        files: Path in the folder, with slashes, and content.
    """

    name: str
    files: Mapping[str, bytes]


def bundled(files: Iterable[tuple[str, bytes]]) -> Bundle:
    """Bundle files; equal ones give an equal name.

    Args:
        files: Path in the folder, with slashes, and content.
    """
    found = dict(files)
    return Bundle(_name_of(found), found)


def files_below(folder: Path, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """All files of a folder for ``bundled``, by name.

    Args:
        folder: The folder.
        prefix: What stands before their paths.
    """
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield f"{prefix}{file.relative_to(folder).as_posix()}", file.read_bytes()


def written(name: str) -> Path | None:
    """Where a bundle was written on this machine; None if it was not."""
    folder = cache_folder() / BUNDLES / name
    return folder if folder.is_dir() else None


def write(bundle: Bundle) -> Path:
    """Write a bundle on this machine, whole or not at all; another process may do the same.

    Raises:
        ValueError: its name is not that of its content, or a file would not be in its folder.
        OSError: the cache cannot be written.
    """
    if _name_of(bundle.files) != bundle.name:
        raise ValueError(f"bundle {bundle.name} came damaged")
    there = cache_folder() / BUNDLES
    there.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=there, prefix="."))
    try:
        for path, data in bundle.files.items():
            # No link is among them, so that a path leads where it says.
            if ".." in Path(path).parts or Path(path).is_absolute():
                raise ValueError(f"the bundle holds {path!r}, which is no file in its folder")
            file = made / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        made.chmod(0o755)
        with contextlib.suppress(OSError):  # somebody else was first
            os.rename(made, there / bundle.name)  # noqa: PTH104 - a rename onto what is there has to fail
    finally:
        shutil.rmtree(made, ignore_errors=True)
    folder = written(bundle.name)
    assert folder  # noqa: S101 - renamed by one of us
    return folder


def _name_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, data in sorted(files.items()):
        digest.update(f"{len(path.encode())} {len(data)} ".encode())
        digest.update(path.encode())
        digest.update(data)
    return digest.hexdigest()
