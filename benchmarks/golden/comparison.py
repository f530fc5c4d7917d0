"""The differences of two recordings, by kind."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.golden.recording import Recording, pairs

MESSAGES = "messages"
"""The kind of what differs in nothing but the words of results of actions."""

_ABSENT = "(absent)"
_LONGEST_SHOWN = 300

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Difference:
    """One thing that differs.

    Attributes:
        kind: What it concerns.
        document: Path of the file in the recording.
        place: Where in it, as keys and indices.
        before: A JSON value, or that it is absent.
        after: The same.
    """

    kind: str
    document: str
    place: Place
    before: Any
    after: Any

    def text(self) -> str:
        """Three lines."""
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.place)
        before, after = _around(_shown(self.before), _shown(self.after))
        return f"  {self.document} {where or '(file)'}\n    before: {before}\n    after:  {after}"


@dataclass
class Comparison:
    """What was found.

    Attributes:
        documents: How many were compared.
        differences: In the order of documents.
        reworded: Messages of actions that say the same thing in other words: before -> after.
    """

    documents: int = 0
    differences: list[Difference] = field(default_factory=list)
    reworded: dict[str, str] = field(default_factory=dict)

    def add(self, document: str, before: Any, after: Any) -> None:
        """Compare one document."""
        self.documents += 1
        for place, old, new in walk(before, after):
            kind = _kind(document, place)
            if kind == MESSAGES:
                self._note_rewording(before["steps"][place[1]], after["steps"][place[1]])
            elif isinstance(old, str) and isinstance(new, str) and self._differs_in_words_alone(old, new):
                kind = MESSAGES
            self.differences.append(Difference(kind, document, place, old, new))

    def fails(self, *, messages_may_differ: bool = False) -> bool:
        """Whether a difference counts."""
        return any(not messages_may_differ or found.kind != MESSAGES for found in self.differences)

    def text(self, most: int = 10) -> str:
        """All kinds with their counts, and the first differences of each.

        Args:
            most: Differences to show of one kind.
        """
        kinds: dict[str, list[Difference]] = {}
        for found in self.differences:
            kinds.setdefault(found.kind, []).append(found)
        lines = []
        for kind, of_kind in sorted(kinds.items()):
            lines.append(f"{kind}: {len(of_kind)}")
            lines += [found.text() for found in of_kind[:most]]
            lines += [f"  ... and {len(of_kind) - most} more"] if len(of_kind) > most else []
        counts = ", ".join(f"{len(of_kind)} {kind}" for kind, of_kind in sorted(kinds.items())) or "no difference"
        return "\n".join([*lines, f"{self.documents} documents: {counts}"])

    def _note_rewording(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Remember the messages of a step that did the same, since prompts and reports repeat them."""
        same = all(old.get(key) == new.get(key) for key in ("action", "ok"))
        if same and all(isinstance(step.get("message"), str) and step["message"] for step in (old, new)):
            self.reworded[old["message"]] = new["message"]

    def _differs_in_words_alone(self, old: str, new: str) -> bool:
        """Whether a text holds messages, and is the same once those of before are replaced by those of after."""
        for before, after in self.reworded.items():
            for written in (str, html.escape, _json_text):
                old = old.replace(written(before), written(after))
        return old == new


def compare(before: Path, after: Path, only: tuple[str, ...] = ()) -> Comparison:
    """Compare two recordings.

    Args:
        before: A recording's folder.
        after: Another's.
        only: Globs of steps; with them, what these have written and nothing else.

    Raises:
        OSError: one of them is no recording.
    """
    first, second = Recording.open(before), Recording.open(after)
    found = Comparison()
    for path, in_first, in_second in pairs(first, second, only):
        if in_first and in_second:
            found.add(path, first.load(path), second.load(path))
        else:
            there = ("there", _ABSENT) if in_first else (_ABSENT, "there")
            found.differences.append(Difference("missing or extra files", path, (), *there))
    return found


def walk(before: Any, after: Any, place: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """Where two JSON values differ: place, value before, value after.

    Of lists of different lengths the first element that differs is given, and the lengths.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from walk(before.get(key, _ABSENT), after.get(key, _ABSENT), (*place, key))
    elif isinstance(before, list) and isinstance(after, list):
        inner = (
            found
            for number, (old, new) in enumerate(zip(before, after, strict=False))
            for found in walk(old, new, (*place, number))
        )
        if len(before) == len(after):
            yield from inner
            return
        yield from (found for found, _ in zip(inner, range(1), strict=False))
        yield (*place, "length"), len(before), len(after)
    elif type(before) is not type(after) or before != after:
        yield place, before, after


def _kind(document: str, place: Place) -> str:
    """What a difference concerns, by where it is."""
    top, *_, name = document.split("/")
    if top == "outputs":
        return f"outputs: {place[0]}" if place else "outputs"
    if top == "files":
        return "files that commands write"
    if name == "run.json":
        return "scores" if place[:1] == ("results",) else "run.json"
    match place:
        case ("submission", *_) | ("fields", int(), "sent", *_):
            return "submitted values"
        case ("steps", int(), "message"):
            return MESSAGES
        case ("steps", int(), "action"):
            return "action texts"
        case ("turns", int(), "sent", *_):
            return "texts sent to models"
        case ("outcome" | "detail", *_):
            return "outcomes"
        case (str(key), *_) if key in {"fields", "steps", "turns"}:
            return key
    return "rest of episodes"


def _json_text(text: str) -> str:
    return json.dumps(text)[1:-1]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _around(before: str, after: str) -> tuple[str, str]:
    """The part of two long texts where they begin to differ."""
    same = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), 0)
    start = max(0, same - 60) if max(len(before), len(after)) > _LONGEST_SHOWN else 0

    def cut(text: str) -> str:
        return ("..." if start else "") + text[start : start + _LONGEST_SHOWN]

    return cut(before), cut(after)
