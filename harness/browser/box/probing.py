"""Whether a program that boxes are made with works on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

PROBE_SECONDS = 20.0


def failure_of(command: Sequence[str]) -> str:
    """What a command says when it fails, in one line; empty if it does not fail."""
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{name}: {error}"
    if not done.returncode:
        return ""
    said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return f"{name} says: {said[-1]}"
