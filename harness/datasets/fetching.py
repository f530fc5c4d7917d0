"""The checked copy of a task set in the user's cache: fetched, and compared.

A task set is pinned: to one commit of its repository, or to one file of a package index. Each of its files is compared
with the hash that it has there before it is taken, and can be compared again at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.datasets.dataset_files import DatasetFiles, content_of, git_files, wheel_files
from harness.datasets.gittree import GitFailed, blob_id
from harness.datasets.tasksets import Dataset, DatasetError, Manifest, TaskSet, WheelSet
from harness.kit.text import counted


def fetch(dataset: TaskSet, source: Path | None = None) -> Manifest:
    """Get a task set and put it where ``tasks_folder`` finds it; what was there is replaced at the end, at once.

    A file that is missing at the source, or not as it is known to be there, is left out; all others are taken.

    Args:
        dataset: The task set.
        source: What is on this machine: a folder, for ``git_files`` or ``wheel_files``, or a wheel; None to get it from
            where it is published.

    Raises:
        DatasetError: If nothing could be fetched; what was there is as before.
        OSError: If the cache cannot be written; what was there is as before.
    """
    parent = dataset.folder.parent
    parent.mkdir(parents=True, exist_ok=True)
    before, part, scratch = (parent / f".{dataset.name}.{end}" for end in ("before", "part", "git"))
    with _alone(parent / f".{dataset.name}.lock"):
        _tidy(dataset.folder, before, part, scratch)  # what a fetch that was killed has left
        try:
            manifest = _copy(dataset, _files(dataset, source, scratch), part)
            if dataset.folder.exists():
                dataset.folder.rename(before)
            part.rename(dataset.folder)
        except GitFailed as error:
            raise DatasetError(
                f"{dataset.name} could not be fetched: {error}. --from DIR takes a local copy"
            ) from error
        finally:
            _tidy(dataset.folder, before, part, scratch)
    return manifest


def _tidy(folder: Path, before: Path, *scratch: Path) -> None:
    """Put back what was there before, unless something newer took its place; remove the rest."""
    if before.exists() and not folder.exists():
        before.rename(folder)
    for leftover in (before, *scratch):
        shutil.rmtree(leftover, ignore_errors=True)


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError("another process is fetching this task set") from error
        yield


def _files(dataset: TaskSet, source: Path | None, scratch: Path) -> DatasetFiles:
    """Where the files of a task set are taken from; ``scratch`` may be made meanwhile."""
    if isinstance(dataset, WheelSet):
        return wheel_files(dataset, source, scratch)
    if isinstance(dataset, Dataset):
        return git_files(dataset, source, scratch)
    raise TypeError(f"nothing is known of where {dataset.name} comes from")


def _copy(dataset: TaskSet, source: DatasetFiles, folder: Path) -> Manifest:
    files: dict[str, str] = {}
    left_out: dict[str, str] = {}
    paths = sorted(source.blobs)
    for path, data in zip(paths, source.read(paths), strict=True):
        kept = dataset.kept_at(path)
        files[kept] = source.blobs[path]
        if data is None:
            left_out[kept] = "missing"
        elif blob_id(data) != source.blobs[path]:
            left_out[kept] = "changed"
        else:
            _put(folder / kept, data)
    for path, data in dataset.made(folder).items():
        files[path] = blob_id(data)
        _put(folder / path, data)
    if not (folder / "tasks").is_dir():
        raise DatasetError(f"{source.origin} has none of the files of {dataset.name}")
    manifest = Manifest(source.pin, source.origin, source.pinned, files, left_out)
    manifest.write(dataset, folder)
    return manifest


def _put(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def verify(dataset: TaskSet) -> dict[str, str]:
    """Compare a fetched task set with what it was when it was fetched and checked, byte for byte.

    Returns:
        Path -> "missing", "changed" or "not part of the task set", by path; empty if all is as it should be.

    Raises:
        DatasetError: If it has not been fetched.
    """
    files = Manifest.read(dataset).files
    wrong = {}
    for path, id_ in files.items():
        data = content_of(dataset.folder / path)
        if data is None or blob_id(data) != id_:
            wrong[path] = "missing" if data is None else "changed"
    for top in {"tasks", "splits", *dataset.folders.values()}:
        for file in (dataset.folder / top).rglob("*"):
            path = file.relative_to(dataset.folder).as_posix()
            if path not in files and not file.is_dir():
                wrong[path] = "not part of the task set"
    return dict(sorted(wrong.items()))


def findings(dataset: TaskSet, manifest: Manifest, wrong: Mapping[str, str]) -> list[str]:
    """What is not as at the source, a line each; the files of a task that is not there at all share a line."""
    folders: dict[str, list[str]] = {}
    for path in manifest.files:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    gone = {
        folder: len(paths) for folder, paths in folders.items() if all(wrong.get(path) == "missing" for path in paths)
    }
    lines = [f"missing: {folder} ({counted(count, 'file')})" for folder, count in gone.items()]
    lines += [f"{why}: {path}" for path, why in wrong.items() if path.rpartition("/")[0] not in gone]
    # Without a digest of the true list nobody knows here; with one, it is not that.
    sure = "" if dataset.list_digest else "perhaps "
    if manifest.pin is None:
        lines.append(
            f"unknown {dataset.SOURCE}: the files are a plain copy, and {sure}not those of {dataset.pin_words}"
        )
    elif not manifest.pinned:
        what = f"a list that is {sure}not {dataset.pin_words}'s"
        lines.append(f"unknown list: the files were checked against {what}")
    return sorted(lines)
