"""Tags and notes on the runs of a folder: one file beside the folder, ``FOLDER_notes.json``, and nothing in any run."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import plain
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import write_json
from harness.records.episode import now
from harness.records.run_record import RunRecord

SCHEMA: Literal[1] = 1
"""The version of the format of the file."""
LONGEST_TAG, MOST_TAGS, LONGEST_NOTE = 40, 20, 4_000
"""Characters of a tag, tags of a run, characters of a note."""


CHANGED = "Somebody else changed the tags or the note of this run in the meantime"
"""What is said to whoever would write over what he has not seen."""


class WrongNote(UserError):
    """Tags or a note cannot be kept as they are; the message says what is wrong with them."""


class NotesChanged(UserError):
    """Somebody else changed the tags or the note of a run in the meantime."""


class MalformedNotes(UserError):
    """The file of notes cannot be read; the message says why, and what to do."""


@dataclass(frozen=True, kw_only=True)
class RunNote:
    """What people noted of a run.

    Attributes:
        path: The path of the run below the folder, when this was noted.
        started: When the run began, by which it is known again if it moves; with ``solver``.
        solver: Its solver.
        tags: Short words for it.
        note: What there is to say of it; may have lines.
        at: When this was noted: ISO 8601, UTC; empty if never.
        by: Who did; empty if the server has no accounts.
    """

    path: str
    started: str
    solver: str
    tags: tuple[str, ...] = ()
    note: str = ""
    at: str = ""
    by: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is noted."""
        return not self.tags and not self.note

    def is_of(self, other: RunNote) -> bool:
        """Whether both are of one run, wherever it lies."""
        return (self.started, self.solver) == (other.started, other.solver)


@dataclass(frozen=True, kw_only=True)
class _NotesFile:
    schema: Literal[1] = SCHEMA
    notes: tuple[RunNote, ...] = ()


@dataclass(frozen=True)
class LostNote:
    """A note whose run cannot be told.

    Attributes:
        note: The note.
        reason: Why, in a sentence.
    """

    note: RunNote
    reason: str


@dataclass(frozen=True)
class PlacedNotes:
    """Which note belongs to which run of a folder.

    Attributes:
        notes: By the path of each run in it: its note, which is empty if it has none.
        lost: Notes that belong to none of them, or of which that cannot be told.
    """

    notes: Mapping[str, RunNote]
    lost: tuple[LostNote, ...]

    @property
    def tags(self) -> Mapping[str, int]:
        """Tag -> how many runs have it, by name."""
        found = Counter(tag for note in self.notes.values() for tag in note.tags)
        return dict(sorted(found.items(), key=lambda each: (each[0].casefold(), each[0])))


def empty_note(parts: Sequence[str], record: RunRecord | None) -> RunNote:
    """A note of a run that says nothing yet.

    Args:
        parts: The names of the folders that lead to the run.
        record: Its ``run.json``; None if that cannot be read: then the run is known by its path alone.
    """
    path = "/".join(parts).encode("utf-8", "replace").decode()
    if record is None:
        return RunNote(path=path, started="", solver="")
    return RunNote(path=path, started=record.started, solver=record.config.solver)


def written_note(about: RunNote, tags: str, note: str, by: str) -> RunNote:
    """A note as somebody wrote it.

    Args:
        about: Of which run.
        tags: The tags, with commas between.
        note: The note.
        by: Who wrote it.

    Raises:
        WrongNote: a tag or the note is too long, there are too many tags, or a tag is not one line.
    """
    found = {tag.casefold(): tag for each in tags.split(",") if (tag := " ".join(each.split()))}
    for tag in found.values():
        if len(tag) > LONGEST_TAG or not tag.isprintable():
            raise WrongNote(f"The tag {tag[:LONGEST_TAG]!r} is no tag: write at most {LONGEST_TAG} visible characters")
    if len(found) > MOST_TAGS:
        raise WrongNote(f"These are {len(found)} tags: a run has at most {MOST_TAGS}")
    note = "\n".join(line.rstrip() for line in note.strip().splitlines())
    if len(note) > LONGEST_NOTE:
        raise WrongNote(f"The note has {len(note):,} characters: write at most {LONGEST_NOTE:,}")
    return replace(about, tags=tuple(found.values()), note=note, at=now(), by=by)


class RunNotes:
    """The file of the notes of a folder of runs.

    Attributes:
        file: The file, which need not be there.
    """

    def __init__(self, folder: Path) -> None:
        """The file beside a folder of runs, or beside a run.

        Args:
            folder: The folder.
        """
        whole = folder.resolve()
        self.file = whole.with_name(f"{whole.name}_notes.json")

    def read(self) -> tuple[RunNote, ...]:
        """All notes.

        Raises:
            MalformedNotes: they cannot be read.
        """
        try:
            return codec.decode(read_inside(self.file.parent, self.file.name, MOST), _NotesFile).notes
        except FileNotFoundError:
            return ()
        except (OSError, codec.Malformed) as error:
            raise MalformedNotes(f"The notes on runs, {self.file}, cannot be read: {error}. Mend or move it") from error

    def placed(self, runs: Iterable[RunNote]) -> PlacedNotes:
        """Which note belongs to which run: that of its place, if the run is the same; else that of a run that moved.

        Args:
            runs: ``empty_note`` of each run of the folder.

        Raises:
            MalformedNotes: as ``read``.
        """
        found = {run.path: run for run in runs}
        left = []
        for note in self.read():
            here = found.get(note.path)
            # Of a run that cannot be read, or could not when it was noted, nothing but its place is known.
            if here and here.is_empty and (here.is_of(note) or not here.started or not note.started):
                found[note.path] = note
            else:
                left.append(note)
        lost = []
        for note in left:
            same = [path for path, run in found.items() if run.is_of(note)]
            free = [path for path in same if found[path].is_empty]
            if len(free) == 1:
                found[free[0]] = note
            else:
                lost.append(LostNote(note, _reason(same, free, is_taken=note.path in found)))
        return PlacedNotes(found, tuple(lost))

    def write(self, note: RunNote, before: RunNote) -> None:
        """Keep a note in place of another; an empty one takes the other away.

        Args:
            note: The note.
            before: What was noted of the run before, as the writer saw it; empty if nothing was.

        Raises:
            NotesChanged: something else stands there.
            MalformedNotes: what is there cannot be read.
            WrongNote: the file cannot be written.
        """

        def change(notes: tuple[RunNote, ...]) -> list[RunNote]:
            if before.is_empty:
                others = [each for each in notes if not (each.path == note.path and each.is_of(note))]
                changed = len(others) < len(notes)
            else:
                others = [each for each in notes if each != before]
                changed = len(others) == len(notes)
            if changed:
                raise NotesChanged(CHANGED)
            return others if note.is_empty else [*others, note]

        self._change(change)

    def forget(self, note: RunNote) -> None:
        """Take a note away, if it is there.

        Raises:
            MalformedNotes: what is there cannot be read.
            WrongNote: the file cannot be written.
        """
        self._change(lambda notes: [each for each in notes if each != note])

    def _change(self, change: Callable[[tuple[RunNote, ...]], list[RunNote]]) -> None:
        try:
            with self._alone():
                notes = self.read()
                changed = tuple(sorted(change(notes), key=lambda each: each.path))
                if changed != notes:
                    write_json(self.file, plain(_NotesFile(notes=changed)))
        except OSError as error:
            raise WrongNote(f"{self.file} cannot be written: {error}. Nothing was kept") from error

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """A context in which no other process writes the file: the folder that it is in is locked, so none is left."""
        folder = os.open(self.file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def _reason(same: Sequence[str], free: Sequence[str], *, is_taken: bool) -> str:
    if free:
        same_runs = f"{len(free)} runs here began when its run did, with the same solver"
        return f"{same_runs}: of which of them it is cannot be told."
    if same:
        return "Its run has another note."
    if is_taken:
        return "Another run is in its place now."
    return "Its run is not here any more: it was removed, or moved out of this folder."
