"""How the pictures of a film are coded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

PictureFormat: TypeAlias = Literal["webp", "jpeg", "png"]
"""By Chromium itself, which takes a fraction of the time that a second coding here would."""
SUFFIXES: Mapping[PictureFormat, str] = {"webp": "webp", "jpeg": "jpg", "png": "png"}
"""Format -> what the names of its files end in."""
QUALITY: Mapping[PictureFormat, int] = {"webp": 60, "jpeg": 70}
"""Of the formats that lose something, from 0 to 100 (``Page.captureScreenshot``)."""
