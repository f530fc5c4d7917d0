"""Where a run's numbers come from: code, packages, machine and browser."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import subprocess
from collections.abc import Mapping
from typing import Any

from harness.files.installation import PACKAGE
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


def provenance(browser: str) -> dict[str, Any]:
    """A JSON object: git revision and changed files, Python, operating system, packages and the browser's version."""
    return {
        "git": _git(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "browser": browser,
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def _version(package: str) -> str | None:
    """The installed version; None for a package that this machine does without."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _git() -> dict[str, Any] | None:
    # An installed copy may lie in a repository of its user's, which says nothing about it.
    if _ask_git("ls-files", "--error-unmatch", "harness/__init__.py") is None:
        return None
    revision = _ask_git("rev-parse", "HEAD")
    if revision is None:
        return None
    changed = _ask_git("status", "--porcelain") or ""
    return {"revision": revision.strip(), "changed_files": [line[3:] for line in changed.splitlines()]}


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


COMPARED = ("task_set", "inventory", "protocol", "sample", "outside")


def comparability_id(record: Mapping[str, Any], profile: str) -> str:
    """One short hash over all that has to be equal for two scores to be compared.

    Args:
        record: The content of a ``run.json``, of which the keys ``COMPARED`` count.
        profile: The name of the scoring profile.
    """
    return fingerprint_of([profile, *(record[key] for key in COMPARED)])[:10]


def fingerprint_of(value: object) -> str:
    """A hash (sha256, hex) of a JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
