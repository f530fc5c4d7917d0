"""Who writes a folder: one process at a time, known by a lock that ends with it."""

from __future__ import annotations

import contextlib
import datetime
import errno
import fcntl
import json
import os
import socket
import sys
import time
from pathlib import Path
from types import TracebackType

from harness.kit.errors import UserError
from harness.kit.files.inside import ForeignFile, foreign_entry
from harness.records.fatal import CannotWrite

LOCK = ".lock"
"""The file that is locked. It says who holds it, and is gone once the folder is let go."""

_WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EOPNOTSUPP)
_GLANCES, _GLANCE = 3, 0.02
"""How often a lock that somebody has is tried again, and the seconds between."""

_MOST_SAID = 1000
"""Bytes of the file that are read: it may be anybody's."""


class FolderInUse(UserError):
    """Another process writes a folder; the message says which, since when, and what to do."""


class FolderLock:
    """A folder that this process, and those that it forks, write alone until it is let go, or the last of them ends.

    The kernel lets go of the lock of a process that was killed. Programs that are started have no part in it: the file
    is closed when they are. Where the file system has no locks, one line on standard error says so, and nothing is
    locked.

    Attributes:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        """Take a folder, which is made if it is not there.

        Raises:
            FolderInUse: another process has it.
            CannotWrite: it cannot be made or written, or something in it leads elsewhere.
        """
        self.folder = folder
        try:
            self._file: int | None = self._taken()
        except OSError as error:
            raise CannotWrite(folder, error) from error

    def release(self) -> None:
        """Let the folder go, and remove it if nothing was written into it; a second time does nothing."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            # First the name, then the lock: whoever finds the file locks one that has its name still, or looks again.
            (self.folder / LOCK).unlink()
            self.folder.rmdir()
        with contextlib.suppress(OSError):
            fcntl.flock(self._file, fcntl.LOCK_UN)  # closing is not enough: a process that was forked has it open, too
        os.close(self._file)
        self._file = None

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.release()

    def _taken(self) -> int:
        while True:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                file = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            except FileNotFoundError:  # its last user has just removed the folder
                continue
            try:
                self._lock(file)
                if not self._is_named(file):
                    os.close(file)
                    continue
                self._look_through()
                os.ftruncate(file, 0)
                os.write(file, json.dumps(_about_us()).encode())
            except BaseException:
                os.close(file)
                raise
            return file

    def _look_through(self) -> None:
        """See that nothing in the folder leads elsewhere: it may be somebody else's.

        Raises:
            ForeignFile: something does; says what.
        """
        if found := foreign_entry(self.folder):
            name = str(found.relative_to(self.folder))
            raise ForeignFile(f"{name!r} is a link or no regular file: remove it")

    def _lock(self, file: int) -> None:
        try:
            _lock_patiently(file)
        except BlockingIOError as error:
            said = os.read(file, _MOST_SAID)
            raise FolderInUse(f"{self.folder} is in use: {_holder(said)}; wait until it ends, or end it") from error
        except OSError as error:
            if error.errno not in _WITHOUT_LOCKS:
                raise
            reason = error.strerror or error
            print(
                f"note: {self.folder} cannot be locked ({reason}): see to it that nothing else writes it",
                file=sys.stderr,
            )

    def _is_named(self, file: int) -> bool:
        """Whether the file that was locked is the one that others find: its last holder removes it."""
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(file), (self.folder / LOCK).stat())
        return False


def _lock_patiently(file: int) -> None:
    """Lock a file, and be not put off by those who look whether it is locked: ``is_held`` has it for an instant."""
    for _ in range(_GLANCES):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(_GLANCE)  # waiting for the lock itself would have no bound, and who holds it may be a run
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(folder: Path) -> bool:
    """Whether a process writes a folder, as far as its lock tells; nothing is written.

    Where locks cannot be asked, whoever made the file is believed to be at work: it is removed at the end.
    """
    try:
        file = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(file)


def _about_us() -> dict[str, object]:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": now}


def _holder(said: bytes) -> str:
    """Who holds a lock, as the file says; a process that has just taken it may not have written that yet."""
    try:
        about = json.loads(said)
        pid, host, since = int(about["pid"]), str(about["host"]), str(about["since"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return "another process writes it"
    where = "" if host == socket.gethostname() else f" on {host}"
    return f"process {pid}{where} writes it since {since}"
