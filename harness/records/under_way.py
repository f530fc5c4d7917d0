"""Episodes while they go on: a small record a worker in the run directory, written over at each step, gone at the end.

under-way/<process>.json       what the worker with this process is at
under-way/<process>.picture    what its solver or its film saw last: PNG, WebP or JPEG

They are for people who look on; nothing of a run depends on them. No label is in them, nor what an action was given: a
solver that knows the labels writes these.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import json_text, path_name, write_bytes
from harness.records.episode import now
from harness.records.record_file import episode_file

UNDER_WAY = "under-way"
"""The folder in the run directory."""
MOST_OF_A_PROMPT = 20_000
"""Characters of a prompt that stand in a record, its last ones; pages are long, and what is asked comes last."""
_MOST_BYTES, _MOST_OF_A_PICTURE = 1 << 20, 32 << 20
_MOST_WORKERS = 256
_LOOKS = 3
_BETWEEN_PICTURES = 1.0
"""Seconds: writing them costs more than the record does."""


class Asked(Protocol):
    """A request to a model, as far as a record has it (``harness.models.messages.Request``)."""

    @property
    def last_words(self) -> str:
        """The texts of its last message."""

    @property
    def last_picture(self) -> bytes:
        """The last picture of its last message; empty if it has none."""


@dataclass(frozen=True)
class UnderWay:
    """An episode that goes on.

    Attributes:
        process: Of its worker.
        task: Its task.
        index: Its place in the task.
        since: When its page had opened, in ISO 8601.
        steps: Actions so far.
        action: The name of the last one; empty before the first.
        changed: When this was written.
        waiting: Since when it waits for a model, or a person; empty if it does not.
        prompt: The end of what the model was asked last, while it is waited for; empty otherwise.
        characters: Of all of that.
        pictured: Whether there is a picture.
    """

    process: int
    task: str
    index: int
    since: str
    steps: int = 0
    action: str = ""
    changed: str = ""
    waiting: str = ""
    prompt: str = ""
    characters: int = 0
    pictured: bool = False

    @property
    def folder(self) -> str:
        """The name of its folder in ``episodes/``."""
        return path_name(self.task)


class UnderWayFile:
    """The record of one worker, in its process. What cannot be written is not: the episode goes on."""

    def __init__(self, run: Path) -> None:
        """Begin, with no episode; what workers have left that were killed goes.

        Args:
            run: The run directory.
        """
        self._folder = run / UNDER_WAY
        self._episode: UnderWay | None = None
        self._record: int | None = None
        self._pictured = float("-inf")
        for file in self._folder.glob("*.*"):
            if file.stem.isdecimal() and not _lives(int(file.stem)):
                with contextlib.suppress(OSError):
                    file.unlink()

    def begin(self, task: str, index: int) -> None:
        """An episode begins."""
        self._pictured = float("-inf")
        self._close()
        with contextlib.suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            file = self._file("json")
            file.unlink(missing_ok=True)
            self._record = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        self._write(UnderWay(os.getpid(), task, index, now()))

    def stepped(self, steps: int, action: str) -> None:
        """An action was done.

        Args:
            steps: How many were, with it.
            action: Its name.
        """
        if self._episode:
            self._write(replace(self._episode, steps=steps, action=action))

    @contextlib.contextmanager
    def waiting(self, asked: Asked | None) -> Iterator[None]:
        """A context for a wait.

        Args:
            asked: What a model was asked; None if somebody else is waited for.
        """
        if self._episode:
            if asked and (picture := asked.last_picture):
                self.sees(picture)
            prompt = asked.last_words if asked else ""
            end = prompt[-MOST_OF_A_PROMPT:]
            self._write(replace(self._episode, waiting=now(), prompt=end, characters=len(prompt)))
        try:
            yield
        finally:
            if self._episode:
                self._write(replace(self._episode, waiting="", prompt="", characters=0))

    def sees(self, picture: bytes) -> None:
        """The page was pictured."""
        if self._episode is None or time.monotonic() - self._pictured < _BETWEEN_PICTURES:
            return
        self._pictured = time.monotonic()
        with contextlib.suppress(OSError):
            write_bytes(self._file("picture"), picture)
            self._write(replace(self._episode, pictured=True))

    def end(self) -> None:
        """The episode has ended."""
        self._episode = None
        self._close()
        for kind in ("json", "picture"):
            with contextlib.suppress(OSError):
                self._file(kind).unlink(missing_ok=True)

    def _write(self, episode: UnderWay) -> None:
        """Write the record over itself: a new file in its place, some times a second, would cost ext4 milliseconds."""
        self._episode = episode
        if self._record is not None:
            record = json_text(codec.plain(replace(episode, changed=now())))
            with contextlib.suppress(OSError):
                os.pwrite(self._record, record, 0)
                os.ftruncate(self._record, len(record))

    def _close(self) -> None:
        if self._record is not None:
            os.close(self._record)
            self._record = None

    def _file(self, kind: str) -> Path:
        return self._folder / f"{os.getpid()}.{kind}"


def episodes_under_way(run: Path) -> tuple[UnderWay, ...]:
    """The episodes that go on in a run, by task and index; what cannot be read is passed over.

    Args:
        run: The run directory. Nothing is to be told of one that nobody writes.
    """
    found = []
    for file in sorted((run / UNDER_WAY).glob("*.json"))[:_MOST_WORKERS]:
        episode = _read(run, file)
        if episode and f"{episode.process}.json" == file.name and not _is_written(run, episode, file):
            found.append(episode)
    return tuple(sorted(found, key=lambda each: (each.task, each.index)))


def picture_under_way(run: Path, process: int) -> bytes:
    """What the worker with a process saw last.

    Raises:
        OSError: there is no such picture, or it cannot be read.
    """
    return read_inside(run, f"{UNDER_WAY}/{process}.picture", _MOST_OF_A_PICTURE)


def _read(run: Path, file: Path) -> UnderWay | None:
    """A record; None if it cannot be read. It may just be written, so that more than one look is taken."""
    for _ in range(_LOOKS):
        try:
            return codec.decode(read_inside(run, f"{UNDER_WAY}/{file.name}", _MOST_BYTES), UnderWay)
        except (OSError, ValueError, UserError):
            continue
    return None


def _is_written(run: Path, episode: UnderWay, record: Path) -> bool:
    """Whether the episode has come to its end since: its worker was killed before it could say so."""
    with contextlib.suppress(OSError):
        return episode_file(run, episode.task, episode.index).stat().st_mtime_ns > record.stat().st_mtime_ns
    return False


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
