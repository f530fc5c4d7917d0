"""The splits of a task set: text files that list task names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.catalog.problems import Problem, decode
from harness.names import close_names

FOLDER = "splits"
DEFAULT = "train"

# The names of the lists of TurkingBench; any other file is named after its split.
_SPLIT_OF_STEM = {
    "evaluation_tasks_easy": "test",
    "evaluation_tasks_hard": "challenge",
    "subjective_evaluation_tasks": "subjective",
}


@dataclass(frozen=True)
class _Line:
    """Where a list names a task, and how."""

    name: str
    file: Path
    number: int


@dataclass(frozen=True)
class SplitLists:
    """What the split files say.

    Attributes:
        names: The splits that have a file, sorted.
        problems: Names that two splits claim, and files that cannot be read.
    """

    names: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    _split_of: Mapping[str, str] = field(default_factory=dict)
    _lines: tuple[_Line, ...] = ()

    def split_of(self, task: str) -> str | None:
        """Return the split whose list names a task, None if there is none."""
        return self._split_of.get(_normal(task))

    def unknown(self, tasks: Sequence[str]) -> list[Problem]:
        """Return a problem for each line that names none of `tasks`."""
        known = {_normal(name) for name in tasks}
        problems = []
        for line in self._lines:
            if _normal(line.name) not in known:
                near = close_names(line.name, tasks)
                remedy = f"Perhaps {near} is meant" if near else "Add the folder or remove the line"
                what = f"there is no task {line.name!r}; the line is skipped"
                problems.append(Problem(line.name, line.file, line.number, None, what, remedy))
        return problems


def split_files(tasks_dir: Path) -> list[Path]:
    """Return the split files of a task set, sorted: in its folder `splits`, else in the one beside it."""
    for folder in (tasks_dir / FOLDER, tasks_dir.parent / FOLDER):
        if folder.is_dir():
            return sorted(file for file in folder.glob("*.txt") if file.is_file())
    return []


def read_splits(files: Iterable[Path]) -> SplitLists:
    """Read split files: UTF-8, one task name a line, blank lines allowed.

    A name that two of them put in different splits stays in the first.
    """
    names: set[str] = set()
    split_of: dict[str, str] = {}
    lines: list[_Line] = []
    problems: list[Problem] = []
    for file in files:
        split = _SPLIT_OF_STEM.get(file.stem, file.stem)
        names.add(split)
        try:
            # Not splitlines, which also splits at characters that a folder name may hold.
            listed = re.split(r"\r\n|\r|\n", decode(file.read_bytes()))
        except (OSError, UnicodeDecodeError) as error:
            remedy = "Save it as UTF-8, one task name a line"
            problems.append(Problem("", file, None, None, f"the list cannot be read: {error}", remedy))
            continue
        for number, line in enumerate(listed, start=1):
            name = line.strip()
            if not name:
                continue
            first = split_of.setdefault(_normal(name), split)
            if first != split:
                what = f"{name!r} is in the split {first} already; the line is skipped"
                problems.append(Problem(name, file, number, None, what, "Keep it in one of the lists"))
            lines.append(_Line(name, file, number))
    return SplitLists(tuple(sorted(names)), tuple(problems), split_of, tuple(lines))


def _normal(name: str) -> str:
    """Some file systems store names decomposed; a list written elsewhere must still find them."""
    return unicodedata.normalize("NFC", name.strip())
