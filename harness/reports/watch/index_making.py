"""An index made at once, in this process: in advance of a look, so that the page of a large run need not wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from harness.records.directory import RunDirectory
from harness.reports.watch.episode_rows import take_in
from harness.reports.watch.folder_changes import changes
from harness.reports.watch.index_upkeep import CHUNK, settle
from harness.reports.watch.run_index import RunIndex
from harness.reports.watch.run_numbers import numbers_of
from harness.reports.watch.saved_numbers import save_numbers


def bring_up(folder: Path, told: Callable[[int, int], None] = lambda _done, _all: None) -> int:
    """Make the index of a run, or bring it up to what is in its directory now, with the run's numbers.

    Args:
        folder: The run directory.
        told: Is told after each part how many of the new files are done, and how many there are.

    Returns:
        How many files were new.

    Raises:
        NotARun: its ``run.json`` cannot be read.
        harness.reports.watch.run_index.IndexGone: as ``RunIndex.open``.
        OSError: the cache cannot be written.
    """
    index = RunIndex(folder, RunDirectory(folder).read())
    with index.open() as database:
        found = changes(folder, database)
    for first in range(0, len(found.files), CHUNK):
        take_in(index, found.files[first : first + CHUNK])
        told(min(first + CHUNK, len(found.files)), len(found.files))
    with index.open() as database:
        settle(database, found)
    numbers = numbers_of(folder)
    if numbers is not None:
        with index.open() as database:
            save_numbers(database, numbers)
    return len(found.files)
