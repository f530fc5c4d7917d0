"""The index of a run: an SQLite database in the user's cache, by which its episodes are found in milliseconds.

It holds nothing that is not in the run directory, and is made anew when it does not fit: another schema, another run in
the same place, scored by other code, or damaged. Several processes may read and write it at once (SQLite's journal in
WAL mode); an episode whose file changes gets a new number, so that what was found by an old one leads nowhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from harness.kit.files.installation import hash_of_code
from harness.kit.files.writing import cache_folder
from harness.records.provenance import fingerprint_of
from harness.records.run_record import RunRecord

FOLDER = "watch"
"""Where indices are in the cache."""

_PATIENCE = 30.0
"""Seconds for which a writer waits for another."""
_SOURCES = (
    ("catalog", "kinds.py"),
    ("catalog", "labels.py"),
    ("scoring/metrics", "*.py"),
    ("scoring", "*.py"),
    ("scoring/answers", "*.py"),
    ("analysis", "score_table.py"),
    ("analysis", "scored_run.py"),
    ("analysis", "failed_actions.py"),
    ("analysis", "site_groups.py"),
    ("records", "digests.py"),
    ("reports/watch", "episode_rows.py"),
    ("reports/watch", "episode_words.py"),
    ("reports/watch", "run_index.py"),
)
"""The code that decides what is in an index, in folders of ``harness``."""
_PARTS = ("", "-wal", "-shm", "-journal")
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE seen (folder TEXT PRIMARY KEY, changed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
    folder TEXT NOT NULL, name TEXT NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL, episode INTEGER,
    reason TEXT NOT NULL, PRIMARY KEY (folder, name)
) WITHOUT ROWID;
CREATE TABLE episode (
    number INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL, task TEXT NOT NULL, place INTEGER NOT NULL,
    id TEXT NOT NULL, split TEXT NOT NULL, outcome TEXT NOT NULL, kinds TEXT NOT NULL, classes TEXT NOT NULL,
    detail TEXT NOT NULL, ended TEXT NOT NULL, site TEXT NOT NULL, level TEXT NOT NULL, reached TEXT NOT NULL,
    written REAL NOT NULL,
    score REAL, ceiling REAL, do_nothing REAL, constant REAL, copy REAL, untied REAL, own_left_out REAL, crowd REAL,
    replied REAL, acted REAL, labels REAL, accepted REAL, steps REAL, failed REAL, seconds REAL, cost REAL,
    input_tokens REAL, output_tokens REAL, turns REAL
);
CREATE INDEX by_place ON episode (task, place);
CREATE INDEX by_written ON episode (written);
CREATE INDEX by_worst ON episode (score IS NULL, score, task, place, kinds);
CREATE TABLE field (
    episode INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, score REAL,
    ceiling REAL, do_nothing REAL, constant REAL, copy REAL, own_left_out REAL, crowd REAL, agreement REAL,
    tied INTEGER, visible INTEGER, labels INTEGER, PRIMARY KEY (episode, position)
) WITHOUT ROWID;
CREATE TABLE error (
    episode INTEGER NOT NULL, class TEXT NOT NULL, message TEXT NOT NULL, field TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (class, message, field, episode)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE text USING fts5 (words, content='', tokenize="unicode61 remove_diacritics 2");
"""


class IndexGone(Exception):
    """An index is damaged, or was removed while it was read: it is made anew at the next look."""


class RunIndex:
    """The index of one run.

    Attributes:
        run: The run directory.
        file: The database.
    """

    def __init__(self, run: Path, record: RunRecord) -> None:
        """The index, which need not be there yet.

        Args:
            run: The run directory.
            record: Its ``run.json``.
        """
        self.run = run
        path = os.fsencode(run.resolve())
        self.file = cache_folder() / FOLDER / f"{hashlib.sha256(path).hexdigest()[:32]}.sqlite3"
        self.identity = fingerprint_of([code_hash(), record.schema, record.started, record.config.metrics])

    @contextlib.contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The database, made anew if it does not fit; what was done is kept if no exception ends the context.

        Raises:
            IndexGone: it turns out to be damaged; it was removed.
            OSError: the cache cannot be written, or another process writes for too long.
        """
        try:
            connection = self._fitting()
        except sqlite3.Error as error:
            raise OSError(f"{self.file}: {error}") from error
        try:
            with connection:
                yield connection
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "full" in str(error):
                raise OSError(f"{self.file}: {error}") from error
            self._remove()
            raise IndexGone(str(error)) from error
        except sqlite3.DatabaseError as error:
            self._remove()
            raise IndexGone(str(error)) from error
        finally:
            connection.close()

    def _fitting(self) -> sqlite3.Connection:
        if (found := self._connected()) is not None:
            return found
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # One at a time: whoever comes second finds what the first has made.
        with self.file.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (found := self._connected()) is not None:
                return found
            self._remove()
            return self._made()

    def _connected(self) -> sqlite3.Connection | None:
        """A connection to a database that fits, else None."""
        if not self.file.exists():
            return None
        connection = sqlite3.connect(self.file, timeout=_PATIENCE)
        try:
            _prepare(connection)
            row = connection.execute("SELECT value FROM about WHERE name = 'identity'").fetchone()
        except sqlite3.DatabaseError:
            row = None
        if row == (self.identity,):
            return connection
        connection.close()
        return None

    def _made(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, timeout=_PATIENCE)
        _prepare(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
        about = (("identity", self.identity), ("run", str(self.run.resolve())))
        with connection:
            connection.executemany("INSERT INTO about VALUES (?, ?)", about)
        return connection

    def _remove(self) -> None:
        for part in _PARTS:
            self.file.with_name(self.file.name + part).unlink(missing_ok=True)


def forget(database: sqlite3.Connection, folder: str, name: str) -> None:
    """Take a file's episode out of an index; the words stay, under a number that leads nowhere."""
    row = database.execute("SELECT episode FROM file WHERE folder = ? AND name = ?", (folder, name)).fetchone()
    if row is None:
        return
    database.execute("DELETE FROM episode WHERE number = ?", row)
    database.execute("DELETE FROM field WHERE episode = ?", row)
    database.execute("DELETE FROM error WHERE episode = ?", row)
    database.execute("DELETE FROM file WHERE folder = ? AND name = ?", (folder, name))


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA synchronous = OFF")  # what a crash of the machine takes is made anew


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of the code that decides what is in an index."""
    return hash_of_code(_SOURCES)
