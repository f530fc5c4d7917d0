"""Where a run's numbers come from: code, packages, machine and browser."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.kit.files.installation import IMPORT_ROOT, PACKAGE, installed_version, own_version

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
_NO_COMMIT = "(initial)"
_BEFORE_NAME = {"1": 8, "u": 10, "?": 1}
"""First word of a line of ``git status`` about a file: changed, in conflict, not tracked -> words before its name."""


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
        git: State of the code; None outside a repository.
        python: Version of Python.
        system: Name and version of the operating system.
        browser: Product and version; empty if no browser worked.
        packages: Package -> version, of those that numbers can depend on; None if not installed.
    """

    git: WorkingCopy | None
    python: str
    system: str
    browser: str
    packages: Mapping[str, str | None]


def provenance(browser: str, git: WorkingCopy | None) -> Provenance:
    """Where the numbers of a run come from that is made here and now.

    Args:
        browser: Its product and version.
        git: The state of the code, see ``working_copy``.
    """
    return Provenance(
        git=git,
        python=platform.python_version(),
        system=platform.platform(),
        browser=browser,
        packages={name: own_version() if name == PACKAGE else installed_version(name) for name in _PACKAGES},
    )


def working_copy(folder: Path = IMPORT_ROOT) -> WorkingCopy | None:
    """The state of the code as it is now; None outside a repository.

    Args:
        folder: Where the code is.
    """
    if not _is_tracked(folder):
        return None
    told = _ask_git(folder, "status", "--porcelain=v2", "--branch", "--no-renames")
    if told is None:
        return None
    lines = [line.split(" ") for line in told.splitlines()]
    revision = next((words[2] for words in lines if words[:2] == ["#", "branch.oid"]), "")
    if revision in ("", _NO_COMMIT):
        return None
    changed = (" ".join(words[_BEFORE_NAME[words[0]] :]) for words in lines if words[0] in _BEFORE_NAME)
    return WorkingCopy(revision, tuple(changed))


@cache
def _is_tracked(folder: Path) -> bool:
    # An installed copy may lie in a repository of its user's, which says nothing about it.
    return _ask_git(folder, "ls-files", "--error-unmatch", "harness/__init__.py") is not None


def _ask_git(folder: Path, *arguments: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(folder), *arguments],
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
