"""What every board has, whatever its seed: the members, threads and letters that tasks name (``landmarks.toml``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

LANDMARKS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("landmarks.toml").read_text(encoding="utf-8"))
"""Tables ``members``, ``threads``, ``letters``, ``complaints``, ``gatherings`` and ``texts``, with ages in place of
dates."""
