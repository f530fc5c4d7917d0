"""The demonstrations that are asked: which there are, told before any is asked, and read again one at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors.user import UserError
from harness.kit.files import codec
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.mind2web.generalisation_splits import (
    PAPERS,
    HoldOut,
    SplitName,
    TracedTask,
    generalisation_splits,
)


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
    """

    path: Path
    tasks: tuple[TracedTask, ...]
    splits: dict[str, SplitName]
    digest: str
    empty: int = 0

    @classmethod
    def read(cls, path: Path, *, split: str = "all", limit: int | None = None, how: HoldOut = PAPERS) -> Traces:
        """Go through all of them once; none is kept in memory.

        Args:
            path: As ``read_demonstrations`` takes it.
            split: Only this split; ``all`` for every demonstration.
            limit: Only the first ones of it; None for all.
            how: By which rule splits are made, of all that the path holds.

        Raises:
            WrongTraces: two have the same id, or there is nothing to ask.
            harness.papers.mind2web.demonstrations.mind2web_json.DemonstrationError: they cannot be read.
        """
        tasks: dict[str, TracedTask] = {}
        digests: dict[str, bytes] = {}
        for each in read_demonstrations(path):
            if each.annotation_id in tasks:
                raise WrongTraces(f"{path}: two demonstrations have the annotation_id {each.annotation_id!r}")
            tasks[each.annotation_id] = TracedTask(
                annotation_id=each.annotation_id, website=each.website, domain=each.domain, steps=len(each.steps)
            )
            digests[each.annotation_id] = hashlib.sha256(codec.line(each)).digest()
        splits = generalisation_splits(tasks.values(), how)
        wanted = [each for id_, each in tasks.items() if split in ("all", splits[id_])][:limit]
        asked = tuple(each for each in wanted if each.steps)
        if not asked:
            where = "" if split == "all" else f" of the split {split}"
            raise WrongTraces(f"{path} holds no step{where} to be asked")
        digest = hashlib.sha256(b"".join(digests[each.annotation_id] for each in asked)).hexdigest()
        of_asked = {each.annotation_id: splits[each.annotation_id] for each in asked}
        return cls(path, asked, of_asked, digest, len(wanted) - len(asked))

    @property
    def steps(self) -> int:
        """How many steps they have together."""
        return sum(each.steps for each in self.tasks)

    def demonstrations(self) -> Iterator[Demonstration]:
        """Those that are asked, with their pages, one at a time."""
        for each in read_demonstrations(self.path):
            if each.annotation_id in self.splits:
                yield each
