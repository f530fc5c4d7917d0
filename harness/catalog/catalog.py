"""Task folders -> tasks and their instances.

A task is a folder with a template, a table of inputs and workers' labels, and optionally facts:

    <tasks_dir>/<name>/template.html, batch.csv, task.json
    <tasks_dir>/splits/*.txt  or  <tasks_dir>/../splits/*.txt

The folders are the one source of truth; nothing is imported anywhere, and an edit is seen at the next access.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog import splits as split_lists
from harness.catalog.facts import Facts, TaskFacts, read_task_json
from harness.catalog.kinds import KindName
from harness.catalog.overlay import overlay_of
from harness.catalog.problems import CatalogError, MalformedTask, Problem
from harness.catalog.task import FACTS, FILES, TEMPLATE, Instance, Task, media_files, read_task
from harness.catalog.tasks_folder import (
    canonical,
    files_hash,
    folder_refusal,
    may_be_task,
    no_tasks,
    own_warning,
    set_hash,
    without_table,
)
from harness.catalog.trace import TRACE
from harness.kit.text import close_names, counted, noun

__all__ = ["Catalog", "CatalogError", "Facts", "Instance", "MalformedTask", "Problem", "Task"]

# What tells that a file changed: its time of modification in ns and its size, None while it does not exist.
_Stamp = tuple[int, int] | None


def _stamp(file: Path) -> _Stamp:
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


_TABLES_KEPT = 4


@dataclass(frozen=True)
class _Read:
    """How a task was read, with its problems."""

    stamps: tuple[_Stamp, ...]
    split: str
    problems: tuple[Problem, ...]


class Catalog:
    """The tasks of a folder.

    All methods may be called from several threads.

    Args:
        tasks_dir: The folder that holds the task folders. Folders whose name starts with "." or "_" and the
            folder "splits" are not tasks.
        overlay: A file with facts about tasks, see `harness.catalog.overlay`. It lies over the known overlay of a task
            set that was fetched, which applies by itself.
        tables_kept: How many tasks are kept in memory with their tables, at least one. A table with its labels takes
            up to 9 MB, a whole task set more than everything else.
        seeds: On how many seeds each task on a bundled website is, see `Task.on_seeds`.

    Raises:
        CatalogError: If `tasks_dir` is no folder of tasks, or an overlay or a pinned split cannot be read.
    """

    def __init__(
        self, tasks_dir: Path, overlay: Path | None = None, *, tables_kept: int = _TABLES_KEPT, seeds: int = 1
    ) -> None:
        self.tasks_dir = tasks_dir
        if refusal := folder_refusal(tasks_dir, self._folders() if tasks_dir.is_dir() else ()):
            raise CatalogError(refusal)
        self.overlay = overlay_of(tasks_dir, overlay)
        self._tables_kept = tables_kept
        self._seeds = seeds
        pinned = {**split_lists.pinned_files(tasks_dir), **self.overlay.splits}
        self._pinned = {split: split_lists.read_pinned(file) for split, file in pinned.items()}
        self._strays: dict[tuple[str, str], Problem] = {}
        self._lock = threading.RLock()
        self._listed: frozenset[str] = frozenset()
        self._read: dict[str, _Read] = {}
        self._malformed: set[str] = set()
        self._kept: OrderedDict[str, Task] = OrderedDict()
        self._task_json: dict[str, tuple[_Stamp, TaskFacts]] = {}
        self._warnings: dict[str, tuple[_Stamp, str]] = {}
        self._fingerprints: dict[str, tuple[tuple[_Stamp, ...], str]] = {}
        self._unknown: tuple[tuple[list[str], split_lists.SplitLists], list[Problem]] | None = None
        self._split_lists: tuple[dict[Path, _Stamp], split_lists.SplitLists] | None = None

    # Names, facts and splits: no table is read.

    def names(self) -> list[str]:
        """Return the names of all tasks, sorted, malformed ones too."""
        return sorted(name for name in self._folders() if _is_text(name))

    def facts(self, name: str) -> Facts:
        """Return what task.json, the overlay and a warning on the page itself say; what cannot be used is left out.

        Raises:
            KeyError: If there is no such task.
        """
        folder = self._folder(name)
        facts = self._task_json_of(folder).facts.under(self.overlay.tasks.get(name, {}))
        return facts if facts.content_warning else replace(facts, content_warning=self._own_warning(folder))

    def kind_of(self, name: str) -> KindName:
        """Return which kind of task it is, as its task.json says.

        Raises:
            KeyError: If there is no such task.
        """
        return self._task_json_of(self._folder(name)).kind

    def split_of(self, name: str) -> str:
        """Return the split that a task is in.

        The overlay decides, then the split files, then task.json; a task of which nobody says it is in train.

        Raises:
            KeyError: If there is no such task.
        """
        return self._split_in(self._folder(name), self._lists())

    def splits(self) -> dict[str, list[str]]:
        """Return the splits, sorted, each with its sorted task names; a split file without tasks gives []."""
        lists = self._lists()
        found: dict[str, list[str]] = {split: [] for split in lists.names}
        for name in self.names():
            found.setdefault(self._split_in(self.tasks_dir / name, lists), []).append(name)
        return dict(sorted(found.items()))

    def pinned_splits(self) -> dict[str, list[str]]:
        """Return the splits that pick single instances, each with those of its tasks that are here, sorted."""
        names = self.names()
        return {split: [name for name in names if name in pinned.tasks] for split, pinned in self._pinned.items()}

    def select(self, split: str | None, patterns: Sequence[str]) -> list[str]:
        """Return the tasks of a split whose names are asked for.

        Args:
            split: A split, one that picks single instances too (see `instances`), the path of a file that pins
                instances (see `harness.catalog.splits.read_pinned`), or None for all.
            patterns: Task names, or globs where no task has exactly that name; none for all tasks of the
                split.

        Returns:
            Sorted names, each once.

        Raises:
            CatalogError: If there are no tasks, the split is unknown, a pattern matches no task, or none that matches
                is in the split.
        """
        self._take_in_file(split)
        names = self.names()
        if not names:
            raise CatalogError(no_tasks(self.tasks_dir))
        known = {**self.pinned_splits(), **self.splits()}
        if split is not None and split not in known:
            raise CatalogError(f"unknown split {split!r}. Known splits: {', '.join(known) or 'none'}.")
        inside = names if split is None else known[split]
        if not patterns:
            return inside
        wanted = sorted({name for pattern in patterns for name in _matching(pattern, names)})
        chosen = [name for name in wanted if name in inside]
        if not chosen:
            example = f"{wanted[0]!r} is in {self.split_of(wanted[0])}"
            raise CatalogError(f"no task that was asked for is in the split {split!r}: {example}.")
        return chosen

    # Tasks.

    def task(self, name: str) -> Task:
        """Return a task. Its files are read at the first call and again when one of them has changed.

        The tasks that were asked for last are kept; a run over a whole task set holds a few tables at a time.

        Raises:
            KeyError: If there is no such task.
            MalformedTask: If its files cannot be used.
        """
        with self._lock:
            read = self._load(name)
            if name in self._malformed:
                raise MalformedTask(read.problems)
            return self._kept[name]

    def instances(self, name: str, split: str | None) -> tuple[Instance, ...]:
        """Return the pages of a task that are in a split: all of them, unless the split picks single instances.

        Ids that the task does not have become one of the `problems`.

        Raises:
            KeyError: If there is no such task.
            MalformedTask: If its files cannot be used.
        """
        self._take_in_file(split)
        found = self.task(name).pages
        if split not in self._pinned:
            return found
        pinned = self._pinned[split]
        wanted = pinned.tasks.get(name, frozenset())
        # A row that is picked is so on all seeds; those on the task's own come first.
        rows = [instance.id for instance in found if not instance.further_seed]
        chosen = tuple(instance for instance in found if rows[instance.index % len(rows)] in wanted)
        if strays := sorted(wanted.difference(rows)):
            some = f"{len(strays)} of its {counted(len(wanted), 'instance')} {noun(len(strays), 'is', 'are')}"
            what = f"{some} not in the table: {', '.join(strays)}"
            remedy = "Compare the table with the published one"
            with self._lock:
                self._strays[split, name] = Problem(name, pinned.file, None, f"tasks.{name}", what, remedy)
        return chosen

    def _take_in_file(self, split: str | None) -> None:
        """Read the split that a file outside of the task set pins, once."""
        with self._lock:
            if split is not None and split not in self._pinned and split_lists.is_file(split):
                self._pinned[split] = split_lists.read_pinned(Path(split))

    @property
    def problems(self) -> list[Problem]:
        """Everything found wrong so far; `check` looks everywhere."""
        with self._lock:
            names = self.names()
            found = [_unreadable_name(self.tasks_dir, name) for name in self._folders() if not _is_text(name)]
            found += [*self.overlay.problems, *self._lists().problems, *self._unknown_names(names)]
            found += [problem for pinned in self._pinned.values() for problem in pinned.absent(names)]
            found += self._strays.values()
            found += without_table(self.tasks_dir, [name for name in names if self._has_no_table(name)])
            for name in names:
                if name in self._read:
                    found += self._read[name].problems
                elif name in self._task_json:
                    found += self._task_json[name][1].problems
            return found

    def check(self) -> list[Problem]:
        """Read every task and return everything that is wrong."""
        for name in self.names():
            self._load(name)
        return self.problems

    def fingerprint(self, name: str) -> str:
        """Return a hash (sha256, hex) of a task's files and of what the overlay says that scores depend on.

        Raises:
            KeyError: If there is no such task.
        """
        folder = self._folder(name)
        files = (*(folder / file for file in (*FILES, TRACE)), *media_files(folder))
        stamps = tuple(map(_stamp, files))
        with self._lock:
            known = self._fingerprints.get(name)
            if known is None or known[0] != stamps:
                facts = canonical(self.overlay.decisive(name))
                digest = hashlib.sha256(files_hash(folder).encode() + facts).hexdigest()
                known = self._fingerprints[name] = (stamps, digest)
            return known[1]

    def set_fingerprint(self, names: Iterable[str]) -> str:
        """Return a hash (sha256, hex) of a set of tasks: of their names, splits and fingerprints.

        Raises:
            KeyError: If one of the tasks does not exist.
        """
        return set_hash({name: (self.split_of(name), self.fingerprint(name)) for name in names})

    def duplicates(self) -> list[list[str]]:
        """Return the groups of tasks whose files are equal byte for byte: what one teaches, all know."""
        sizes: dict[tuple[int | None, ...], list[str]] = {}
        for name in self.names():
            stamps = [_stamp(self.tasks_dir / name / file) for file in FILES]
            if any(stamps):
                sizes.setdefault(tuple(stamp and stamp[1] for stamp in stamps), []).append(name)
        groups: dict[str, list[str]] = {}
        for names in sizes.values():
            for name in names if len(names) > 1 else ():
                groups.setdefault(files_hash(self.tasks_dir / name), []).append(name)
        return sorted(group for group in groups.values() if len(group) > 1)

    # Reading.

    def _folders(self) -> list[str]:
        with os.scandir(self.tasks_dir) as entries:
            return sorted(entry.name for entry in entries if may_be_task(entry.name) and entry.is_dir())

    def _folder(self, name: str) -> Path:
        # The listing decides, not the file system's idea of the name: "x/../y" is no task, nor is, where case
        # does not count, another spelling. It is made anew for a name that is not in it, or not there any more.
        folder = self.tasks_dir / name
        if name not in self._listed or not folder.is_dir():
            self._listed = frozenset(self._folders())
            if name not in self._listed:
                raise KeyError(name)
        return folder

    def _lists(self) -> split_lists.SplitLists:
        files = split_lists.split_files(self.tasks_dir)
        stamps = {file: _stamp(file) for file in files}
        with self._lock:
            if self._split_lists is None or self._split_lists[0] != stamps:
                self._split_lists = (stamps, split_lists.read_splits(files))
            return self._split_lists[1]

    def _unknown_names(self, names: list[str]) -> list[Problem]:
        lists = self._lists()
        key = (names, lists)
        with self._lock:
            # Looking for close names takes longer than all else that a page of the server needs.
            if self._unknown is None or self._unknown[0] != key:
                self._unknown = (key, [*self.overlay.unknown(names), *lists.unknown(names)])
            return self._unknown[1]

    def _split_in(self, folder: Path, lists: split_lists.SplitLists) -> str:
        said: str | None = self.overlay.tasks.get(folder.name, {}).get("split")
        said = said or lists.split_of(folder.name) or self._task_json_of(folder).facts.split
        return said or split_lists.DEFAULT

    def _task_json_of(self, folder: Path) -> TaskFacts:
        file = folder / FACTS
        stamp = _stamp(file)
        with self._lock:
            known = self._task_json.get(folder.name)
            if known is None or known[0] != stamp:
                known = self._task_json[folder.name] = (stamp, read_task_json(file, folder.name))
            return known[1]

    def _own_warning(self, folder: Path) -> str:
        file = folder / TEMPLATE
        stamp = _stamp(file)
        with self._lock:
            known = self._warnings.get(folder.name)
            if known is None or known[0] != stamp:
                known = self._warnings[folder.name] = (stamp, own_warning(file))
            return known[1]

    def _load(self, name: str) -> _Read:
        folder = self._folder(name)
        split = self.split_of(name)
        stamps = tuple(_stamp(folder / file) for file in (*FILES, TRACE))
        with self._lock:
            read = self._read.get(name)
            known = name in self._kept or name in self._malformed
            if read is None or not known or read.stamps != stamps or read.split != split:
                said = self._task_json_of(folder)
                self._make_room(name)
                task, problems = read_task(folder, self.facts(name), split, said)
                self._keep(name, task.on_seeds(self._seeds) if task and said.readable else None)
                read = self._read[name] = _Read(stamps, split, (*said.problems, *problems))
            elif name in self._kept:
                self._kept.move_to_end(name)
            return read

    def _has_no_table(self, name: str) -> bool:
        """Whether a task that was read has a template and no table; its stamps are those of `FILES`."""
        read = self._read.get(name)
        return read is not None and read.stamps[0] is not None and read.stamps[1] is None

    def _make_room(self, name: str) -> None:
        """Give up the tables that were not asked for lately before another takes its place."""
        self._kept.pop(name, None)
        while len(self._kept) >= self._tables_kept:
            self._kept.popitem(last=False)

    def _keep(self, name: str, task: Task | None) -> None:
        self._malformed.discard(name)
        if task is None:
            self._malformed.add(name)
        else:
            self._kept[name] = task


def _is_text(name: str) -> bool:
    """Whether a folder name is text: the system hands out undecodable bytes as lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _unreadable_name(tasks_dir: Path, name: str) -> Problem:
    return Problem("", tasks_dir, None, None, f"the folder name {name!a} is not UTF-8", "Rename the folder")


def _matching(pattern: str, names: Sequence[str]) -> list[str]:
    if pattern in names:  # before any glob: the names themselves hold brackets
        return [pattern]
    found = fnmatch.filter(names, pattern)
    if not found:
        near = close_names(pattern, names)
        hint = (
            f"Did you mean {near}?" if near else f"There {noun(len(names), 'is', 'are')} {counted(len(names), 'task')}."
        )
        raise CatalogError(f"no task matches {pattern!r}. {hint}")
    return found
