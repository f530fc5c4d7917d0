"""What there is of an episode in a run directory that somebody else may have written: every name is looked at first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from harness.catalog.kinds import KINDS
from harness.kit.files import codec
from harness.kit.files.inside import MOST, ForeignFile, open_inside, read_inside, real_path
from harness.kit.files.writing import path_name
from harness.kit.text import shorten
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import FILMS, Film, FilmFiles
from harness.records.record_file import MalformedRun, NotARun, read_record
from harness.records.texts import read_text, unpacked

MEDIA_TYPES = {"png": "image/png", "webp": "image/webp", "jpg": "image/jpeg"}
"""What the names of pictures end in, and their media types."""

T = TypeVar("T")

_TASK = re.compile(r"[A-Za-z0-9_~%][A-Za-z0-9_.~%-]*")
_CONTENT = re.compile(r"[0-9a-f]{64}")
_STEP_PICTURE = re.compile(r"[0-9a-f]{64}\.png")
_FILM_PICTURE = re.compile(r"[0-9a-f]{64}\.(?:png|webp|jpg)")


def is_content_name(name: str) -> bool:
    """Whether a name can be that of a picture or a text: SHA-256 in hexadecimal digits."""
    return _CONTENT.fullmatch(name) is not None


@dataclass(frozen=True)
class EpisodeFiles:
    """The files of a run, one by one. What a link leads to outside of its folder is not read.

    Attributes:
        folder: The run directory.
    """

    folder: Path

    def source(self, task: str, index: int) -> bytes:
        """The file of an episode, as it stands.

        Args:
            task: The task's name as it stands in paths (``harness.kit.files.writing.path_name``).
            index: Of the instance.

        Raises:
            NotARun: there is none, or it cannot be read.
        """
        if not _TASK.fullmatch(task):
            raise NotARun(f"{shorten(task)!r} is no folder of episodes")
        return self._read(f"episodes/{task}/{index}.json")

    def episode(self, task: str, index: int) -> Episode:
        """An episode; arguments as for ``source``.

        Raises:
            NotARun: there is none, or it is not as a run leaves it.
        """
        self.source(task, index)
        file = self.folder / "episodes" / task / f"{index}.json"
        episode = read_record(file, Episode)
        try:
            here = (path_name(episode.task), episode.index) == (task, index)
        except ValueError:
            here = False
        if not here:
            raise MalformedRun(f"{file} holds another episode: instance {episode.index} of {shorten(episode.task)!r}")
        if unknown := next((field for field in episode.fields if field.kind not in KINDS), None):
            raise MalformedRun(f"{file} cannot be read: {shorten(unknown.name)!r} is of no known kind")
        return _showable(episode)

    def film(self, episode: Episode) -> Film | None:
        """The film of an episode; None if it has none.

        Raises:
            NotARun: it cannot be read.
        """
        file = f"{FILMS}/{path_name(episode.task)}/{episode.index}.json"
        try:
            open_inside(self.folder, file).close()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NotARun(f"{self.folder / file} cannot be read: {error}") from error
        film = RunDirectory(self.folder).film(episode.task, episode.index)
        return _showable(film) if film else None

    def step_picture(self, name: str) -> bytes:
        """A picture that a step or a turn names, by the name of its file.

        Raises:
            NotARun: there is none, or it cannot be read.
        """
        return self._picture("images", name, _STEP_PICTURE)

    def film_picture(self, name: str) -> bytes:
        """A picture that a frame names; errors as for ``step_picture``."""
        return self._picture(f"{FILMS}/pictures", name, _FILM_PICTURE)

    def film_page(self, name: str) -> str:
        """What a page held, by the name that a frame has for it; errors as for ``step_picture``."""
        return FilmFiles(self.folder).html(name)

    def packed_text(self, name: str) -> Any:
        """The JSON value in a text, long texts in it by their names.

        Raises:
            NotARun: there is none, or it cannot be read.
        """
        return self._text(name, read_text)

    def whole_text(self, name: str) -> Any:
        """The JSON value in a text, whole; errors as for ``packed_text``."""
        return self._text(name, unpacked)

    @cached_property
    def _texts(self) -> Path:
        """The folder of texts, which lies in the run: whoever reads one by one follows a link in its place."""
        try:
            folder = real_path(self.folder / "texts")
        except ForeignFile as error:
            raise ForeignFile("its folder is a link that leads to itself") from error
        if not folder.is_relative_to(self.folder.resolve()):
            raise ForeignFile("its folder is a link that leads out of the run")
        return folder

    def _text(self, name: str, read: Callable[[Path, str], Any]) -> Any:
        try:
            return read(self._texts, name)
        except (OSError, ValueError) as error:
            raise NotARun(f"{self.folder} holds no text {shorten(name)!r} that can be read: {error}") from error

    def _picture(self, folder: str, name: str, pattern: re.Pattern[str]) -> bytes:
        if not pattern.fullmatch(name):
            raise NotARun(f"{shorten(name)!r} is no picture of a run")
        return self._read(f"{folder}/{name}")

    def _read(self, name: str) -> bytes:
        try:
            return read_inside(self.folder, name, MOST)
        except OSError as error:
            raise NotARun(f"{self.folder / name} cannot be read: {error}") from error


def _showable(record: T) -> T:
    """A record without halves of surrogate pairs, which a page or a model can send and no page can show."""
    text = json.dumps(codec.plain(record), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return codec.decode(text.encode("utf-8", "replace"), type(record))
    return record
