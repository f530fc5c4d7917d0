"""Remote pictures, videos, sounds and frames: their address on the task server, and the user's local copies.

Copies lie as ``wget --force-directories`` puts them: ``<folder>/<host>/<path>``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlencode

from harness.catalog.mirror.addresses import absolute, split

KINDS = ("image", "video", "audio", "iframe")
ROUTE = "/media"


def media_path(kind: str, url: str, width: int | None = None, height: int | None = None, alt: str = "") -> str:
    """Return where the task server shows a remote picture, video, sound or frame, or what stands for it.

    Args:
        kind: One of `KINDS`.
        url: Its address.
        width: In pixels, where the page says so.
        height: In pixels, where the page says so.
        alt: Its alternative text.
    """
    said = {"url": absolute(url), "w": width, "h": height, "alt": alt}
    return f"{ROUTE}/{kind}?{urlencode({name: value for name, value in said.items() if value})}"


@dataclass(frozen=True)
class Media:
    """A folder with local copies of remote files.

    Attributes:
        folder: The folder; None if the user has none.
    """

    folder: Path | None

    def find(self, url: str) -> Path | None:
        """Return the local copy of a remote file, None if there is none.

        The result lies in the folder, whatever the address says; links that lead out of it do not count.
        """
        parts = split(url)
        if self.folder is None or parts is None:
            return None
        host = (parts.hostname or "") + (f":{parts.port}" if parts.port else "")
        # wget writes what it can as it is, and escapes what a file name cannot hold.
        for path in dict.fromkeys((parts.path, unquote(parts.path))):
            for name in _names(path, parts.query):
                file = self._inside(host, name)
                if file is not None:
                    return file
        return None

    def _inside(self, host: str, name: str) -> Path | None:
        if self.folder is None or "\0" in name:
            return None
        top = os.path.realpath(self.folder)
        file = os.path.realpath(os.path.join(top, host, name.lstrip("/")))  # noqa: PTH118 - resolved as text
        inside = file.startswith(os.path.join(top, host) + os.sep)  # noqa: PTH118
        return Path(file) if inside and os.path.isfile(file) else None  # noqa: PTH113


def _names(path: str, query: str) -> list[str]:
    """Return the names that a file may have, with what says most first."""
    page = f"{path}index.html" if path.endswith("/") or not path else path
    with_query = [f"{page}?{query}", f"{page}@{query}"] if query else []
    return [*with_query, page]
