"""What a project knows of tasks whose folders are not its own: an overlay file over a whole task set.

It says the same of many tasks as a `task.json` says of one, and is the only place where the names of tasks stand:

    {"tasks": {"<name of the task>": {"not_answers": {"started": "a timestamp"}}}}

An overlay can lie over another one: `"extends": "<name of a known task set>"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness.catalog.facts import WrongValue, merged, parse_json, read_facts, text_map
from harness.catalog.problems import CatalogError, Problem
from harness.kit.files.inside import read_inside
from harness.kit.text import close_names, shorten


@dataclass(frozen=True)
class ShownField:
    """A field of one instance that a published benchmark showed to models as an example.

    Attributes:
        task: The name of its task.
        words: Words by which its instance is known: they stand in one of its inputs, and in none of another instance.
        field: The name of the field.
    """

    task: str
    words: str
    field: str


@dataclass(frozen=True)
class Overlay:
    """An overlay file, checked, with what it extends.

    Attributes:
        file: Where it was read, None for the overlay that says nothing.
        tasks: Task -> the facts said of it, by key.
        problems: Entries and keys that could not be used.
        splits: Split -> the file that pins its instances.
        own: The tasks that the file itself names, which should be there; not those of what it extends.
        demonstrations: What was shown to models where the task set was published, in the order in which it was shown.
    """

    file: Path | None = None
    tasks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    splits: Mapping[str, Path] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    demonstrations: tuple[ShownField, ...] = ()

    def unknown(self, names: Sequence[str]) -> list[Problem]:
        """Return a problem for each entry of the file itself whose task is not among `names`."""
        if self.file is None:
            return []
        problems = []
        for task in self.own:
            if task not in names:
                near = close_names(task, names)
                remedy = f"Perhaps {near} is meant" if near else "Add the task's folder or remove the entry"
                what = "there is no task of this name"
                problems.append(Problem(task, self.file, None, f"tasks.{task}", what, remedy))
        return problems

    def over(self, base: Overlay) -> Overlay:
        """Return this overlay laid over another one: entry by entry and key by key, maps merge."""
        tasks = dict(base.tasks)
        for task, facts in self.tasks.items():
            tasks[task] = merged(tasks.get(task, {}), facts)
        splits = {**base.splits, **self.splits}
        problems = (*base.problems, *self.problems)
        shown = self.demonstrations or base.demonstrations
        return Overlay(self.file or base.file, tasks, problems, splits, self.own, shown)

    def decisive(self, task: str) -> dict[str, Any]:
        """Return those facts said of a task that scores depend on."""
        return {key: value for key, value in self.tasks.get(task, {}).items() if key in _DECISIVE}


_DECISIVE = frozenset({"split", "not_answers", "renames", "kinds"})


def read_overlay(file: Path) -> Overlay:
    """Read an overlay file.

    Args:
        file: A JSON file: a map with the key `tasks` (task name -> facts), and optionally `extends` (the name of a
            known task set, whose overlay lies below), `splits` (split -> a file beside this one that pins its
            instances), `demonstrations` (a list of maps, see `ShownField`) and for readers `description`.

    Returns:
        The overlay, over what it extends; what could not be used in it is in its problems.

    Raises:
        CatalogError: If the file cannot be read, is not JSON, has no map `tasks`, or extends what is not known: then
            going on without it would give other scores than were asked for.
    """
    try:
        data = parse_json(file.read_bytes())
    except OSError as error:
        raise CatalogError(f"overlay {file} cannot be read: {error.strerror}. Check the path.") from error
    except ValueError as error:
        raise CatalogError(f"overlay {file}: {error}. Correct the file.") from error
    if not isinstance(data, dict) or not isinstance(data.get("tasks"), dict):
        raise CatalogError(f'overlay {file} has no map "tasks". Write {{"tasks": {{"<task>": {{...}}}}}}.')
    problems = [
        Problem("", file, None, key, "unknown key, not used", f"Known keys are {', '.join(_KEYS)}")
        for key in data
        if key not in _KEYS
    ]
    tasks: dict[str, Mapping[str, Any]] = {}
    for name, entry in data["tasks"].items():
        tasks[name], found = read_facts(entry, name, file, f"tasks.{name}")
        problems += found
    try:
        splits = {name: file.parent / path for name, path in text_map(data.get("splits", {})).items()}
    except WrongValue as error:
        raise CatalogError(f"overlay {file}, key splits: {error.what}. {error.remedy}.") from error
    own = () if file.parent == _SHIPPED else tuple(tasks)
    shown = _shown_fields(data.get("demonstrations", []), file)
    overlay = Overlay(file, tasks, tuple(problems), splits, own, shown)
    if "extends" not in data:
        return overlay
    if (base := known_overlay(str(data["extends"]))) is None:
        what = f"there is no known overlay {data['extends']!r}"
        raise CatalogError(f"overlay {file}, key extends: {what}. Known: {', '.join(known_overlays())}.")
    return overlay.over(read_overlay(base))


_KEYS = ("tasks", "description", "extends", "splits", "demonstrations")


def _shown_fields(value: object, file: Path) -> tuple[ShownField, ...]:
    found = []
    for entry in value if isinstance(value, list) else [value]:
        if (shown := _shown_field(entry)) is None:
            remedy = f"Write a list of maps with the keys {', '.join(_SHOWN)}, each a text."
            raise CatalogError(f"overlay {file}, key demonstrations: {shorten(repr(entry), 80)} is no entry. {remedy}")
        found.append(shown)
    return tuple(found)


def _shown_field(entry: object) -> ShownField | None:
    if not isinstance(entry, dict) or entry.keys() != set(_SHOWN):
        return None
    texts = [entry[name] for name in _SHOWN]
    return ShownField(*texts) if all(isinstance(text, str) and text for text in texts) else None


_SHOWN = tuple(each.name for each in fields(ShownField))

# The overlays of known task sets are part of the project. They may name tasks that a folder lacks: parts of a task set
# are a task set, too.
_SHIPPED = Path(str(files(__package__) / "overlays"))
_SUFFIX = ".overlay.json"
_MANIFEST = "manifest.json"


def known_overlays() -> list[str]:
    """Return the names of the task sets that have an overlay of ours, sorted."""
    return sorted(file.name.removesuffix(_SUFFIX) for file in _SHIPPED.glob(f"*{_SUFFIX}"))


def known_overlay(name: str) -> Path | None:
    """Return the overlay of a known task set, None if there is none."""
    return _SHIPPED / f"{name}{_SUFFIX}" if name in known_overlays() else None


def overlay_file(text: str) -> Path:
    """Return the overlay that a command line names: a known task set, else a path."""
    return known_overlay(text) or Path(text)


def overlay_of(tasks_dir: Path, file: Path | None = None) -> Overlay:
    """Read what is said of a folder's tasks beyond its files.

    A task set that was fetched (`harness.datasets`) has a manifest that names it, and gets its known overlay by itself.

    Args:
        tasks_dir: The folder of task folders.
        file: An overlay of the user's, which lies over that of the task set.

    Raises:
        CatalogError: If an overlay cannot be used.
    """
    own = read_overlay(file) if file else Overlay()
    try:
        manifest = parse_json(read_inside(tasks_dir.parent, _MANIFEST))
    except (OSError, ValueError):
        return own
    name = manifest.get("dataset") if isinstance(manifest, dict) else None
    base = known_overlay(name) if isinstance(name, str) else None
    return own if base is None or base == file else own.over(read_overlay(base))
