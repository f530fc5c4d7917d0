"""The film of an episode: what the page showed when it had opened, and after each step."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.browser.browser_choice import SUFFIXES, PictureFormat
from harness.kit.files.codec import Count, plain
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import path_name, write_bytes, write_json
from harness.records.episode import SCHEMA
from harness.records.record_file import MalformedRun, NotARun, read_record

FILMS = "films"
"""The folder of films in a run directory."""
MOST_FRAMES = 2_000
"""Frames of one film; what happened after them is counted."""

_PICTURE = re.compile(rf"[0-9a-f]{{64}}\.({'|'.join(SUFFIXES.values())})")
_PAGE = re.compile(r"[0-9a-f]{64}\.gz")


@dataclass(frozen=True, kw_only=True)
class Target:
    """The element that was acted on.

    Attributes:
        css: A CSS selector of it: by id or name, else by place; empty if too long.
        xpath: The same as XPath.
        box: Left, top, width, height in CSS pixels of the viewport, when it was acted on; None if unknown.
        text: What it says, at most 200 characters.
    """

    css: str
    xpath: str
    box: tuple[float, float, float, float] | None = None
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The page at one moment.

    Attributes:
        step: Place in ``steps`` of the step before it; None for the opened page, and for programs that drive the
            browser.
        deed: What such a program did, e.g. ``click (412, 96)``; else empty.
        url: The page's address, shortened.
        title: Its title, shortened.
        picture: Picture of the viewport: a file in ``films/pictures``; empty if there is none.
        html: The page as HTML and what its controls hold: a file in ``films/pictures``, packed by gzip.
        console: What scripts wrote to the console since the frame before.
        size: Width and height of the viewport in CSS pixels.
        scroll: CSS pixels scrolled right and down.
        target: The element that was acted on; None if none, or unknown.
        presses: Mouse presses that the page heard; None if unknown.
        keys: Keys pressed, an inserted text counting as one; None if unknown.
        ms: Milliseconds that the frame took of the episode.
    """

    step: int | None = None
    deed: str = ""
    url: str = ""
    title: str = ""
    picture: str = ""
    html: str = ""
    console: tuple[str, ...] = ()
    size: tuple[int, int]
    scroll: tuple[float, float] = (0.0, 0.0)
    target: Target | None = None
    presses: int | None = None
    keys: int | None = None
    ms: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Film:
    """The film of an episode, as it stands in ``films/<task>/<index>.json``.

    Attributes:
        schema: Version of the format.
        frames: The opened page, then one a step.
        left_out: Number of steps without a frame.
        replayed: Whether ``turkbench replay`` made it from the recorded actions.
    """

    schema: Literal[4] = SCHEMA
    frames: tuple[Frame, ...]
    left_out: Count = 0
    replayed: bool = False


def picture_name(data: bytes, kind: PictureFormat) -> str:
    """The name of the file of a picture."""
    return f"{hashlib.sha256(data).hexdigest()}.{SUFFIXES[kind]}"


def page_name(data: bytes) -> str:
    """The name of the file of what a page held."""
    return f"{hashlib.sha256(data).hexdigest()}.gz"


@dataclass(frozen=True)
class EpisodeFilm:
    """A film with the pictures, and what pages held, that it names."""

    film: Film
    pictures: Mapping[str, bytes]


@dataclass(frozen=True)
class FilmFiles:
    """The films of a run.

    Attributes:
        folder: The run directory.
    """

    folder: Path

    def file(self, task: str, index: int) -> Path:
        """Where the film of an instance's episode stands."""
        return self.folder / FILMS / path_name(task) / f"{index}.json"

    def read(self, task: str, index: int) -> Film | None:
        """The film of an instance's episode; None if it has none.

        Raises:
            NotARun: it cannot be read.
        """
        file = self.file(task, index)
        if not file.exists():
            return None
        film = read_record(file, Film)
        for number, frame in enumerate(film.frames):
            if frame.picture and not _PICTURE.fullmatch(frame.picture):
                raise MalformedRun(f"{file} cannot be read: $.frames[{number}].picture: it names no picture")
            if frame.html and not _PAGE.fullmatch(frame.html):
                raise MalformedRun(f"{file} cannot be read: $.frames[{number}].html: it names no page")
        return film

    def picture(self, name: str) -> bytes:
        """A picture by the name that a frame has for it.

        Raises:
            NotARun: there is none, or it cannot be read.
        """
        if not _PICTURE.fullmatch(name):
            raise MalformedRun(f"{self.folder / FILMS} holds no picture of that name")
        try:
            return read_inside(self._pictures, name, MOST)
        except OSError as error:
            raise NotARun(f"{self._pictures / name} cannot be read: {error}") from error

    def html(self, name: str) -> str:
        """What a page held, by the name that a frame has for it.

        Raises:
            NotARun: there is nothing of it, it cannot be read, or it is too large.
        """
        if not _PAGE.fullmatch(name):
            raise MalformedRun(f"{self.folder / FILMS} holds no page of that name")
        try:
            packed = read_inside(self._pictures, name, MOST)
            opened = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            data = opened.decompress(packed, MOST)
        except (OSError, zlib.error) as error:
            raise NotARun(f"{self._pictures / name} cannot be read: {error}") from error
        if opened.unconsumed_tail:
            raise NotARun(f"{self._pictures / name} cannot be read: it holds more than {MOST:,} bytes")
        return data.decode("utf-8", "replace")

    def write(self, task: str, index: int, film: Film, pictures: Mapping[str, bytes]) -> None:
        """Write a film, whole, in place of the one before; its pictures come first.

        Args:
            task: Of the episode.
            index: Of the episode.
            film: The film.
            pictures: Pictures by their names.

        Raises:
            OSError: the disk is full or the folder read-only; nothing is half-written.
        """
        for name, data in pictures.items():
            if not (self._pictures / name).exists():
                write_bytes(self._pictures / name, data)
        write_json(self.file(task, index), plain(film))

    def remove(self, task: str, index: int) -> None:
        """Remove the film of an instance, if it has one; its pictures stay, since others may show them.

        Raises:
            OSError: the folder is read-only.
        """
        self.file(task, index).unlink(missing_ok=True)

    @property
    def _pictures(self) -> Path:
        return self.folder / FILMS / "pictures"
