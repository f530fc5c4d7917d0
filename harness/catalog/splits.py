"""The splits of a task set: text files that list task names, and files that pin single instances.

A list puts each of its tasks into one split. A pinned split picks instances by their ids from tasks of any split, and
is a sample that stays the same whatever else changes:

    {"tasks": {"<name of the task>": ["<instance id>", ...]}}
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.catalog.csv_table import CsvTable, UnreadableTable, read_table
from harness.catalog.facts import parse_json
from harness.catalog.problems import CatalogError, Problem, decode
from harness.kit.files.inside import read_inside
from harness.kit.text import close_names, counted, few, noun

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
        """Return one problem for all lines that name none of `tasks`: a part of a task set lacks many."""
        known = {_normal(name) for name in tasks}
        gone = [line for line in self._lines if _normal(line.name) not in known]
        if not gone:
            return []
        if len(gone) > 1:
            listed = few(_with_meant(line, tasks) for line in gone)
            what = f"{len(gone)} of the {len(self._lines)} names in lists have no task here and are skipped: {listed}"
            remedy = "Add the folders, or correct or remove the lines"
            return [Problem("", gone[0].file.parent, None, None, what, remedy)]
        (line,) = gone
        near = close_names(line.name, tasks)
        remedy = f"Perhaps {near} is meant" if near else "Add the folder or remove the line"
        what = f"there is no task {line.name!r}; the line is skipped"
        return [Problem(line.name, line.file, line.number, None, what, remedy)]


def _with_meant(line: _Line, tasks: Sequence[str]) -> str:
    near = close_names(line.name, tasks)
    return f"{line.name!r} ({line.file.name}, line {line.number}" + (f"; perhaps {near} is meant)" if near else ")")


def split_files(tasks_dir: Path) -> list[Path]:
    """Return the split files of a task set, sorted: in its folder `splits`, else in the one beside it."""
    folder = _folder(tasks_dir)
    return sorted(file for file in folder.glob("*.txt") if file.is_file()) if folder else []


def _folder(tasks_dir: Path) -> Path | None:
    # A private folder among tasks is a task set of its own, which has nothing to do with their splits.
    private = tasks_dir.name.startswith("_")
    places = (tasks_dir / FOLDER,) if private else (tasks_dir / FOLDER, tasks_dir.parent / FOLDER)
    return next((folder for folder in places if folder.is_dir()), None)


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
            listed = re.split(r"\r\n|\r|\n", decode(read_inside(file.parent, file.name)))
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


@dataclass(frozen=True)
class PinnedSplit:
    """A split that picks single instances.

    Attributes:
        file: Where it was read.
        tasks: Task -> the ids of its instances.
    """

    file: Path
    tasks: Mapping[str, frozenset[str]]

    def absent(self, names: Sequence[str]) -> list[Problem]:
        """Return one problem if some of its tasks are not among `names`; the others can be used."""
        gone = sorted(set(self.tasks).difference(names))
        if not gone:
            return []
        some = f"{len(gone)} of its {counted(len(self.tasks), 'task')} {noun(len(gone), 'is', 'are')}"
        what = f"{some} not here ({few(map(repr, gone))}); {noun(len(gone), 'it is', 'they are')} skipped"
        return [Problem("", self.file, None, None, what, "Fetch the whole task set to have them all")]


def pinned_files(tasks_dir: Path) -> dict[str, Path]:
    """Return the files that pin the instances of a split, by split: `*.json` beside the split files."""
    folder = _folder(tasks_dir)
    return {file.stem: file for file in sorted(folder.glob("*.json")) if file.is_file()} if folder else {}


def read_pinned(file: Path) -> PinnedSplit:
    """Read a file that pins the instances of a split.

    Args:
        file: A JSON file: a map with the key `tasks` (task name -> list of instance ids), and for readers
            `description`. Or a CSV file with the columns `task` and `id`, a row an instance.

    Raises:
        CatalogError: If it cannot be read or holds anything else.
    """
    try:
        content = read_inside(file.parent, file.name)
        if file.suffix.lower() == ".csv":
            return PinnedSplit(file, _pinned_rows(file, read_table(content)))
        data = parse_json(content)
    except (OSError, ValueError, UnreadableTable) as error:
        raise CatalogError(f"split {file} cannot be read: {error}. Correct the file.") from error
    tasks = data.get("tasks") if isinstance(data, dict) else None
    if not isinstance(tasks, dict) or not all(map(_is_text_list, tasks.values())):
        raise CatalogError(f'split {file} has no map of ids. Write {{"tasks": {{"<task>": ["<instance id>"]}}}}.')
    return PinnedSplit(file, {name: frozenset(ids) for name, ids in tasks.items()})


def is_file(split: str) -> bool:
    """Whether a split is named by the file that pins it."""
    return Path(split).suffix.lower() in {".json", ".csv"} and Path(split).is_file()


def _pinned_rows(file: Path, table: CsvTable) -> dict[str, frozenset[str]]:
    if missing := [name for name in ("task", "id") if name not in table.header]:
        raise CatalogError(
            f"split {file} has no column {' and none '.join(missing)}. Give each instance a row with both."
        )
    tasks, ids = ([row[table.header.index(name)] for row in table.rows] for name in ("task", "id"))
    found: dict[str, set[str]] = {}
    for task, each in zip(tasks, ids, strict=True):
        found.setdefault(task, set()).add(each)
    return {task: frozenset(of_task) for task, of_task in found.items()}


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _normal(name: str) -> str:
    """Some file systems store names decomposed; a list written elsewhere must still find them."""
    return unicodedata.normalize("NFC", name.strip())
