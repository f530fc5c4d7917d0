"""Task sets of others: where they come from, and the checked copy of them in the user's cache.

A task set is pinned to one commit of its repository. Each file is compared with the hash that the commit has of it
before it is taken, and can be compared again at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from harness.catalog.problems import CatalogError
from harness.datasets.gittree import Commit, GitFailed, blob_id, list_digest, read_list
from harness.files.writing import cache_folder, write_json

MANIFEST = "manifest.json"
LIST = "tree.tsv"
SCHEMA = 1


@dataclass(frozen=True)
class Dataset:
    """A task set that can be fetched.

    Attributes:
        name: What the command line calls it.
        about: One line for people.
        repository: Address of its git repository.
        commit: The full id of the commit that everything here speaks of.
        list_digest: ``gittree.list_digest`` of that commit's files, which tells a true list from another.
        licence: Of the data.
        tasks: The folder of task folders in the repository.
        splits: The folder of split files in the repository.
    """

    name: str
    about: str
    repository: str
    commit: str
    list_digest: str
    licence: str
    tasks: str = "tasks"
    splits: str = "data/splits"

    @property
    def folder(self) -> Path:
        """Where it is kept: task folders in ``tasks``, split files in ``splits``, and the manifest."""
        return cache_folder() / "datasets" / self.name

    @property
    def fetch_command(self) -> str:
        """What to type to get it."""
        return f"python -m harness.datasets fetch {self.name}"

    def kept_at(self, path: str) -> str:
        """A path of the repository -> the path in ``folder``, where split files stand beside the tasks."""
        for folder, kept in ((self.tasks, "tasks"), (self.splits, "splits")):
            if path.startswith(f"{folder}/"):
                return kept + path.removeprefix(folder)
        raise ValueError(f"{path} is in neither {self.tasks} nor {self.splits}")


DATASETS: dict[str, Dataset] = {
    each.name: each
    for each in (
        Dataset(
            name="turkingbench",
            about="Tur[k]ingBench: 159 crowdsourcing tasks with the answers of workers (Xu et al., NAACL 2025)",
            repository="https://github.com/JHU-CLSP/turking-bench",
            commit="f1a385459517c42c84ad9552d8820accd45e0c64",
            list_digest="0597e6701999e2c5b6221e39ff5d38a76534d9202b6deaaf61adfb21247cee7a",
            licence="Apache-2.0",
        ),
    )
}


class DatasetError(CatalogError):
    """A task set that cannot be fetched or used; the message is one line for the person who typed."""


@dataclass(frozen=True)
class Manifest:
    """What was fetched.

    Attributes:
        commit: The commit that its files were compared with.
        origin: Where they came from.
        pinned: Whether the list of files is known to be that commit's.
        files: Path -> blob id, of every file of the commit, those left out too.
        left_out: Path -> why it was not taken.
    """

    commit: str
    origin: str
    pinned: bool
    files: Mapping[str, str]
    left_out: Mapping[str, str]

    @classmethod
    def read(cls, dataset: Dataset) -> Manifest:
        """Read the manifest of a fetched task set.

        Raises:
            DatasetError: If the task set is not there, its manifest cannot be used, or it is of another commit.
        """
        file = dataset.folder / MANIFEST
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            manifest = cls(**{key: value for key, value in record.items() if key not in {"schema", "dataset"}})
            usable = record["schema"] == SCHEMA and all(isinstance(i, str) for i in manifest.files.values())
        except FileNotFoundError as error:
            if dataset.folder.exists():
                raise DatasetError(f"{file} is missing. Run: {dataset.fetch_command} --force") from error
            raise DatasetError(f"{dataset.name!r} has not been fetched. Run: {dataset.fetch_command}") from error
        except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise DatasetError(f"{file} cannot be used: {error}. Run: {dataset.fetch_command} --force") from error
        if not usable:
            raise DatasetError(f"{file} was written by another version. Run: {dataset.fetch_command} --force")
        if manifest.commit != dataset.commit:
            what = f"{dataset.folder} is commit {manifest.commit[:7]}, {dataset.commit[:7]} is wanted"
            raise DatasetError(f"{what}. Run: {dataset.fetch_command} --force")
        return manifest

    def write(self, dataset: Dataset, folder: Path) -> None:
        """Write it into a folder."""
        write_json(folder / MANIFEST, {"schema": SCHEMA, "dataset": dataset.name, **asdict(self)})


def known(name: str) -> Dataset:
    """A task set by its name.

    Raises:
        DatasetError: If there is none.
    """
    if name not in DATASETS:
        raise DatasetError(f"unknown task set {name!r}. Known: {', '.join(DATASETS)}")
    return DATASETS[name]


def tasks_folder(name: str) -> Path:
    """The folder of a fetched task set's task folders.

    Raises:
        DatasetError: If there is no such task set, or it has not been fetched; says how to.
    """
    dataset = known(name)
    Manifest.read(dataset)
    return dataset.folder / "tasks"


@dataclass(frozen=True)
class DatasetFiles:
    """Where files are taken from.

    Attributes:
        origin: For the manifest.
        blobs: Path in the repository -> blob id, as the commit has it.
        pinned: Whether this is known to be the commit's own list.
        read: Paths -> their contents in the same order, None for a file that cannot be read; may raise GitFailed.
    """

    origin: str
    blobs: Mapping[str, str]
    pinned: bool
    read: Callable[[Iterable[str]], Iterator[bytes | None]]


def _from_commit(dataset: Dataset, commit: Commit) -> DatasetFiles:
    blobs = commit.blobs((dataset.tasks, dataset.splits))
    return DatasetFiles(dataset.repository, blobs, True, lambda paths: commit.contents(blobs[path] for path in paths))


def _from_folder(dataset: Dataset, folder: Path) -> DatasetFiles:
    """A folder with its own list of hashes, or a checkout of the repository: its files, as they are now."""
    blobs: dict[str, str] | None = None
    pinned = False
    if (folder / LIST).is_file():
        try:
            blobs = read_list(folder / LIST)
            for path in blobs:
                dataset.kept_at(path)
        except (OSError, ValueError) as error:
            raise DatasetError(f"{folder / LIST} cannot be used: {error}") from error
        pinned = list_digest(blobs) == dataset.list_digest
    elif (folder / ".git").exists():
        commit = Commit(folder, dataset.commit)
        if commit.is_there():
            blobs, pinned = commit.blobs((dataset.tasks, dataset.splits)), True
    if blobs is None:
        raise DatasetError(
            f"{folder} holds neither {LIST} nor a git checkout with commit {dataset.commit[:7]}: "
            "there is nothing to check its files against"
        )
    return DatasetFiles(str(folder.resolve()), blobs, pinned, partial(_read_files, dataset, folder))


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
        source_folder: A local folder with the files; None to get them from the repository.

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
                source = _from_commit(dataset, Commit.fetch(dataset.repository, dataset.commit, clone))
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
    manifest = Manifest(dataset.commit, source.origin, source.pinned, files, left_out)
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
    lines = [f"missing: {folder} ({count} {_plural('file', count)})" for folder, count in gone.items()]
    lines += [f"{why}: {path}" for path, why in wrong.items() if path.rpartition("/")[0] not in gone]
    if not manifest.pinned:
        lines.append(f"unknown list: the files were checked against a list that is not commit {dataset.commit[:7]}'s")
    return sorted(lines)


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
