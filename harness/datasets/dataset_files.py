"""The files of a task set where they are taken from: a list of them with their hashes, and their contents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.datasets.gittree import blob_id, list_digest
from harness.datasets.tasksets import DatasetError, TaskSet


@dataclass(frozen=True)
class DatasetFiles:
    """Where files are taken from.

    Attributes:
        origin: For the manifest.
        pin: What they are, see ``TaskSet.pin``; None if nobody knows.
        blobs: Path in the source -> blob id, as the source has it, or the copy if nobody knows what that is.
        pinned: Whether this is known to be the true list.
        read: Paths -> their contents in the same order, None for a file that cannot be read; may raise GitFailed.
    """

    origin: str
    pin: str | None
    blobs: Mapping[str, str]
    pinned: bool
    read: Callable[[Iterable[str]], Iterator[bytes | None]]


def files_of_copy(dataset: TaskSet, folder: Path) -> DatasetFiles:
    """The files of a plain copy, with nothing to check them against but the digest of the true list.

    Args:
        dataset: The task set.
        folder: The copy: with the folders of the source, or with those in which they are kept.

    Raises:
        DatasetError: it holds nothing of the task set, or something that cannot be read.
    """
    blobs = _hashed(dataset, folder)
    is_known = list_digest(blobs) == dataset.list_digest
    origin = str(folder.resolve())
    return DatasetFiles(origin, dataset.pin if is_known else None, blobs, is_known, reader_of(dataset, folder))


def reader_of(dataset: TaskSet, folder: Path) -> Callable[[Iterable[str]], Iterator[bytes | None]]:
    """What reads the files of a folder as they are now, see ``DatasetFiles.read``."""
    return partial(_read_files, dataset, folder)


def _hashed(dataset: TaskSet, folder: Path) -> dict[str, str]:
    """What is in a plain copy, by the paths of the source; empty without what is needed. Links are left out."""
    blobs: dict[str, str] = {}
    for top, kept in dataset.folders.items():
        place = folder / top if (folder / top).is_dir() else folder / kept
        for file in place.rglob("*"):
            if file.is_file() and not file.is_symlink():
                path = f"{top}/{file.relative_to(place).as_posix()}"
                try:
                    path.encode()
                    blobs[path] = blob_id(file.read_bytes())
                except (OSError, ValueError) as error:
                    raise DatasetError(f"{path!r} in {folder} cannot be used: {error}") from error
    return blobs if any(path.startswith(f"{dataset.needed}/") for path in blobs) else {}


def _read_files(dataset: TaskSet, folder: Path, paths: Iterable[str]) -> Iterator[bytes | None]:
    for path in paths:
        data = content_of(folder / path)
        yield content_of(folder / dataset.kept_at(path)) if data is None else data


def content_of(file: Path) -> bytes | None:
    """The content of a file, None if it cannot be read."""
    try:
        return file.read_bytes()
    except OSError:
        return None
