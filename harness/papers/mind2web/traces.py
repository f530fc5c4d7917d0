"""The demonstrations that are asked: which there are, told before any is asked, and read again one at a time."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import demonstration_files, read_demonstrations
from harness.papers.mind2web.generalisation_splits import (
    PAPERS,
    SPLIT_NAMES,
    TEST,
    HoldOut,
    SplitName,
    TracedTask,
    generalisation_splits,
)

INDEX = "index.csv"
"""In a folder that ``turkbench tasks import mind2web`` wrote; ``read_demonstrations`` passes it over."""
_PUBLIC: Mapping[str, SplitName] = {
    "train": "train",
    "test_task": "cross-task",
    "test_website": "cross-website",
    "test_domain": "cross-domain",
}
"""How the public folders and the files in them are called."""


class WrongIndex(UserError):
    """An index that cannot be read; the message says why."""


def split_of_file(file: Path) -> SplitName | None:
    """The public split that a file is of, by its name or its folder's; None if they do not say."""
    name = file.name.partition(".")[0]
    return _PUBLIC.get(name.rstrip("0123456789").removesuffix("_")) or _PUBLIC.get(file.absolute().parent.name)


def indexed_splits(folder: Path) -> Mapping[str, SplitName]:
    """Id of a demonstration -> its public split, as an import's index has it; empty where there is no index.

    Raises:
        WrongIndex: the index cannot be read, or holds another split.
    """
    index = folder / INDEX
    if not index.is_file():
        return {}
    try:
        with index.open(encoding="utf-8", newline="") as file:
            rows = [(str(row["annotation_id"]), str(row["split"] or "")) for row in csv.DictReader(file)]
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise WrongIndex(f"{index} cannot be read: {error!r}; import the demonstrations again") from error
    if others := sorted({split for _, split in rows} - {"", *SPLIT_NAMES}):
        raise WrongIndex(f"{index}: {others[0]!r} is no split; there are {', '.join(SPLIT_NAMES)}")
    return {id_: cast(SplitName, split) for id_, split in rows if split}


class WrongTraces(UserError):
    """Demonstrations that cannot be evaluated; the message says why."""


@dataclass(frozen=True)
class Traces:
    """Demonstrations of a file or a folder.

    Attributes:
        path: Where.
        tasks: Those that are asked, in order.
        splits: Id -> split, of these.
        digest: SHA-256 over them.
        empty: How many were left out since they have no step.
        published: Whether the splits are the public ones; else they are made by rule.
    """

    path: Path
    tasks: tuple[TracedTask, ...]
    splits: dict[str, SplitName]
    digest: str
    empty: int = 0
    published: bool = False

    @classmethod
    def read(cls, path: Path, *, split: str = "all", limit: int | None = None, how: HoldOut = PAPERS) -> Traces:
        """Go through all of them once; none is kept in memory.

        Where file names or an import's index tell of each in which public split it is, that is its split.

        Args:
            path: As ``read_demonstrations`` takes it.
            split: Only this one of ``SPLIT_CHOICES``.
            limit: Only the first ones of it; None for all.
            how: By which rule splits are made, of all that the path holds, where one has no public split.

        Raises:
            WrongTraces: two have the same id, or there is nothing to ask.
            harness.papers.mind2web.demonstrations.mind2web_json.DemonstrationError: they cannot be read.
        """
        tasks: dict[str, TracedTask] = {}
        digests: dict[str, bytes] = {}
        public: dict[str, SplitName] = dict(indexed_splits(path))
        for file in demonstration_files(path):
            of_file = split_of_file(file)
            for each in read_demonstrations(file):
                id_ = each.annotation_id
                if id_ in tasks:
                    raise WrongTraces(f"{path}: two demonstrations have the annotation_id {id_!r}")
                tasks[id_] = TracedTask(
                    annotation_id=id_,
                    website=each.website,
                    domain=each.domain,
                    steps=len(each.steps),
                    task=str(each.more.get("task", "")),
                )
                digests[id_] = hashlib.sha256(codec.line(each)).digest()
                if of_file:
                    public.setdefault(id_, of_file)
        published = bool(tasks) and tasks.keys() <= public.keys()
        splits = public if published else generalisation_splits(tasks.values(), how)
        wanted = [each for id_, each in tasks.items() if _is_in(splits[id_], split)][:limit]
        asked = tuple(each for each in wanted if each.steps)
        if not asked:
            where = "" if split == "all" else f" of the split {split}"
            rule = f"; its files are of {', '.join(sorted(set(splits.values())))}" if published and where else ""
            raise WrongTraces(f"{path} holds no step{where} to be asked{rule}")
        digest = hashlib.sha256(b"".join(digests[each.annotation_id] for each in asked)).hexdigest()
        of_asked = {each.annotation_id: splits[each.annotation_id] for each in asked}
        return cls(path, asked, of_asked, digest, len(wanted) - len(asked), published)

    @property
    def steps(self) -> int:
        """How many steps they have together."""
        return sum(each.steps for each in self.tasks)

    def demonstrations(self) -> Iterator[Demonstration]:
        """Those that are asked, with their pages, one at a time."""
        for each in read_demonstrations(self.path):
            if each.annotation_id in self.splits:
                yield each


def demonstrations_of(path: Path, split: str = "all", seed: int = 0) -> Iterator[Demonstration]:
    """The demonstrations of a split, one at a time.

    Args:
        path: As ``read_demonstrations`` takes it.
        split: Which, one of ``SPLIT_CHOICES``.
        seed: Of the rule that makes splits, where they are not the public ones.

    Raises:
        UserError: as of ``Traces.read``.
    """
    if split == "all":
        return read_demonstrations(path)
    return Traces.read(path, split=split, how=HoldOut(seed=seed)).demonstrations()


def _is_in(split: SplitName, wanted: str) -> bool:
    return wanted in ("all", split) or (wanted == TEST and split != "train")
