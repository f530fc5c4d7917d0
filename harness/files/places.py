"""Where the project's own files are."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
"""The checkout: the folder that holds ``manage.py`` and ``tasks/``."""
BUNDLED_TASKS = PROJECT / "tasks"
"""The tasks that come with the project."""
