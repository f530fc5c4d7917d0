"""Files of a package, found although networks and packages arrange them in different folders."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

# Where packages keep what is meant for browsers.
_FOLDERS = ("", "dist/", "build/", "lib/", "umd/", "dist/umd/", "release/", "min/", "js/", "css/", "media/")


def find_file(paths: Collection[str], wanted: str) -> tuple[str, bool] | None:
    """Find a file of a package.

    Args:
        paths: The files of the package.
        wanted: The path that an address names; packages have it in another folder, perhaps.

    Returns:
        The path, and whether it is the file of that name; else it is the same file with or without ".min". None if
        there is no such file.
    """
    wanted = posixpath.normpath(wanted.strip("/")) if wanted else wanted
    for name, same in ((wanted, True), (twin(wanted), False)):
        found = _find(paths, name)
        if found:
            return found, same
    return None


def _find(paths: Collection[str], wanted: str) -> str:
    for folder in _FOLDERS:
        if folder + wanted in paths:
            return folder + wanted
    parts = wanted.split("/")
    # The longest end of the path that some file has; of several, the one nearest to the top.
    for first in range(len(parts)):
        end = "/".join(parts[first:])
        matching = [path for path in paths if path == end or path.endswith(f"/{end}")]
        if matching:
            return min(matching, key=lambda path: (path.count("/"), len(path), path))
    return ""


def twin(path: str) -> str:
    """Return the path with ".min" if it has none, without it if it has."""
    stem, end = posixpath.splitext(path)
    return stem.removesuffix(".min") + end if stem.endswith(".min") else f"{stem}.min{end}"
