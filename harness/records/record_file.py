"""A record in a file of a run directory, which somebody else may have written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from harness.catalog.kinds import KINDS
from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import path_name
from harness.kit.text import shorten
from harness.records.episode import SCHEMA, Episode
from harness.records.planned import EpisodeFilter

T = TypeVar("T")


class NotARun(UserError):
    """A folder is no run directory, or one of another schema version."""


class MalformedRun(NotARun):
    """A file of a run directory is JSON of this schema version, and yet not as a run leaves it."""


def read_record(file: Path, kind: type[T]) -> T:
    """The record in a file.

    Args:
        file: The file, in the folder in which it lies.
        kind: The record's class.

    Raises:
        NotARun: it cannot be read.
    """
    try:
        text = read_inside(file.parent, file.name, MOST)
        return codec.decode(text, kind)
    except OSError as error:
        raise NotARun(f"{file} cannot be read: {error}") from error
    except codec.Malformed as error:
        raise _refusal(file, text, error) from error


@dataclass(frozen=True)
class _Version:
    """What the files of all versions of the format have in common."""

    schema: int = SCHEMA


def _refusal(file: Path, text: bytes, error: codec.Malformed) -> NotARun:
    """Why a file cannot be read: it is no JSON, of another version, or else what is wrong with it."""
    try:
        version = codec.decode(text, _Version).schema
    except codec.Malformed:
        return NotARun(f"{file} cannot be read: {error}")
    if version != SCHEMA:
        return NotARun(f"{file} has schema version {version}; this version of turkbench reads {SCHEMA}")
    return MalformedRun(f"{file} cannot be read: {error}")


class ForeignEpisodes(MalformedRun):
    """A run directory holds episodes that its run did not plan: nothing of it can be relied on."""


def episode_file(folder: Path, task: str, index: int) -> Path:
    """Where the episode of an instance stands in a run directory."""
    return folder.joinpath("episodes", path_name(task), f"{index}.json")


@dataclass(frozen=True)
class EpisodeFiles:
    """Episode files of a run; to go through them reads them.

    Attributes:
        folder: The run directory.
        files: The files, in order.
        planned: What tells the episodes that were planned; None if that is not known.
    """

    folder: Path
    files: tuple[Path, ...]
    planned: EpisodeFilter | None

    def __len__(self) -> int:
        return len(self.files)

    def __iter__(self) -> Iterator[Episode]:
        """The episodes.

        Raises:
            NotARun: one of them cannot be read; names the file.
            ForeignEpisodes: one is not where it belongs, or was not planned.
        """
        for file in self.files:
            episode = read_record(file, Episode)
            self.check(file, episode)
            yield episode

    def parts(self, most: int) -> Iterator[EpisodeFiles]:
        """The same files in parts, in order: each can be sent to another process, and is read there.

        Args:
            most: Files of a part.
        """
        for first in range(0, len(self.files), most):
            files = self.files[first : first + most]
            planned = self.planned.within({file.parent.name for file in files}) if self.planned else None
            yield replace(self, files=files, planned=planned)

    def check(self, file: Path, episode: Episode) -> None:
        """See that an episode stands in its place, and was planned.

        Raises:
            MalformedRun: it does not, or was not; names the file.
        """
        try:
            place = episode_file(self.folder, episode.task, episode.index)
            f"{episode.id}{episode.split}".encode()  # half of a surrogate pair is in no name
        except ValueError as error:
            raise MalformedRun(f"{file} cannot be read: $.task, $.id or $.split: {error}") from error
        if place != file:
            raise ForeignEpisodes(f"{file} holds another episode: instance {episode.index} of {episode.task!r}")
        if unknown := next((field for field in episode.fields if field.kind not in KINDS), None):
            raise MalformedRun(
                f"{file} cannot be read: $.fields: {shorten(unknown.name)!r} is of the unknown kind "
                f"{shorten(unknown.kind)!r}; known are {', '.join(KINDS)}"
            )
        if self.planned and not self.planned.takes(episode):
            raise ForeignEpisodes(
                f"{file} is no episode of this run: it planned no instance {episode.index} of {episode.task!r} with "
                f"the id {episode.id!r}. Nothing of the run can be relied on; run it again"
            )
