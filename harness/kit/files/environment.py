"""Which of our variables other processes are given: those that are named, and no key."""

from __future__ import annotations

import os
from collections.abc import Iterable

BASIC = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
"""What every process needs: where programs are, and the language that it speaks."""
PYTHON = (
    "HOME", "TMPDIR", "PYTHONPATH", "PYTHONWARNINGS", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
)  # fmt: skip
"""What one of our own Python processes needs besides."""
SCREEN = ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "FONTCONFIG_FILE", "FONTCONFIG_PATH")
"""What a program needs that draws."""


def allowed(names: Iterable[str]) -> dict[str, str]:
    """The variables of our environment that are named and set."""
    return {name: os.environ[name] for name in names if name in os.environ}
