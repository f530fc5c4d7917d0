"""How the pictures of a film are coded."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Literal, TypeAlias

from PIL import Image

PictureFormat: TypeAlias = Literal["webp", "jpeg", "png"]
SUFFIXES: Mapping[PictureFormat, str] = {"webp": "webp", "jpeg": "jpg", "png": "png"}
"""Format -> what the names of its files end in."""
QUALITY: Mapping[PictureFormat, int] = {"webp": 20, "jpeg": 60}
"""Of the formats that lose something, from 0 to 100. WebP keeps letters clean where JPEG of twice the size does not."""
_WEBP_EFFORT = 2
"""Of 6: less makes files a third larger, more takes twice the time for a twentieth."""


def taken_as(kind: PictureFormat) -> PictureFormat:
    """The format in which the browser is asked for a picture that is to be of format ``kind``.

    A browser takes more than twice as long for a WebP picture as for a PNG, and a page has to wait for it.
    """
    return "png" if kind == "webp" else kind


def coded(picture: bytes, kind: PictureFormat) -> bytes:
    """A picture as the browser gave it, in the format in which it is kept.

    Args:
        picture: In the format ``taken_as(kind)``.
        kind: The format.

    Raises:
        OSError: it is no such picture.
    """
    if kind != "webp":
        return picture
    file = io.BytesIO()
    with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
        image.convert("RGB").save(file, "WEBP", quality=QUALITY[kind], method=_WEBP_EFFORT)
    return file.getvalue()
