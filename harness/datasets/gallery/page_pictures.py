"""The pictures of a gallery: of each task one to read and a small one, in a folder, named by all they depend on."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from harness.kit.files.writing import write_bytes

WIDTH, HIGHEST = 1280, 8000
"""Pixels of a picture: a page is as wide as the screen; what is further down or to the right is cut."""
SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST = 480, 300, 2400
"""Pixels of a small picture. A page that is lower than its frame stands on white."""
_QUALITY = 72
_NAME = re.compile(r"[0-9a-f]{20}(?:-small)?\.webp")


@dataclass(frozen=True)
class PagePicture:
    """The pictures of one page.

    Attributes:
        file: The name of the picture.
        small: The name of the small one.
        height: Pixels of the picture, which is ``WIDTH`` wide.
        small_height: Pixels of the small one, which is ``SMALL_WIDTH`` wide.
    """

    file: str
    small: str
    height: int
    small_height: int


class PagePictures:
    """The pictures in one folder.

    Attributes:
        folder: Where they are.
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when there is something to put into it."""
        self.folder = folder

    def find(self, *depends_on: str) -> PagePicture | None:
        """The pictures of a page that were taken before; None if one of them is not there or is damaged.

        Args:
            *depends_on: All that the picture depends on.
        """
        file, small = _names(depends_on)
        try:
            with Image.open(self.folder / file) as large, Image.open(self.folder / small) as little:
                return PagePicture(file, small, large.height, little.height)
        except OSError:  # Pillow's own errors of files are such, too
            return None

    def add(self, png: bytes, *depends_on: str) -> PagePicture:
        """Keep the picture of a page.

        Args:
            png: Of the whole page.
            *depends_on: As for ``find``.

        Raises:
            OSError: the folder cannot be written.
        """
        file, small = _names(depends_on)
        with Image.open(io.BytesIO(png)) as opened:
            page = _on_white(opened.convert("RGB"), WIDTH, 1, HIGHEST)
        scale = SMALL_WIDTH / WIDTH
        little = page.resize((SMALL_WIDTH, max(1, round(page.height * scale))), Image.Resampling.LANCZOS)
        little = _on_white(little, SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST)
        # The small one last: where it is, both are.
        for name, image in ((file, page), (small, little)):
            buffer = io.BytesIO()
            image.save(buffer, "WEBP", quality=_QUALITY, method=4)
            write_bytes(self.folder / name, buffer.getvalue())
        return PagePicture(file, small, page.height, little.height)

    def keep_only(self, pictures: Collection[PagePicture]) -> None:
        """Remove the pictures of pages that are no more; other files of the folder are left alone."""
        wanted = {name for each in pictures for name in (each.file, each.small)}
        for file in self.folder.glob("*.webp"):
            if _NAME.fullmatch(file.name) and file.name not in wanted:
                file.unlink()


def _names(depends_on: Collection[str]) -> tuple[str, str]:
    text = "\n".join([*depends_on, str((WIDTH, HIGHEST, SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST, _QUALITY))])
    stem = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:20]
    return f"{stem}.webp", f"{stem}-small.webp"


def _on_white(image: Image.Image, width: int, lowest: int, highest: int) -> Image.Image:
    """The upper left part of a picture, exactly ``width`` wide and of a height within limits."""
    sheet = Image.new("RGB", (width, min(max(image.height, lowest), highest)), "white")
    sheet.paste(image, (0, 0))
    return sheet
