"""Remote pictures, videos, sounds and frames: their addresses, local copies, and what is shown for lacking ones."""

from __future__ import annotations

import os
import struct
import textwrap
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlencode

from harness.catalog.mirror.addresses import absolute, split

# A page that says nothing of the size gets a plausible one.
DEFAULT_SIZES = {"image": (300, 200), "video": (480, 270), "audio": (300, 60), "iframe": (480, 300)}
_LARGEST = 8000
_SHORTEST_LINE = 4
_RATE = 8000


def sized(kind: str, width: int | None, height: int | None) -> tuple[int, int]:
    """Return the size of a placeholder in pixels; a side that is not given keeps the usual proportion."""
    wide, high = DEFAULT_SIZES[kind]
    if width and not height:
        height = round(width * high / wide)
    elif height and not width:
        width = round(height * wide / high)
    return min(max(width or wide, 1), _LARGEST), min(max(height or high, 1), _LARGEST)


def picture(kind: str, url: str, width: int | None, height: int | None, alt: str) -> str:
    """Return an SVG picture of a given size that says what is missing.

    Args:
        kind: image, video, audio or iframe.
        url: The address.
        width: In pixels, None if unknown.
        height: In pixels, None if unknown.
        alt: The alternative text.
    """
    wide, high = sized(kind, width, height)
    size = max(8, min(14, high // 4, wide // 8))
    per_line = max(_SHORTEST_LINE, int((wide - size) / (0.6 * size)))
    room = max(1, int((high - size) / (1.3 * size)))
    texts = [(line, "#333") for line in textwrap.wrap(alt, per_line)]
    texts += [(line, "#777") for line in textwrap.wrap(url, per_line, break_on_hyphens=False)]
    if len(texts) > room:
        texts = texts[:room]
    top = (high - len(texts) * 1.3 * size) / 2 + size
    lines = "".join(
        f'<text x="50%" y="{top + 1.3 * size * number:.1f}" fill="{colour}">{_xml(line)}</text>'
        for number, (line, colour) in enumerate(texts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">'
        f'<rect x=".5" y=".5" width="{wide - 1}" height="{high - 1}" fill="#f2f2f2" stroke="#bbb"'
        ' stroke-dasharray="4"/>'
        f'<g font-family="monospace" font-size="{size}" text-anchor="middle">{lines}</g></svg>'
    )


def frame(url: str, alt: str) -> str:
    """Return a web page that says what would stand in a frame."""
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Not available</title></head>'
        '<body style="margin:0;padding:8px;background:#f2f2f2;font:14px monospace;color:#333;overflow-wrap:anywhere">'
        f'<p>{escape(alt)}</p><p style="color:#777">{escape(url)}</p></body></html>'
    )


def silence(seconds: float = 1.0) -> bytes:
    """Return a sound file (WAV, 8 kHz, 8 bit) in which nothing is heard, so that scripts see it begin and end."""
    samples = bytes([128]) * int(seconds * _RATE)
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, _RATE, _RATE, 1, 8)
    data = struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI4s", b"RIFF", 4 + len(fmt) + len(data), b"WAVE") + fmt + data


def _xml(text: str) -> str:
    """Return text that XML can hold."""
    return escape("".join(char if char >= " " and char not in "\ufffe\uffff" else " " for char in text))


KINDS = ("image", "video", "audio", "iframe")
ROUTE = "/media"


def media_path(kind: str, url: str, width: int | None = None, height: int | None = None, alt: str = "") -> str:
    """Return where the task server shows a remote picture, video, sound or frame, or what stands for it.

    Args:
        kind: One of `KINDS`.
        url: Its address.
        width: In pixels, where the page says so.
        height: In pixels, where the page says so.
        alt: Its alternative text.
    """
    said = {"url": absolute(url), "w": width, "h": height, "alt": alt}
    return f"{ROUTE}/{kind}?{urlencode({name: value for name, value in said.items() if value})}"


@dataclass(frozen=True)
class Media:
    """A folder with local copies of remote files.

    Attributes:
        folder: The folder; None if the user has none.
    """

    folder: Path | None

    def find(self, url: str) -> Path | None:
        """Return the local copy of a remote file, None if there is none.

        The result lies in the folder, whatever the address says; links that lead out of it do not count.
        """
        parts = split(url)
        if self.folder is None or parts is None:
            return None
        host = (parts.hostname or "") + (f":{parts.port}" if parts.port else "")
        # wget writes what it can as it is, and escapes what a file name cannot hold.
        for path in dict.fromkeys((parts.path, unquote(parts.path))):
            for name in _names(path, parts.query):
                file = self._inside(host, name)
                if file is not None:
                    return file
        return None

    def _inside(self, host: str, name: str) -> Path | None:
        if self.folder is None or "\0" in name:
            return None
        top = os.path.realpath(self.folder)
        file = os.path.realpath(os.path.join(top, host, name.lstrip("/")))  # noqa: PTH118 - resolved as text
        inside = file.startswith(os.path.join(top, host) + os.sep)  # noqa: PTH118
        return Path(file) if inside and os.path.isfile(file) else None  # noqa: PTH113


def _names(path: str, query: str) -> list[str]:
    """Return the names that a file may have, with what says most first."""
    page = f"{path}index.html" if path.endswith("/") or not path else path
    with_query = [f"{page}?{query}", f"{page}@{query}"] if query else []
    return [*with_query, page]
