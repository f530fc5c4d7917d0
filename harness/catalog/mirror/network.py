"""What becomes of outside addresses in pages, by name."""

from __future__ import annotations

from typing import Literal

Network = Literal["mirror", "live", "none"]
"""Local files in their place, the network itself, or nothing."""
