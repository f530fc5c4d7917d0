"""What solvers of recorded work have in common: the file it stands in, and the instance that a page shows."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harness.episode.assignment import Page
from harness.episode.solver import WrongOptions

_PAGE = re.compile(r"/page/([^/]+)/(\d+)/")


def instance_at(page: Page) -> tuple[str, int] | None:
    """The task and the index of the instance that a page shows; None if its address is that of no instance."""
    match = _PAGE.fullmatch(urlsplit(page.url).path)
    return (unquote(match[1]), int(match[2])) if match else None


def unchanged_digest(path: Path, digest: str | None) -> str:
    """The SHA-256 of a file, in hex.

    Args:
        path: The file.
        digest: What it was when the run began; None if it has not begun.

    Raises:
        WrongOptions: the file is another than when the run began.
    """
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest not in (None, found):
        raise WrongOptions(f"{path} has changed since the run began: begin a new run")
    return found
