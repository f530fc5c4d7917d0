"""The split that Mind2Web publishes of each demonstration: told by its file's name, or by the index of an import."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from harness.kit.errors import UserError
from harness.papers.mind2web.generalisation_splits import SPLIT_NAMES, SplitName

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
