"""Pictures as the browser gives them, in the format in which a film keeps them."""

from __future__ import annotations

import io

from PIL import Image, WebPImagePlugin  # noqa: F401 - else Pillow loads all the formats it knows to find this one

from harness.browser.camera.picture_format import QUALITY, PictureFormat

_WEBP_EFFORT = 2
"""Of 6: less makes files a third larger, more takes twice the time for a twentieth."""


def load_formats() -> None:
    """Load what ``coded`` needs, for processes that are forked from this one."""
    Image.preinit()


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
