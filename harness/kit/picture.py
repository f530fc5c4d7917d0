"""Small work on PNG pictures: size, and a border around an element."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from PIL import Image, ImageDraw

BORDER_COLOUR = (220, 20, 60)
BORDER_WIDTH = 4


def size(png: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    with Image.open(io.BytesIO(png)) as image:
        return image.size


def within(png: bytes, edge: int) -> bytes:
    """The picture with no side longer than ``edge`` pixels: made smaller as a whole, or as it is if it fits.

    What is no picture that can be opened is left as it is.
    """
    try:
        with Image.open(io.BytesIO(png)) as opened:
            if max(opened.size) <= edge:
                return png
            scale = edge / max(opened.size)
            width, height = (max(1, int(side * scale)) for side in opened.size)
            image = opened.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    except OSError:
        return png
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def box_of(told: Mapping[str, float]) -> tuple[float, float, float, float]:
    """Left, top, width and height of a box that a page tells by these names."""
    return told["left"], told["top"], told["width"], told["height"]


def with_border(png: bytes, box: Sequence[float]) -> bytes:
    """The picture with a border drawn just outside ``box`` (left, top, width, height in pixels).

    The border is drawn on the picture and not in the page, so that the page cannot notice it.
    """
    left, top, width, height = box
    with Image.open(io.BytesIO(png)) as opened:
        image = opened.convert("RGB")
    edge = BORDER_WIDTH + 2
    right, bottom = min(left + width + edge, image.width) - 1, min(top + height + edge, image.height) - 1
    corners = (max(left - edge, 0), max(top - edge, 0), max(right, 1), max(bottom, 1))
    ImageDraw.Draw(image).rectangle(corners, outline=BORDER_COLOUR, width=BORDER_WIDTH)
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()
