"""The screen as a model is shown it: its size, and the numbers in which the model points at it."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from harness.kit import picture

Size = tuple[int, int]
"""Width and height in pixels."""


class OffScreen(ValueError):
    """A point that is not on the screen; the message says so to the model."""


@dataclass(frozen=True)
class Screen:
    """One page area, and one way to point at it.

    What is sent is what is pointed at: no provider scales a picture of this size, so that nothing but these two scales
    stands between a point that the model sees and the pixel that is pressed.

    Attributes:
        page: The page area.
        sent: The picture that the model is shown.
        units: Where the right and the lower edge are in the numbers of the model; those of ``sent`` for pixels.
        whole: Whether the model's numbers are whole ones.
    """

    page: Size
    sent: Size
    units: tuple[float, float]
    whole: bool = True

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """A point of the model's as pixels of the page.

        Raises:
            OffScreen: it is beyond an edge.
        """
        across, down = self.units
        if not (0 <= x <= across and 0 <= y <= down):
            raise OffScreen(f"({x:g}, {y:g}) is off the screen: x goes from 0 to {across:g}, y from 0 to {down:g}")
        width, height = self.page
        return round(min(x * width / across, width - 1), 3), round(min(y * height / down, height - 1), 3)

    def way_to_page(self, dx: float, dy: float) -> tuple[float, float]:
        """A way of the model's as pixels of the page."""
        return round(dx * self.page[0] / self.units[0], 3), round(dy * self.page[1] / self.units[1], 3)

    def from_page(self, x: float, y: float) -> tuple[float, float]:
        """Pixels of the page as a point of the model's, as it would name what it sees there."""
        across, down = x * self.units[0] / self.page[0], y * self.units[1] / self.page[1]
        return (round(across), round(down)) if self.whole else (round(across, 4), round(down, 4))

    def picture(self, png: bytes) -> bytes:
        """A picture of the page area as it is sent."""
        return resized(png, self.sent)

    def zoomed(self, png: bytes, box: tuple[float, float, float, float]) -> bytes:
        """A part of the page area, as large as the screen allows.

        Args:
            png: The page area.
            box: Left, top, right and lower edge, in pixels of the page.
        """
        with Image.open(io.BytesIO(png)) as opened:
            image = opened.convert("RGB")
        left, top = math.floor(box[0]), math.floor(box[1])
        right, bottom = max(left + 1, math.ceil(box[2])), max(top + 1, math.ceil(box[3]))
        part = image.crop((left, top, min(right, image.width), min(bottom, image.height)))
        scale = min(self.sent[0] / part.width, self.sent[1] / part.height)
        size = max(1, round(part.width * scale)), max(1, round(part.height * scale))
        return _png(part.resize(size, Image.Resampling.LANCZOS))


Fit = Callable[[int, int], Size]
"""The size in which a picture of a width and a height is sent."""


def as_it_is(width: int, height: int) -> Size:
    """Unchanged."""
    return width, height


def in_patches(side: int, *, edge: int, tokens: int) -> Fit:
    """The largest size of the same shape within limits (Anthropic, "Vision", its search for the size).

    Args:
        side: Of a patch, in pixels; each is a token.
        edge: The longest edge.
        tokens: The most of them.
    """

    def fits(width: int, height: int) -> bool:
        return max(width, height) <= edge and math.ceil(width / side) * math.ceil(height / side) <= tokens

    def fit(width: int, height: int) -> Size:
        if fits(width, height):
            return width, height
        low, high = 1, width  # the widest that fits lies in between
        while high - low > 1:
            middle = (low + high) // 2
            if fits(middle, max(1, round(height * middle / width))):
                low = middle
            else:
                high = middle
        return low, max(1, round(height * low / width))

    return fit


def smart_resize(factor: int, *, least: int, most: int) -> Fit:
    """Sides that are multiples of a factor, as Qwen's image processor makes them, which servers run.

    A picture that has such a size already is not changed there: the numbers of the model are its pixels.

    Args:
        factor: Of the sides.
        least: Pixels of the whole picture.
        most: Pixels of the whole picture.
    """

    def fit(width: int, height: int) -> Size:
        across, down = max(factor, round(width / factor) * factor), max(factor, round(height / factor) * factor)
        if across * down > most:
            beta = math.sqrt(width * height / most)
            across = max(factor, math.floor(width / beta / factor) * factor)
            down = max(factor, math.floor(height / beta / factor) * factor)
        elif across * down < least:
            beta = math.sqrt(least / (width * height))
            across, down = math.ceil(width * beta / factor) * factor, math.ceil(height * beta / factor) * factor
        return across, down

    return fit


def as_wide_as(width: int, then: Fit = as_it_is) -> Fit:
    """The size that a model was trained with, where it is of the same shape, and what its server makes of that.

    Args:
        width: In pixels.
        then: What the server does.
    """
    return lambda across, down: then(width, round(down * width / across))


@dataclass(frozen=True)
class ScreenRule:
    """How a dialect sees a page area of any size.

    Attributes:
        fit: The size of the picture.
        units: Of its numbers, as in ``Screen``; None for pixels of the picture.
        whole: As in ``Screen``.
    """

    fit: Fit = as_it_is
    units: float | None = None
    whole: bool = True

    def screen(self, page: Size) -> Screen:
        """The screen of a page area."""
        sent = self.fit(*page)
        units = (float(sent[0]), float(sent[1])) if self.units is None else (self.units, self.units)
        return Screen(page, sent, units, self.whole)


def resized(png: bytes, size: Size) -> bytes:
    """A picture in another size; the same bytes where that is its own."""
    if picture.size(png) == size:
        return png
    with Image.open(io.BytesIO(png)) as opened:
        return _png(opened.convert("RGB").resize(size, Image.Resampling.LANCZOS))


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()
