"""Text from strangers on a terminal: control characters are shown and not obeyed, and so is what cannot be seen."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
"""All of Unicode's control characters (category Cc) but the tab and the line feed, which end no line of ours early;
and halves of surrogate pairs (Cs), which no terminal can be sent."""
_FORMATS = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f"
)
"""All of Unicode's format characters (Cf) and its separators of lines and paragraphs (Zl, Zp): they turn the order of
others round, or make two names look like one. Written out, since to look through all of Unicode takes a while."""
UNSEEN = re.compile(f"[{_CONTROLS}{_FORMATS}]")
"""What a terminal obeys, or what cannot be seen; the tab and the line feed are none of it."""
_FIRST_ASTRAL = 0x10000
"""From here on JSON takes two escapes for one character."""


def printable(text: str) -> str:
    """The text with what a terminal obeys, or does not show, as JSON escapes it: a backslash, ``u``, four digits.

    A name of a task, a solver or a file may hold what clears the screen, renames its window, writes over the line
    before, or turns the line round. The tab and the line feed are left alone.
    """
    return UNSEEN.sub(lambda found: _escaped(ord(found[0])), text)


def _escaped(character: int) -> str:
    if character < _FIRST_ASTRAL:
        return f"\\u{character:04x}"
    high, low = divmod(character - _FIRST_ASTRAL, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


class PrintableStream:
    """A text stream that writes only what is ``printable``; all else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        shown = printable(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:  # a console without these characters, such as one of Latin-1
            encoding = self.stream.encoding or "ascii"
            self.stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def as_is(stream: TextIO) -> TextIO:
    """The stream behind a ``PrintableStream``, for what moves the cursor itself and makes its text printable first."""
    return stream.stream if isinstance(stream, PrintableStream) else stream


@contextmanager
def printable_output() -> Iterator[None]:
    """A context in which standard output and standard error are ``PrintableStream``."""
    before = sys.stdout, sys.stderr
    if not isinstance(before[0], PrintableStream):
        sys.stdout = cast("TextIO", PrintableStream(before[0]))
    if not isinstance(before[1], PrintableStream):
        sys.stderr = cast("TextIO", PrintableStream(before[1]))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
