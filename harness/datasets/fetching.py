"""The checked copy of a task set in the user's cache: fetched, and compared.

A task set is pinned to one commit of its repository. Each file is compared with the hash that the commit has of it
before it is taken, and can be compared again at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from harness.datasets.gittree import Commit, GitFailed, blob_id, list_digest, read_list
from harness.datasets.tasksets import Dataset, DatasetError, Manifest
from harness.text.numbers import counted

LIST = "tree.tsv"


@dataclass(frozen=True)
class DatasetFiles:
    """Where files are taken from.

    Attributes:
        origin: For the manifest.
        commit: Whose files they are; None if nobody knows.
        blobs: Path in the repository -> blob id, as the commit has it, or the copy if its commit is not known.
        pinned: Whether this is known to be the commit's own list.
        read: Paths -> their contents in the same order, None for a file that cannot be read; may raise GitFailed.
    """

    origin: str
    commit: str | None
    blobs: Mapping[str, str]
    pinned: bool
    read: Callable[[Iterable[str]], Iterator[bytes | None]]


def _from_commit(dataset: Dataset, commit: Commit, origin: str) -> DatasetFiles:
    blobs = commit.blobs(tuple(dataset.folders))
    return DatasetFiles(origin, commit.id, blobs, True, lambda paths: commit.contents(blobs[path] for path in paths))


def _from_folder(dataset: Dataset, folder: Path) -> DatasetFiles:
    """A repository without files beside it; else the folder's files as they are now, checked as far as can be."""
    origin, read = str(folder.resolve()), partial(_read_files, dataset, folder)
    if (folder / LIST).is_file():
        blobs = _listed(dataset, folder / LIST)
        return DatasetFiles(origin, dataset.commit, blobs, list_digest(blobs) == dataset.list_digest, read)
    is_bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    if is_bare or (folder / ".git").exists():
        commit = Commit(folder, dataset.commit)
        if not commit.is_there():
            raise DatasetError(f"{folder} is a git repository without commit {dataset.commit[:7]}; fetch that first")
        found = _from_commit(dataset, commit, origin)
        return found if is_bare else replace(found, read=read)
    blobs = _hashed(dataset, folder)
    if not blobs:
        raise DatasetError(
            f"{folder} is no copy of {dataset.name}: it holds neither a git repository nor {LIST} nor files in "
            f"{dataset.tasks}/"
        )
    is_known = list_digest(blobs) == dataset.list_digest
    return DatasetFiles(origin, dataset.commit if is_known else None, blobs, is_known, read)


def _listed(dataset: Dataset, file: Path) -> dict[str, str]:
    try:
        blobs = read_list(file)
        for path in blobs:
            dataset.kept_at(path)
    except (OSError, ValueError) as error:
        raise DatasetError(f"{file} cannot be used: {error}") from error
    return blobs


def _hashed(dataset: Dataset, folder: Path) -> dict[str, str]:
    """What is in a plain copy, by the paths of the repository; empty if there are no tasks. Links are left out."""
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
    return blobs if any(path.startswith(f"{dataset.tasks}/") for path in blobs) else {}


def _read_files(dataset: Dataset, folder: Path, paths: Iterable[str]) -> Iterator[bytes | None]:
    for path in paths:
        data = _content(folder / path)
        yield _content(folder / dataset.kept_at(path)) if data is None else data


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def fetch(dataset: Dataset, source_folder: Path | None = None) -> Manifest:
    """Get a task set and put it where ``tasks_folder`` finds it; what was there is replaced at the end, at once.

    A file that is missing at the source or is not as in the commit is left out; all others are taken.

    Args:
        dataset: The task set.
        source_folder: A local folder: a git repository, or a copy of the files; None to get them from where the task
            set is published.

    Raises:
        DatasetError: If nothing could be fetched; what was there is as before.
        OSError: If the cache cannot be written; what was there is as before.
    """
    parent = dataset.folder.parent
    parent.mkdir(parents=True, exist_ok=True)
    before, part, clone = (parent / f".{dataset.name}.{end}" for end in ("before", "part", "git"))
    with _alone(parent / f".{dataset.name}.lock"):
        _tidy(dataset.folder, before, part, clone)  # what a fetch that was killed has left
        try:
            if source_folder is None:
                commit = Commit.fetch(dataset.repository, dataset.commit, clone)
                source = _from_commit(dataset, commit, dataset.repository)
            else:
                source = _from_folder(dataset, source_folder)
            manifest = _copy(dataset, source, part)
            if dataset.folder.exists():
                dataset.folder.rename(before)
            part.rename(dataset.folder)
        except GitFailed as error:
            raise DatasetError(
                f"{dataset.name} could not be fetched: {error}. --from DIR takes a local copy"
            ) from error
        finally:
            _tidy(dataset.folder, before, part, clone)
    return manifest


def _tidy(folder: Path, before: Path, *scratch: Path) -> None:
    """Put back what was there before, unless something newer took its place; remove the rest."""
    if before.exists() and not folder.exists():
        before.rename(folder)
    for leftover in (before, *scratch):
        shutil.rmtree(leftover, ignore_errors=True)


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError("another process is fetching this task set") from error
        yield


def _copy(dataset: Dataset, source: DatasetFiles, folder: Path) -> Manifest:
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
            file = folder / kept
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    if not (folder / "tasks").is_dir():
        raise DatasetError(f"{source.origin} has none of the files of {dataset.name}")
    manifest = Manifest(source.commit, source.origin, source.pinned, files, left_out)
    manifest.write(dataset, folder)
    return manifest


def verify(dataset: Dataset) -> dict[str, str]:
    """Compare a fetched task set with its commit, byte for byte.

    Returns:
        Path -> "missing", "changed" or "not part of the task set", by path; empty if all is as it should be.

    Raises:
        DatasetError: If it has not been fetched.
    """
    files = Manifest.read(dataset).files
    wrong = {}
    for path, id_ in files.items():
        data = _content(dataset.folder / path)
        if data is None or blob_id(data) != id_:
            wrong[path] = "missing" if data is None else "changed"
    for top in ("tasks", "splits"):
        for file in (dataset.folder / top).rglob("*"):
            path = file.relative_to(dataset.folder).as_posix()
            if path not in files and not file.is_dir():
                wrong[path] = "not part of the task set"
    return dict(sorted(wrong.items()))


def findings(dataset: Dataset, manifest: Manifest, wrong: Mapping[str, str]) -> list[str]:
    """What is not as in the commit, a line each; the files of a task that is not there at all share a line."""
    folders: dict[str, list[str]] = {}
    for path in manifest.files:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    gone = {
        folder: len(paths) for folder, paths in folders.items() if all(wrong.get(path) == "missing" for path in paths)
    }
    lines = [f"missing: {folder} ({counted(count, 'file')})" for folder, count in gone.items()]
    lines += [f"{why}: {path}" for path, why in wrong.items() if path.rpartition("/")[0] not in gone]
    # Without a digest of the true list nobody knows here; with one, it is none of that commit's.
    sure = "" if dataset.list_digest else "perhaps "
    if manifest.commit is None:
        lines.append(f"unknown commit: the files are a plain copy, and {sure}not those of commit {dataset.commit[:7]}")
    elif not manifest.pinned:
        what = f"a list that is {sure}not commit {dataset.commit[:7]}'s"
        lines.append(f"unknown list: the files were checked against {what}")
    return sorted(lines)
