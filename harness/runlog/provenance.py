"""Where a run's numbers come from: code, packages, machine and browser."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from harness.files.installation import PACKAGE, installed_version
from harness.files.places import IMPORT_ROOT

_PACKAGES = (
    "beautifulsoup4",
    "Django",
    "numpy",
    "pandas",
    "pillow",
    "PyAutoGUI",
    "rouge-score",
    "selenium",
    PACKAGE,
    "waitress",
    "websocket-client",
)
_GIT_SECONDS = 10


@dataclass(frozen=True)
class WorkingCopy:
    """The state of the code in its git repository.

    Attributes:
        revision: The commit.
        changed_files: Files that differ from it.
    """

    revision: str
    changed_files: tuple[str, ...]


@dataclass(frozen=True)
class Provenance:
    """Where the numbers of a run come from.

    Attributes:
        git: The state of the code; None outside a repository.
        python: Python's version.
        system: The operating system's name and version.
        browser: The browser's product and version; empty if the run ended before one was at work.
        packages: Package to version, for those that numbers can depend on; None for one that is not installed.
    """

    git: WorkingCopy | None
    python: str
    system: str
    browser: str
    packages: Mapping[str, str | None]


def provenance(browser: str) -> Provenance:
    """Where the numbers of a run come from that is made here and now, with a browser of this version."""
    return Provenance(
        git=_git(),
        python=platform.python_version(),
        system=platform.platform(),
        browser=browser,
        packages={name: installed_version(name) for name in _PACKAGES},
    )


def _git() -> WorkingCopy | None:
    # An installed copy may lie in a repository of its user's, which says nothing about it.
    if _ask_git("ls-files", "--error-unmatch", "harness/__init__.py") is None:
        return None
    revision = _ask_git("rev-parse", "HEAD")
    if revision is None:
        return None
    changed = _ask_git("status", "--porcelain") or ""
    return WorkingCopy(revision.strip(), tuple(line[3:] for line in changed.splitlines()))


def _ask_git(*arguments: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(IMPORT_ROOT), *arguments],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout


def fingerprint_of(value: object) -> str:
    """A hash (sha256, hex) of a JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
