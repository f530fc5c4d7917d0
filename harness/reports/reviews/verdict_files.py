"""Changing what one judge has said: the file is read, changed and written whole, by one at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from harness.kit.files.writing import path_name
from harness.records.verdict import Judge, JudgedRun, PlaceVerdict, Verdicts, read_verdicts, write_verdicts

VerdictPlace: TypeAlias = tuple[str, int, str | None]
"""Task, index and field; of a whole episode, no field."""


def verdicts_file(folder: Path, judge: Judge) -> Path:
    """Where in a folder what a judge says is kept."""
    return folder / f"{path_name(judge.name)}.json"


def known_verdicts(file: Path) -> dict[VerdictPlace, PlaceVerdict]:
    """What a file says, by place; nothing if it is not there.

    Raises:
        MalformedVerdicts: it cannot be read.
    """
    return {each.place: each for each in read_verdicts(file).verdicts} if file.exists() else {}


def change_verdicts(
    folder: Path,
    run: JudgedRun,
    judge: Judge,
    change: Callable[[Mapping[VerdictPlace, PlaceVerdict]], Sequence[PlaceVerdict]],
) -> None:
    """Change what a judge has said, so that of two who do so at once, in whatever process, neither is lost.

    Args:
        folder: Where files of verdicts are.
        run: What is judged.
        judge: Who.
        change: What was said -> what is to stand, in order. What it raises leaves the file as it was.

    Raises:
        OSError: the place cannot be written; what was there is.
        MalformedVerdicts: what was there cannot be read.
    """
    file = verdicts_file(folder, judge)
    with alone(folder):
        write_verdicts(file, Verdicts(run=run, judge=judge, verdicts=tuple(change(known_verdicts(file)))))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until nobody else, of threads and of processes, changes a file in a folder, which is made if need be.

    Args:
        folder: The folder.

    Raises:
        OSError: it cannot be made or opened.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # The folder itself is locked: a file would lie there afterwards, and could not be removed without a race.
    held = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
