"""Folders that other machines are given: packed, named by their content, and unpacked there once."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.files.writing import cache_folder

PARCELS = "parcels"
"""The folder in the cache of a machine where they are unpacked."""


@dataclass(frozen=True)
class Parcel:
    """A packed folder.

    Attributes:
        name: SHA-256 of the data.
        data: A tar file.
    """

    name: str
    data: bytes


def pack(files: Iterable[tuple[str, bytes]]) -> Parcel:
    """Pack files; equal ones in equal order give an equal parcel.

    Args:
        files: Path in the folder, with slashes, and content.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    data = stream.getvalue()
    return Parcel(hashlib.sha256(data).hexdigest(), data)


def files_below(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    """All files of a folder for ``pack``, by name.

    Args:
        folder: The folder.
        prefix: What stands before their paths.
    """
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield f"{prefix}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def unpacked(name: str) -> Path | None:
    """Where a parcel was unpacked on this machine; None if it was not."""
    folder = cache_folder() / PARCELS / name
    return folder if folder.is_dir() else None


def unpack(parcel: Parcel) -> Path:
    """Unpack a parcel on this machine, whole or not at all; another process may do the same.

    Raises:
        ValueError: its name is not that of its content, or it holds anything but files in its folder.
        OSError: the cache cannot be written.
    """
    if hashlib.sha256(parcel.data).hexdigest() != parcel.name:
        raise ValueError(f"parcel {parcel.name} came damaged")
    there = cache_folder() / PARCELS
    there.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=there, prefix="."))
    try:
        with tarfile.open(fileobj=io.BytesIO(parcel.data), mode="r:") as archive:
            _write_files(archive, made)
        made.chmod(0o755)
        with contextlib.suppress(OSError):  # somebody else was first
            os.rename(made, there / parcel.name)  # noqa: PTH104 - a rename onto what is there has to fail
    finally:
        shutil.rmtree(made, ignore_errors=True)
    folder = unpacked(parcel.name)
    assert folder  # noqa: S101 - renamed by one of us
    return folder


def _write_files(archive: tarfile.TarFile, folder: Path) -> None:
    # By hand, since extractall() has the filter that keeps an archive in its folder only from Python 3.11.4 on. What
    # pack() writes are files, and where there is no link, a path leads where it says.
    for entry in archive:
        place = folder / entry.name
        if not entry.isreg() or entry.issparse() or not place.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"the parcel holds {entry.name!r}, which is no file in its folder")
        place.parent.mkdir(parents=True, exist_ok=True)
        content = archive.extractfile(entry)
        assert content  # noqa: S101 - a file has one
        with place.open("xb") as written:
            shutil.copyfileobj(content, written)
