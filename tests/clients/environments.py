"""Where the real clients are: each has an environment of its own, since their pins collide with ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkout import PROJECT

ENVIRONMENTS = PROJECT / ".clients"
"""Made by ``.ci/real-clients``, one folder for each ``requirements-NAME.txt`` beside this file."""


def python_of(client: str) -> Path:
    """The interpreter that has a client installed."""
    return ENVIRONMENTS / client / "bin" / "python"


def needs(client: str) -> pytest.MarkDecorator:
    """Skips tests where a client is not installed."""
    missing = not (ENVIRONMENTS / client / "installed.txt").exists()  # what is written last
    return pytest.mark.skipif(missing, reason=f"{client} is not installed; .ci/real-clients {client} does that")
