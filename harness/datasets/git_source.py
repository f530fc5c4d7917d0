"""The files of a task set in a git repository: of its commit, or of a copy that is checked as far as it can be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.datasets.dataset_files import DatasetFiles, files_of_copy, reader_of
from harness.datasets.gittree import Commit, list_digest, read_list
from harness.datasets.tasksets import Dataset, DatasetError

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
