"""What is shown for a remote picture, video, sound or frame that is not there: its size, its text and its address."""

from __future__ import annotations

import struct
import textwrap
from html import escape

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
