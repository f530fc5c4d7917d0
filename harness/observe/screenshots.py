"""Set-of-marks pictures: numbered boxes over what can be operated (Yang et al., 2023, "Set-of-Mark Prompting").

Drawn on the picture and not in the page, so that the page cannot notice it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field

from PIL import Image, ImageDraw, ImageFont

from harness.observe.snapshot import Snapshot

MODES = ("none", "viewport", "full", "element", "marks", "marks-full")
"""No picture; what the screen shows; the whole page; the screen with one field in view and a border around it; what the
screen shows with numbered boxes; the whole page with numbered boxes."""
COLOURS = ((200, 0, 40), (0, 90, 200), (0, 125, 60), (150, 60, 0), (120, 0, 150), (0, 115, 130))
"""Boxes beside one another differ; white writing can be read on each."""
FONT_SIZE = 12
LINE_WIDTH = 2
SMALL = 30
"""Pixels; beside a box that is lower or narrower its number stands on the left, so that it hides nothing of it."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Picture:
    """A picture of a page.

    Attributes:
        png: The picture.
        marks: The numbers that are drawn on it, each with the name of its field, or None for what is no field.
    """

    png: bytes
    marks: Mapping[int, str | None] = field(default_factory=dict)


def with_marks(png: bytes, snapshot: Snapshot, *, whole: bool) -> Picture:
    """A picture with a numbered box over everything that can be operated and has a place on it.

    Args:
        png: A picture of the page, a pixel for each CSS pixel.
        snapshot: Taken when the picture was, and where the page then stood.
        whole: Whether it shows the whole page; else the viewport.
    """
    with Image.open(io.BytesIO(png)) as opened:
        image = opened.convert("RGB")
    left, top = (0, 0) if whole else snapshot.view[2:4]
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(FONT_SIZE)
    marks: dict[int, str | None] = {}
    tags: list[tuple[int, Box]] = []
    for node in snapshot.nodes:
        if not node.ref or not node.box or not node.shown:
            continue
        x, y, width, height = node.box[0] - left, node.box[1] - top, node.box[2], node.box[3]
        if x + width <= 0 or y + height <= 0 or x >= image.width or y >= image.height:
            continue
        marks[node.ref] = node.field
        tags.append((node.ref, (x, y, width, height)))
        corners = (x - LINE_WIDTH, y - LINE_WIDTH, x + width + LINE_WIDTH - 1, y + height + LINE_WIDTH - 1)
        draw.rectangle(corners, outline=_colour(node.ref), width=LINE_WIDTH)
    # All numbers after all boxes, so that no box crosses a number.
    for number, box in tags:
        _tag(draw, font, number, box, image.size)
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return Picture(buffer.getvalue(), marks)


def _colour(number: int) -> tuple[int, int, int]:
    return COLOURS[number % len(COLOURS)]


def _tag(
    draw: ImageDraw.ImageDraw,
    font: ImageFont.ImageFont | ImageFont.FreeTypeFont,
    number: int,
    box: Box,
    size: tuple[int, int],
) -> None:
    """The number of a box: on its upper edge, or on the left of a small one; always within the picture."""
    x, y, width, height = box
    text = str(number)
    tag_width, tag_height = draw.textlength(text, font=font) + 4, FONT_SIZE + 3
    is_small = width < SMALL or height < SMALL
    at_x = x - LINE_WIDTH - tag_width if is_small else x - LINE_WIDTH
    at_y = y + (height - tag_height) / 2 if is_small else y - LINE_WIDTH - tag_height / 2
    at_x = min(max(at_x, 0), max(size[0] - tag_width, 0))
    at_y = min(max(at_y, 0), max(size[1] - tag_height, 0))
    draw.rectangle((at_x, at_y, at_x + tag_width - 1, at_y + tag_height - 1), fill=_colour(number))
    draw.text((at_x + 2, at_y), text, fill=(255, 255, 255), font=font)
