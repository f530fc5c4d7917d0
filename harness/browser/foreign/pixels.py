"""Pictures whose pixels are the points of presses."""

from __future__ import annotations

import io

from PIL import Image


def scaled(png: bytes, width: int) -> bytes:
    """A picture as wide as the page area in CSS pixels: screens with a finer grain have more of their own.

    Args:
        png: The picture.
        width: CSS pixels.
    """
    with Image.open(io.BytesIO(png)) as image:
        if image.width == width or width <= 0:
            return png
        smaller = image.resize((width, round(image.height * width / image.width)))
    buffer = io.BytesIO()
    smaller.save(buffer, "PNG")
    return buffer.getvalue()
