"""Where the project's packages and its bundled tasks are, in a checkout and in an installed copy alike."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

IMPORT_ROOT = Path(str(files("harness"))).resolve().parent
"""The folder that ``harness``, ``oracle`` and ``turkle_app`` are imported from: a checkout, or ``site-packages``.

A process of ours finds them from whichever folder it is started in if this is its working folder or on its path."""


def _bundled_tasks() -> Path:
    # A checkout has them at its top; a wheel must not bring a top-level package of so common a name.
    installed = IMPORT_ROOT / "harness" / "tasks"
    return installed if installed.is_dir() else IMPORT_ROOT / "tasks"


BUNDLED_TASKS = _bundled_tasks()
"""The tasks that come with the project."""


def task_set_name(folder: Path) -> str:
    """What people call a folder of tasks: its own name, or where that is only ``tasks``, that of the one above it."""
    if folder == BUNDLED_TASKS:
        return "bundled tasks"
    return (folder.parent.name if folder.name == "tasks" else folder.name) or str(folder)


def importing_environment() -> dict[str, str]:
    """Our environment for a Python process in whichever folder, which then finds the project's packages."""
    python_path = os.pathsep.join(filter(None, (str(IMPORT_ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": python_path}
