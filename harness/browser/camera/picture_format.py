"""How the pictures of a film are coded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

PictureFormat: TypeAlias = Literal["webp", "jpeg", "png"]
SUFFIXES: Mapping[PictureFormat, str] = {"webp": "webp", "jpeg": "jpg", "png": "png"}
"""Format -> what the names of its files end in."""
QUALITY: Mapping[PictureFormat, int] = {"webp": 20, "jpeg": 60}
"""Of the formats that lose something, from 0 to 100. WebP keeps letters clean where a larger JPEG smears them."""


def taken_as(kind: PictureFormat) -> PictureFormat:
    """The format in which the browser is asked for a picture that is to be of format ``kind``.

    A browser takes two to four times as long for a WebP picture as for a PNG, and a page has to wait for it.
    """
    return "png" if kind == "webp" else kind
