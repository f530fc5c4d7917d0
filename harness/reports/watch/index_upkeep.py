"""What an index notes of itself: which files are gone, which folders are known whole, whether it was complete."""

from __future__ import annotations

import sqlite3

from harness.reports.watch.folder_changes import FolderChanges
from harness.reports.watch.run_index import forget

CHUNK = 250
"""Episodes that are taken in at a time."""
_BUILT = "built"


def settle(database: sqlite3.Connection, found: FolderChanges) -> None:
    """Note that an index knows all that was found.

    Args:
        database: The index.
        found: What was found; its files have been taken in.
    """
    for folder, name in found.gone:
        forget(database, folder, name)
    if found.settled:
        database.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", list(found.settled.items()))
    if not is_built(database):
        database.execute("INSERT OR REPLACE INTO about VALUES (?, '1')", (_BUILT,))


def is_built(database: sqlite3.Connection) -> bool:
    """Whether an index was complete once."""
    return database.execute("SELECT 1 FROM about WHERE name = ?", (_BUILT,)).fetchone() is not None
