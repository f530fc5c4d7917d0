"""The run directory: JSON and pictures only, readable without the code that wrote it (docs/reference/run-directory.md).

run.json                       configuration, provenance, results
config.toml                    what has to be given for the same run again, see ``harness.run.asked_run``
sample.json                    the instances that were chosen
episodes/<task>/<index>.json   one file an episode; its existence says that the instance is done
images/<sha256>.png            pictures by content, shared between steps and turns
films/<task>/<index>.json      what the page showed after each step, see ``harness.records.film``
films/pictures/<sha256>.webp   the pictures of films by content
texts/<sha256>.json            what was sent to models, by content, shared between turns
attempts/<task>/<index>.json   lost attempts at an instance without a score, see ``harness.records.lost_attempts``
under-way/                     what goes on while the run does, see ``harness.records.under_way``
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.registry import registry
from harness.kit.text import shorten
from harness.records.budgets import OF_THE_RUN, is_final
from harness.records.config import RunConfig
from harness.records.digests import CheckedRecords, canonical_episode, canonical_run, check_records, write_with_digest
from harness.records.episode import Episode
from harness.records.fatal import CannotWrite
from harness.records.film import Film, FilmFiles
from harness.records.folder_lock import LOCK
from harness.records.planned import SAMPLE_FILE, EpisodeFilter, PlannedSample
from harness.records.record_file import EpisodeFiles, ForeignEpisodes, MalformedRun, NotARun, episode_file, read_record
from harness.records.run_record import RunRecord

__all__ = ["CannotWrite", "ForeignEpisodes", "MalformedRun", "NotARun", "RunDirectory"]

RUN_FILE = "run.json"
CONFIG_FILE = "config.toml"
REPORT_FILE = "report.html"
_MADE_BEFORE = (
    "ledger.jsonl",
    "calls",
    "replies",
    "demos.json",
    "images",
    "attempts",
    "films",
    SAMPLE_FILE,
    CONFIG_FILE,
)
"""What a run and its solver make before the first episode is done."""

LEFTOVERS = ".*.part"
"""What a process that was killed while it wrote leaves; see ``harness.kit.files.writing``."""


class RunDirectory:
    """One run on disk.

    Attributes:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, folder: Path) -> RunDirectory:
        """An existing run.

        Raises:
            NotARun: the folder holds none that this version reads.
        """
        run = cls(folder)
        run.read()
        return run

    def read(self) -> RunRecord:
        """The content of ``run.json``.

        Raises:
            NotARun: it is missing or damaged, or this version does not read it.
        """
        if not (self.folder / RUN_FILE).exists():
            raise NotARun(f"{self.folder} is no run directory: it has no {RUN_FILE}")
        record = _with_its_input(self.folder / RUN_FILE, read_record(self.folder / RUN_FILE, RunRecord))
        if record.config.metrics not in registry("metrics"):
            known = f"known are {', '.join(registry('metrics'))}"
            raise MalformedRun(
                f"{self.folder / RUN_FILE} cannot be read: $.config.metrics: no profile is called "
                f"{shorten(record.config.metrics)!r}; {known}"
            )
        if strange := next((name for name in record.out_of_budget if name not in OF_THE_RUN), None):
            raise MalformedRun(
                f"{self.folder / RUN_FILE} cannot be read: $.out_of_budget: {shorten(strange)!r} is no limit of a run"
            )
        return record

    def write(self, record: RunRecord) -> None:
        """Replace ``run.json``, whole.

        Raises:
            CannotWrite: the disk is full or the folder read-only; the file that was there is.
        """
        try:
            write_json(self.folder / RUN_FILE, codec.plain(record))
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def write_sample(self, sample: PlannedSample) -> None:
        """Write ``sample.json``, whole.

        Raises:
            CannotWrite: the disk is full or the folder read-only.
        """
        try:
            write_json(self.folder / SAMPLE_FILE, codec.plain(sample))
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def write_config(self, text: str) -> None:
        """Write ``config.toml``, whole.

        Raises:
            CannotWrite: the disk is full or the folder read-only.
        """
        try:
            write_bytes(self.folder / CONFIG_FILE, text.encode())
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def sweep(self) -> None:
        """Remove what killed processes left half-written; nothing else may write meanwhile."""
        for part in self.folder.rglob(LEFTOVERS):
            part.unlink(missing_ok=True)

    def exists(self) -> bool:
        """Whether there is a ``run.json``."""
        return (self.folder / RUN_FILE).is_file()

    def has_episodes(self) -> bool:
        """Whether at least one instance is done."""
        return next((self.folder / "episodes").glob("*/*.json"), None) is not None

    def size(self) -> int:
        """How many instances are done."""
        return sum(1 for _ in (self.folder / "episodes").glob("*/*.json"))

    def discard(self) -> None:
        """Take back ``run.json`` of a run that came to nothing, and what was made for it; then the folder, if empty.

        Replies of a model that were paid for stay, and with them the account of them.
        """
        with contextlib.suppress(OSError):
            (self.folder / RUN_FILE).unlink(missing_ok=True)
            if not any((self.folder / "replies").rglob("*.json")):
                for name in _MADE_BEFORE:
                    shutil.rmtree(self.folder / name, ignore_errors=True)
                    with contextlib.suppress(OSError):
                        (self.folder / name).unlink(missing_ok=True)
            for folder in (*(self.folder / "episodes").glob("*"), self.folder / "episodes", self.folder):
                if folder.is_dir():
                    folder.rmdir()

    def refusal(self) -> str | None:
        """Why no new run can be written here; None if one can."""
        if (self.folder / RUN_FILE).exists():
            return f"{self.folder} already holds a run"
        if self.folder.exists() and not self.folder.is_dir():
            return f"{self.folder} is not a folder"
        if self.folder.is_dir() and any(not _is_ours(file) for file in self.folder.iterdir()):
            return f"{self.folder} is not empty"
        return None

    def add(self, episode: Episode, images: Mapping[str, bytes], texts: Mapping[str, str] | None = None) -> None:
        """Write an episode and what it names; that comes first, so that the episode names nothing that is missing.

        Args:
            episode: The episode.
            images: Its pictures: PNG by SHA-256.
            texts: Its texts: JSON text by SHA-256.

        Raises:
            CannotWrite: the disk is full or the folder read-only; nothing is half-written.
        """
        self.keep(images, texts or {})
        try:
            write_with_digest(self.episode_file(episode.task, episode.index), _written(episode))
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def keep(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """Write what an episode is going to name.

        Args:
            images: Pictures: PNG by SHA-256.
            texts: Texts: JSON text by SHA-256.

        Raises:
            CannotWrite: as ``add``.
        """
        try:
            for name, data in images.items():
                self._keep(self.image_file(name), data)
            for name, text in texts.items():
                self._keep(self.texts / f"{name}.json", text.encode())
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def _keep(self, file: Path, data: bytes) -> None:
        """Write a file that is named by its content, unless it is there."""
        if not file.exists():
            write_bytes(file, data)

    @property
    def texts(self) -> Path:
        """The folder of the texts; see ``harness.records.texts``."""
        return self.folder / "texts"

    def text(self, name: str) -> str | None:
        """A text by its SHA-256; None if it is not there."""
        try:
            return read_inside(self.texts, f"{name}.json", MOST).decode()
        except (OSError, UnicodeDecodeError):
            return None

    def image_file(self, name: str) -> Path:
        """Where a picture stands."""
        return self.folder / "images" / f"{name}.png"

    def episode_file(self, task: str, index: int) -> Path:
        """Where the episode of an instance stands."""
        return episode_file(self.folder, task, index)

    def episode(self, task: str, index: int) -> Episode:
        """The episode of an instance.

        Raises:
            NotARun: it cannot be read.
        """
        return _read(self.episode_file(task, index))

    @property
    def films(self) -> FilmFiles:
        """The films of its episodes, with their pictures."""
        return FilmFiles(self.folder)

    def film(self, task: str, index: int) -> Film | None:
        """The film of the episode of an instance; None if it has none.

        Raises:
            NotARun: it cannot be read.
        """
        return self.films.read(task, index)

    def write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        """Write the film of an instance before its episode, in place of one that an earlier attempt has left.

        Args:
            task: Of the instance.
            index: Of the instance.
            film: Its film; None for none.
            pictures: The film's pictures by their names.

        Raises:
            CannotWrite: as ``add``.
        """
        try:
            if film is None:
                self.films.remove(task, index)
            else:
                self.films.write(task, index, film, pictures)
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def finished(self, config: RunConfig) -> tuple[frozenset[tuple[str, int]], str]:
        """Task and index of the episodes that need not be done again, and when the last of all was written.

        A file that cannot be read, which no crash of ours leaves, is as good as not there.

        Args:
            config: Of the run as it is gone on with; see ``harness.records.budgets.is_final``.

        Raises:
            ForeignEpisodes: one of them was not planned.
        """
        found, last = set(), ""
        files = EpisodeFiles(self.folder, tuple(self._files()), self._planned())
        for file in files.files:
            try:
                episode = _read(file)
            except NotARun:
                continue
            files.check(file, episode)
            last = max(last, episode.ended)
            if is_final(episode, config):
                found.add((episode.task, episode.index))
        return frozenset(found), last

    def forget_episodes(self) -> None:
        """Remove all episodes, which are to be played anew; what they name stays.

        Raises:
            CannotWrite: the folder is read-only.
        """
        try:
            for file in self._files():
                file.unlink()
        except OSError as error:
            raise CannotWrite(self.folder, error) from error

    def copy_into(self, folder: Path, *leave: str) -> None:
        """Copy what is part of the run into a folder, beside what is there.

        Links are none: what they point to is somebody else's.

        Args:
            folder: It is made if it is not there.
            leave: Names of files and folders of the run directory that are left.

        Raises:
            OSError: something cannot be read or written.
        """

        def not_copied(inside: str, names: list[str]) -> set[str]:
            links = {name for name in names if Path(inside, name).is_symlink()}
            left = set(leave) & set(names) if Path(inside) == self.folder else set()
            return links | left | shutil.ignore_patterns(LOCK, LEFTOVERS)(inside, names)

        shutil.copytree(self.folder, folder, ignore=not_copied, dirs_exist_ok=True)

    def canonical(self) -> dict[str, Any]:
        """All that two runs of one configuration have in common, whatever the machine and the number of workers.

        Times, counts of messages, pictures, what was paid and what names places and versions are left out.

        Returns:
            ``run``: the content of ``run.json``; ``episodes``: path -> the content of that file.
        """
        run = json.loads((self.folder / RUN_FILE).read_text(encoding="utf-8"))
        files = {str(file.relative_to(self.folder)): file for file in self._files()}
        episodes = {path: json.loads(file.read_text(encoding="utf-8")) for path, file in files.items()}
        return {
            "run": canonical_run(run),
            "episodes": {path: canonical_episode(episode) for path, episode in episodes.items()},
        }

    def _files(self) -> list[Path]:
        files = list((self.folder / "episodes").glob("*/*.json"))
        if stray := [file for file in files if not file.stem.isdecimal()]:
            raise NotARun(f"{stray[0]} is no episode: it is not named by a number")
        return sorted(files, key=lambda file: (file.parent.name, int(file.stem)))

    def episodes(self) -> Iterator[Episode]:
        """All episodes, by task folder and index.

        Raises:
            NotARun: one of them cannot be read; names the file.
            ForeignEpisodes: there are others than were planned.
        """
        yield from self.episode_files()

    def episode_files(self) -> EpisodeFiles:
        """The files of all episodes, by task folder and index.

        Raises:
            NotARun: a file among them is none of an episode; or as ``read``.
            ForeignEpisodes: there are more than were planned.
        """
        files, planned = self._files(), self._planned()
        most = self.read().planned_episodes if self.exists() else None
        if most is not None and len(files) > most:
            raise ForeignEpisodes(
                f"{self.folder} holds {len(files)} episodes of {most} planned ones: others were written into it. "
                "Nothing of it can be relied on; run it again"
            )
        return EpisodeFiles(self.folder, tuple(files), planned)

    def check_records(self, pool: Executor | None = None) -> CheckedRecords:
        """What the digests of the run say of its episodes' records.

        Args:
            pool: What reads them; None for this process.

        Raises:
            NotARun: ``run.json`` or an episode cannot be read.
        """
        digest = self.read().episodes_digest if self.exists() else ""
        try:
            return check_records(self.folder, self._files(), digest, pool)
        except OSError as error:
            raise NotARun(f"an episode of {self.folder} cannot be read: {error}") from error

    def _planned(self) -> EpisodeFilter | None:
        sample = self.sample()
        return EpisodeFilter.of(sample) if sample else None

    def sample(self) -> PlannedSample | None:
        """What was planned; None while it is chosen, and of runs that did not keep it.

        Raises:
            MalformedRun: the sample cannot be read, or is another than ``run.json`` says.
        """
        file = self.folder / SAMPLE_FILE
        record = self.read() if self.exists() else None
        if record is None or record.planned_episodes is None or not file.exists():
            return None
        sample = read_record(file, PlannedSample)
        if (sample.fingerprint(), len(sample)) != (record.sample, record.planned_episodes):
            raise MalformedRun(f"{file} is not the sample of {self.folder / RUN_FILE}")
        return sample


def _written(episode: Episode) -> dict[str, Any]:
    """An episode as its file has it: that of a form says nothing of other kinds."""
    written: dict[str, Any] = codec.plain(episode)
    # Of one that was read from such a file it is not there.
    for own in ("site", "other"):
        if written.get(own) is None:
            written.pop(own, None)
    return written


def _is_ours(file: Path) -> bool:
    """Whether a file in an otherwise empty folder is of this run: its lock, or what a killed process left."""
    return file.match(LEFTOVERS) or file.name == LOCK


def _read(file: Path) -> Episode:
    return read_record(file, Episode)


@dataclass(frozen=True)
class _OlderConfig:
    """What a run's configuration said in place of ``input``: ``webdriver`` was input over DevTools."""

    display: Literal["webdriver", "desktop", ""] = ""


@dataclass(frozen=True)
class _OlderRun:
    config: _OlderConfig = field(default_factory=_OlderConfig)


def _with_its_input(file: Path, record: RunRecord) -> RunRecord:
    """A record that says how actions reached the page, as older ones did by another name; raises ``NotARun``."""
    if read_record(file, _OlderRun).config.display == "desktop":
        return replace(record, config=replace(record.config, input="desktop"))
    return record
