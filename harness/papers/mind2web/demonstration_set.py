"""Mind2Web: its public files of demonstrations, checked and put into a folder with one demonstration a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from harness.datasets.tasksets import DatasetError
from harness.kit.files.writing import is_free, new_folder, write_bytes
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import (
    ENDINGS,
    is_demonstration_file,
    read_demonstrations,
    written,
)
from harness.papers.mind2web.traces import INDEX, split_of_file
from harness.run.progress import Progress

T = TypeVar("T")
MIND2WEB = "mind2web"
_COLUMNS = ("file", "annotation_id", "website", "domain", "subdomain", "steps", "split")


@dataclass
class ImportedDemonstrations:
    """What was imported.

    Attributes:
        demonstrations: How many.
        steps: How many they have together.
        without_acceptable: Steps of them without an acceptable element: the recording or its cleaning has lost it.
        websites: Of which.
        domains: Of which.
    """

    demonstrations: int = 0
    steps: int = 0
    without_acceptable: int = 0
    websites: set[str] = field(default_factory=set)
    domains: set[str] = field(default_factory=set)

    def add(self, demonstration: Demonstration) -> None:
        """Count one more."""
        self.demonstrations += 1
        self.steps += len(demonstration.steps)
        self.without_acceptable += sum(not step.positives for step in demonstration.steps)
        self.websites.add(demonstration.website)
        self.domains.add(demonstration.domain)


def import_demonstrations(source: Path, out: Path, tell: Progress) -> ImportedDemonstrations:
    """Check demonstrations, and write each into a file of its own; no more than one is in memory.

    Args:
        source: A file of demonstrations, or a folder with such files in it and in its folders.
        out: The folder that is made, with the files and an index; it may be there if it is empty.
        tell: Told of each.

    Raises:
        DatasetError: two have the same id, there is none, or ``out`` is not empty. Nothing is written.
        harness.papers.mind2web.demonstrations.mind2web_json.DemonstrationError: something is not understood, and where.
        OSError: a file cannot be read or written.
    """
    if not is_free(out):
        raise DatasetError(f"{out} is not empty; give a new folder for the demonstrations")
    imported = ImportedDemonstrations()
    rows: list[Sequence[object]] = [_COLUMNS]
    known: dict[str, Path] = {}
    with new_folder(out) as part:
        for file, each in told(_demonstrations(source), tell):
            if other := known.get(each.annotation_id):
                raise DatasetError(_twice(each.annotation_id, file, other))
            known[each.annotation_id] = file
            name = f"{len(rows):06}.jsonl.gz"
            written([each], part / name)
            facts = (each.annotation_id, each.website, each.domain, each.subdomain, len(each.steps))
            rows.append((name, *facts, split_of_file(file)))
            imported.add(each)
        if not imported.demonstrations:
            raise DatasetError(f"{source} holds no demonstration")
        write_bytes(part / INDEX, _table(rows))
    return imported


def told(each_of: Iterator[T], tell: Progress) -> Iterator[T]:
    """Demonstrations as they come, with progress on how many have come."""
    tell.start("demonstrations", None)
    for each in each_of:
        yield each
        tell.advance(None, None)
    tell.finish()


def _demonstrations(source: Path) -> Iterator[tuple[Path, Demonstration]]:
    """All of them, each with its file."""
    files = sorted(filter(is_demonstration_file, source.rglob("*"))) if source.is_dir() else [source]
    if not files:
        raise DatasetError(f"{source} and its folders hold no file of demonstrations ({', '.join(ENDINGS)})")
    for file in files:
        for each in read_demonstrations(file):
            yield file, each


def _twice(id_: str, file: Path, other: Path) -> str:
    where = f"{file} holds two demonstrations" if file == other else f"{other} and {file} both hold a demonstration"
    return f"{where} with the annotation_id {id_!r}; take one of them out"


def _table(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "backslashreplace")
