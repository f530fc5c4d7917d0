"""Files of folders that somebody else may have written: a name in such a folder can lead anywhere, or never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


class ForeignFile(OSError):
    """A name in a folder is no file of that folder; the message says what it is."""


MOST = 128 * 2**20
"""Bytes of the largest record or picture that is read: none that is honest comes near."""


def foreign_entry(folder: Path) -> Path | None:
    """The first link, pipe or device below a folder, by which writing there would reach elsewhere; None if none is."""
    rest = [folder]
    while rest:
        with os.scandir(rest.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    rest.append(Path(entry.path))
                elif not entry.is_file(follow_symlinks=False):
                    return Path(entry.path)
    return None


def read_inside(folder: Path, name: str, most: int | None = None) -> bytes:
    """The content of a file in a folder; see ``open_inside``.

    Args:
        folder: The folder.
        name: Of the file.
        most: The bytes that it may have; None for any number. A file of holes takes no disk, whatever its size.

    Raises:
        ForeignFile: it is larger, or not a file of the folder.
        OSError: it is not there, or cannot be read.
    """
    with open_inside(folder, name) as stream:
        if most is None:
            return stream.read()
        size = os.fstat(stream.fileno()).st_size
        # To read makes room for as many bytes as are asked for.
        data = stream.read(size + 1) if size <= most else b""
        if len(data) > size:  # it has grown
            data += stream.read(most - size)
        if max(size, len(data)) > most:
            raise ForeignFile(f"it has more than {most:,} bytes")
        return data


def real_path(path: Path) -> Path:
    """Where a path leads, links followed.

    Raises:
        ForeignFile: it is a link that leads to itself.
        OSError: nothing is there.
    """
    try:
        return path.resolve(strict=True)
    except (RuntimeError, OSError) as error:
        # Python says the first until 3.12, and the second from 3.13 on.
        if isinstance(error, RuntimeError) or error.errno == errno.ELOOP:
            raise ForeignFile("it is a link that leads to itself") from error
        raise


_NOT_FOLLOWED = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
"""To open a pipe would wait for somebody to write into it."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_inside(folder: Path, name: str) -> BinaryIO:
    """A file in a folder, to be read, if it is a regular file that lies there.

    Links within the folder are followed, and the folder itself may be one: whoever names a folder means what it leads
    to.

    Args:
        folder: The folder.
        name: Of the file.

    Raises:
        ForeignFile: it is a link that leads out of the folder, or no regular file, such as a pipe or a device.
        OSError: it is not there, or cannot be read.
    """
    opened = _opened_at_once(folder, name)
    if opened is None:
        top = folder.resolve()
        file = real_path(top / name)
        if not file.is_relative_to(top):
            raise ForeignFile("it is a link that leads out of its folder")
        # The last part of the path is no link any more; if it has become one meanwhile, it is not followed.
        opened = os.open(file, _NOT_FOLLOWED)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise ForeignFile("it is no regular file")
    return os.fdopen(opened, "rb")


def _opened_at_once(folder: Path, name: str) -> int | None:
    """A file below a folder, by a name without links; None of any other, and of one that cannot be opened."""
    *folders, last = name.split(os.sep)  # noqa: PTH206 - a path is made less of them: "." and an empty part are gone
    if not {"", os.curdir, os.pardir}.isdisjoint((*folders, last)):
        return None
    on_the_way: list[str | Path] = [folder, *folders] if folders else []
    at = None
    try:
        for part in on_the_way:
            at, before = os.open(part, _FOLDER if at is None else _FOLDER | os.O_NOFOLLOW, dir_fd=at), at
            if before is not None:
                os.close(before)
        return os.open(last if folders else os.path.join(folder, name), _NOT_FOLLOWED, dir_fd=at)  # noqa: PTH118 - fast
    except (OSError, ValueError):
        return None  # the slower way finds where it leads, or why it cannot be opened
    finally:
        if at is not None:
            os.close(at)
