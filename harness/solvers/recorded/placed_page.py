"""What solvers of recorded work have in common: the file it stands in, and the instance that a page shows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from harness.episode.assignment import Page
from harness.episode.solver import WrongOptions

_PAGE = re.compile(r"/page/([^/]+)/(\d+)/")


def instance_at(page: Page) -> tuple[str, int] | None:
    """The task and the index of the instance that a page shows; None if its address is that of no instance."""
    match = _PAGE.fullmatch(urlsplit(page.url).path)
    return (unquote(match[1]), int(match[2])) if match else None


def unchanged_digest(options: Mapping[str, Any], file: str, digest: str) -> str:
    """The SHA-256 of the file in an option, in hex.

    Args:
        options: What the user chose, with the file, and its digest if the run has begun.
        file: The option that names the file.
        digest: The one that holds its digest.

    Raises:
        WrongOptions: the file is another than when the run began.
    """
    path = Path(options[file])
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if options.get(digest, found) != found:
        raise WrongOptions(f"{path} has changed since the run began: begin a new run")
    return found
