"""Where the real clients are: each has an environment of its own, since their pins collide with ours."""

from __future__ import annotations

from pathlib import Path

from tests.checkout import PROJECT
from tests.needs import Need

ENVIRONMENTS = PROJECT / ".clients"
"""Made by ``.ci/real-clients``, one folder for each ``requirements-NAME.txt`` beside this file."""


def python_of(client: str) -> Path:
    """The interpreter that has a client installed."""
    return ENVIRONMENTS / client / "bin" / "python"


def client(name: str) -> Need:
    """A client that is installed."""
    last_written = ENVIRONMENTS / name / "installed.txt"
    return Need(name, f".ci/real-clients {name}", last_written.exists)
