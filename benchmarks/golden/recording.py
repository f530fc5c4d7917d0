"""A recording as it is compared: its documents as plain JSON values, without what may differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from benchmarks.golden.plan import steps
from benchmarks.golden.recorder import FACTS, read_json
from benchmarks.golden.volatile import EPISODE, FILES, FILM, NEVER_COMPARED, PORT, RUN, STEP_KEYS, TEXT, still

_COMPARED = ("runs", "outputs", "files")
_LOST = "(a text that is not there)"


@dataclass(frozen=True)
class Recording:
    """A recording on disk.

    Attributes:
        folder: Where it is; it may have been moved since it was made.
        places: Texts that stand for a place, with what is compared instead.
    """

    folder: Path
    places: tuple[tuple[str, str], ...]

    @classmethod
    def open(cls, folder: Path) -> Recording:
        """The recording in a folder.

        Raises:
            OSError: it holds none.
        """
        facts: Any = read_json(folder / FACTS)
        named = ("out", "tasks", "checkout", "python")
        places = sorted(((facts[name], f"<{name}>") for name in named), key=lambda place: -len(place[0]))
        return cls(folder, tuple(places))

    def documents(self, only: tuple[str, ...] = ()) -> list[str]:
        """The paths of what is compared, in order: runs first, since what else there is depends on them.

        Args:
            only: Globs of steps; with them, what these have written.
        """
        chosen = {name for step in steps(only) for name in (step.name, step.run)} if only else None
        found = []
        for top in _COMPARED:
            for file in sorted((self.folder / top).rglob("*")):
                path = file.relative_to(self.folder).as_posix()
                if not file.is_file() or any(fnmatchcase(path, glob) for glob in FILES):
                    continue
                if chosen is None or Path(path).parts[1].removesuffix(".json") in chosen:
                    found.append(path)
        return found

    def load(self, path: str) -> Any:
        """A document as a JSON value: of JSON its content, of text its lines, of all else that it is there."""
        file = self.folder / path
        if file.suffix == ".toml" or not (file.suffix in {".json", ".jsonl"} or path.startswith("runs/")):
            return self._masked(_lines(file))
        value: Any = _parsed_lines(file.read_text("utf-8")) if file.suffix == ".jsonl" else read_json(file)
        if path.startswith("outputs/"):
            value = {name: _told(item) if name in {"stdout", "stderr"} else item for name, item in value.items()}
        elif path.startswith("runs/"):
            value = self._of_a_run(file, value)
        return self._masked(still(value, NEVER_COMPARED))

    def _of_a_run(self, file: Path, value: Any) -> Any:
        if file.name == "run.json":
            return still(value, RUN)
        if file.parent.parent.name == "films":
            return still(value, FILM)
        if file.parent.parent.name != "episodes":
            return value
        episode = still(value, EPISODE)
        episode["steps"] = [{key: step[key] for key in step if key in STEP_KEYS} for step in episode["steps"]]
        texts = file.parents[2] / "texts"
        for turn in episode["turns"]:
            for name in ("sent", "whole"):
                turn[name] = _text(texts, turn[name]) if turn.get(name) else turn.get(name)
        if episode["submission"]:  # The order in which a form sends its fields is part of what it sends.
            episode["submission"]["values"] = list(map(list, episode["submission"]["values"].items()))
        return episode

    def _masked(self, value: Any) -> Any:
        match value:
            case str():
                return self._plain(value)
            case list():
                return [self._masked(item) for item in value]
            case dict():
                return {self._plain(key): self._masked(item) for key, item in value.items()}
        return value

    def _plain(self, text: str) -> str:
        """A text without the places of this recording, and without what ``TEXT`` lists."""
        for place, name in self.places:
            text = text.replace(place, name)
        for pattern in TEXT:
            text = pattern.sub("0" if pattern is PORT else "<masked>", text)
        return text


def _text(folder: Path, name: str) -> Any:
    """A text by its name, with the texts that it refers to in their places."""
    file = folder / f"{name}.json"
    return _put_back(read_json(file), folder) if file.is_file() else _LOST


def _put_back(value: Any, folder: Path) -> Any:
    match value:
        case {"$text": str(name)}:
            return _text(folder, name)
        case dict():
            return {key: _put_back(item, folder) for key, item in value.items()}
        case list():
            return [_put_back(item, folder) for item in value]
    return value


def _told(text: str) -> Any:
    """What a command has printed: JSON if it is, else its lines."""
    if text.startswith(("{", "[")):
        try:
            return _parsed_lines(text) if re.match(r"\{.*\}\n", text) else json.loads(text)
        except ValueError:
            pass
    return text.splitlines()


def _parsed_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def _lines(file: Path) -> Any:
    try:
        return file.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return "(binary)"


def pairs(before: Recording, after: Recording, only: tuple[str, ...]) -> Iterator[tuple[str, bool, bool]]:
    """The documents of both recordings: path, and in which of the two it is."""
    first, second = before.documents(only), after.documents(only)
    in_first, in_second = set(first), set(second)
    for path in [*first, *(path for path in second if path not in in_first)]:
        yield path, path in in_first, path in in_second
