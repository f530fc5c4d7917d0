"""Task names in places that allow fewer characters than a folder name: URLs and the paths of a run."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

# A file name may have 255 bytes on common file systems; the rest is left for suffixes such as ".json" and
# those of temporary files.
LONGEST_PATH_NAME = 200
_HASH_DIGITS = 16


def url_name(name: str) -> str:
    """Return the task name as one segment of a URL path.

    Args:
        name: A task name as `Catalog.names` gives it.

    Returns:
        The name percent-encoded; `urllib.parse.unquote` gives it back.

    Raises:
        ValueError: For "", "." and "..", which no encoding keeps from being read as a step in the path
            (URL standard, section 4.1: "%2e" is a dot too).
    """
    if name in {"", ".", ".."}:
        raise ValueError(f"{name!r} cannot be a segment of a URL")
    return quote(name, safe="")


def path_name(name: str) -> str:
    """Return the task name as the name of one file or folder.

    The result is ASCII, has at most `LONGEST_PATH_NAME` bytes, never starts with a dot or a dash, and
    differs for different names: a name that is too long is cut and gets a hash of the whole. A name of
    usual length is read back by `urllib.parse.unquote`.

    Args:
        name: Any text without lone surrogates.

    Raises:
        ValueError: If the name is empty.
    """
    if not name:
        raise ValueError("an empty name cannot name a file")
    encoded = quote(name, safe="")
    if encoded[0] in ".-":
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    if len(encoded) <= LONGEST_PATH_NAME:
        return encoded
    # "~" ends what was kept: quote leaves it alone, so a short name can look like this only by holding the
    # hash.
    digest = hashlib.sha256(name.encode()).hexdigest()[:_HASH_DIGITS]
    return f"{encoded[: LONGEST_PATH_NAME - _HASH_DIGITS - 1]}~{digest}"
