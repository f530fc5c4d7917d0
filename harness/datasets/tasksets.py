"""Task sets of others: where they come from, and what is known of the copy of them in the user's cache."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.catalog.problems import CatalogError
from harness.files.writing import cache_folder, write_json

MANIFEST = "manifest.json"
SCHEMA = 1


@dataclass(frozen=True)
class Dataset:
    """A task set that can be fetched.

    Attributes:
        name: What the command line calls it.
        about: One line for people.
        repository: Address of its git repository.
        commit: The full id of the commit that everything here speaks of.
        list_digest: ``gittree.list_digest`` of that commit's files, which tells a true list from another; None if it is
            not known here, so that only git can tell.
        licence: Of the data.
        tasks: The folder of task folders in the repository.
        splits: The folder of split files in the repository; empty if there are none.
    """

    name: str
    about: str
    repository: str
    commit: str
    list_digest: str | None
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

    @property
    def folders(self) -> dict[str, str]:
        """The folders of the repository that are taken -> where they are kept in ``folder``."""
        return {self.tasks: "tasks", **({self.splits: "splits"} if self.splits else {})}

    def kept_at(self, path: str) -> str:
        """A path of the repository -> the path in ``folder``, where split files stand beside the tasks."""
        for folder, kept in self.folders.items():
            if path.startswith(f"{folder}/"):
                return kept + path.removeprefix(folder)
        raise ValueError(f"{path} is not in {' nor in '.join(self.folders)}")


_TURKINGBENCH, _COMMIT = "https://github.com/JHU-CLSP/turking-bench", "f1a385459517c42c84ad9552d8820accd45e0c64"

DATASETS: dict[str, Dataset] = {
    each.name: each
    for each in (
        Dataset(
            name="turkingbench",
            about="Tur[k]ingBench: 159 crowdsourcing tasks with the answers of workers (Xu et al., NAACL 2025)",
            repository=_TURKINGBENCH,
            commit=_COMMIT,
            list_digest="0597e6701999e2c5b6221e39ff5d38a76534d9202b6deaaf61adfb21247cee7a",
            licence="Apache-2.0",
        ),
        Dataset(
            name="turkingbench-sandbox",
            about="further pages of Tur[k]ingBench's repository, from AMT's sandbox: no labels, to look at and try on",
            repository=_TURKINGBENCH,
            commit=_COMMIT,
            list_digest=None,
            licence="Apache-2.0",
            tasks="sandbox tasks",
            splits="",
        ),
    )
}


class DatasetError(CatalogError):
    """A task set that cannot be fetched or used; the message is one line for the person who typed."""


@dataclass(frozen=True)
class Manifest:
    """What was fetched.

    Attributes:
        commit: The commit that its files were compared with; None of a copy that is no known commit's, whose files were
            compared with nothing.
        origin: Where they came from.
        pinned: Whether the list of files is known to be that commit's.
        files: Path -> blob id, of every file of the commit or the copy, those left out too.
        left_out: Path -> why it was not taken.
    """

    commit: str | None
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
        if manifest.commit not in (None, dataset.commit):
            what = f"{dataset.folder} is commit {manifest.commit:.7}, {dataset.commit[:7]} is wanted"
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
