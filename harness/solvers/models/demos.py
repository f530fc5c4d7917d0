"""Demonstrations: pages of other tasks with the right reply, which a model is shown before it is asked.

They come from the train split of the task set, or of another one, never from the task under evaluation or a copy of it
(TurkingBench, section 4.1, takes them from the training tasks, too). Which they are depends on seed and task set
alone, so that every instance of a run is shown the same; they stand in the run directory as ``demos.json``. A set of
prompts can ask for those that the overlay of the task set names; what cannot be made of these is filled up with others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from harness.actions.call import ActionCall
from harness.kit.files.codec import JsonObject
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.text import counted, in_range
from harness.models.messages import Image, Text
from harness.records.record_file import NotARun, read_record

FILE = "demos.json"
TRAIN = "train"
"""The split that they come from."""
ASKED_KINDS = ("radio", "checkbox", "text", "textarea", "select", "range")
"""Kinds of fields that a model can be asked about, the most frequent first."""


@dataclass(frozen=True)
class Demonstration:
    """One page with the right reply.

    Attributes:
        task: Its task.
        index: Its instance.
        field: The field that is filled in; empty for the whole form.
        kinds: The kinds of the fields that are filled in, sorted, each once.
        page: What is shown of the page.
        calls: The right actions, in order.
    """

    task: str
    index: int
    field: str
    kinds: tuple[str, ...]
    page: tuple[Text | Image, ...]
    calls: tuple[ActionCall, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back, pictures by hash."""
        return {
            "task": self.task,
            "index": self.index,
            "field": self.field,
            "kinds": list(self.kinds),
            "text": [part.text for part in self.page if isinstance(part, Text)],
            "images": [part.sha256 for part in self.page if isinstance(part, Image)],
            "actions": [str(call) for call in self.calls],
            "calls": [call.to_json() for call in self.calls],
        }


@dataclass(frozen=True)
class _KeptDemonstration:
    """What ``Demonstration.to_json`` gives; the actions as text are for readers."""

    task: str
    index: int
    field: str
    kinds: tuple[str, ...]
    text: tuple[str, ...]
    images: tuple[str, ...]
    calls: tuple[JsonObject, ...]

    def opened(self, images: Path) -> Demonstration:
        """With its pictures, out of the folder ``images``."""
        pictures = [Image(read_inside(images, f"{name}.png", MOST)) for name in self.images]
        return Demonstration(
            task=self.task,
            index=self.index,
            field=self.field,
            kinds=self.kinds,
            page=(*pictures, *map(Text, self.text)),
            calls=tuple(map(ActionCall.from_json, self.calls)),
        )


@dataclass(frozen=True)
class _KeptDemonstrations:
    """The file; runs of earlier versions do not have what has a default."""

    count: int
    copies: Mapping[str, tuple[str, ...]]
    demonstrations: tuple[_KeptDemonstration, ...]
    fixed: int = 0
    source: str = ""
    source_hash: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Demonstrations:
    """The demonstrations of a run.

    Attributes:
        count: How many are shown before a page.
        listed: In the order of the seed: more than are shown, since a page is shown none of its own task.
        copies: Task -> the tasks whose files are equal to its own, for those that have any.
        fixed: How many of the list, from its beginning, are those that the task set's overlay names; they are shown
            first, in its order and whatever kind of field is asked for.
        source: The name of the folder of the task set that they come from.
        source_hash: Of that task set, if it is another than that of the run; else empty.
        candidates: Its tasks of the train split that they may come from.
    """

    count: int = 0
    listed: tuple[Demonstration, ...] = ()
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fixed: int = 0
    source: str = ""
    source_hash: str = ""
    candidates: tuple[str, ...] = ()

    def for_field(self, kind: str, url: str) -> list[Demonstration]:
        """Those to show before a field of a kind is asked about, on the page at an address.

        Those that are fixed first; then of fields of the same kind, and each of another task as far as there are.
        """
        allowed = self._allowed(task_of(url))
        fixed = (each for each in allowed if each in self.listed[: self.fixed])
        same = (each for each in allowed if kind in each.kinds)
        return _of_different_tasks([*fixed, *same, *allowed], self.count)

    def for_form(self, url: str) -> list[Demonstration]:
        """Those to show before the form at an address."""
        return self._allowed(task_of(url))[: self.count]

    def shown(self, tasks: Sequence[str]) -> tuple[int, int]:
        """How many a page is shown: the fewest and the most among the pages of some tasks."""
        counts = [min(self.count, len(self._allowed(task))) for task in tasks]
        return min(counts), max(counts)

    def shortage(self, tasks: Sequence[str]) -> str:
        """Why pages of some of the tasks are shown fewer than ``count``, in words; empty if none is."""
        fewest, most = self.shown(tasks)
        if fewest == self.count:
            return ""
        poorest = min(tasks, key=lambda task: len(self._allowed(task)))
        others = len(set(self.candidates) - self._forbidden(poorest))
        if others:
            fit = len({each.task for each in self._allowed(poorest)})
            there = f"{counted(others, 'other')}, {fit} of them with a page that is fit for one"
        else:
            there = "no other" if self.candidates else "none"
        number = f"{in_range(fewest, most)} of {counted(self.count, 'demonstration')}"
        return (
            f"{number}: they come from other tasks of the split {TRAIN!r}, and {self.source} has {there}; "
            "--demos-from DIR names another set"
        )

    def _allowed(self, task: str) -> list[Demonstration]:
        forbidden = self._forbidden(task)
        return [each for each in self.listed if each.task not in forbidden]

    def _forbidden(self, task: str) -> set[str]:
        return {task, *self.copies.get(task, ())}

    def write(self, folder: Path) -> None:
        """Write them into a run directory, the pictures first."""
        for each in self.listed:
            for part in each.page:
                if isinstance(part, Image):
                    write_bytes(folder / "images" / f"{part.sha256}.png", part.png)
        record = {
            "count": self.count,
            "fixed": self.fixed,
            "source": self.source,
            "source_hash": self.source_hash,
            "candidates": list(self.candidates),
            "copies": {task: list(others) for task, others in self.copies.items()},
            "demonstrations": [each.to_json() for each in self.listed],
        }
        write_json(folder / FILE, record)

    @classmethod
    def read(cls, folder: Path) -> Demonstrations:
        """Those of a run directory.

        Raises:
            NotARun: they are not there, or damaged.
        """
        kept = read_record(folder / FILE, _KeptDemonstrations)
        try:
            listed = tuple(each.opened(folder / "images") for each in kept.demonstrations)
        except (OSError, ValueError) as error:
            raise NotARun(f"{folder / FILE} cannot be read: {error}") from error
        return cls(
            count=kept.count,
            listed=listed,
            copies=kept.copies,
            fixed=kept.fixed,
            source=kept.source,
            source_hash=kept.source_hash,
            candidates=kept.candidates,
        )


def task_of(url: str) -> str:
    """The task of a page's address."""
    return unquote(urlsplit(url).path.removeprefix("/page/").partition("/")[0])


def drawn(names: Iterable[str], seed: int) -> list[str]:
    """Names in the order of a seed, which others that come or go leave as it is."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())


def listed_for_fields(made: Sequence[Demonstration], needed: int) -> tuple[Demonstration, ...]:
    """Of each kind of field the first ``needed`` of different tasks, in the order given."""
    kept: list[Demonstration] = []
    for kind in ASKED_KINDS:
        kept += _of_different_tasks([each for each in made if kind in each.kinds], needed)
    return tuple(each for each in made if each in kept)


def listed_for_forms(made: Sequence[Demonstration], needed: int) -> tuple[Demonstration, ...]:
    """Forms whose fields together are as mixed as can be: each brings the most kinds that those before it lack."""
    left, seen, kept = list(made), set[str](), list[Demonstration]()
    while left and len(kept) < needed:
        best = max(left, key=lambda each: len(set(each.kinds) - seen))
        if not set(best.kinds) - seen and seen:
            seen = set()
            continue
        seen |= set(best.kinds)
        kept.append(best)
        left.remove(best)
    return tuple(kept)


def _of_different_tasks(candidates: Sequence[Demonstration], count: int) -> list[Demonstration]:
    """The first of each task, then the others."""
    chosen: list[Demonstration] = []
    for new in (True, False):
        for each in candidates:
            tasks = {other.task for other in chosen}
            if len(chosen) < count and each not in chosen and (each.task not in tasks or not new):
                chosen.append(each)
    return chosen
