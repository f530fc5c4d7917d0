"""Text from strangers on a terminal: control characters are shown and not obeyed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""All of Unicode's control characters (category Cc) but the tab and the line feed, which end no line of ours early;
and halves of surrogate pairs, which no terminal can be sent."""


def printable(text: str) -> str:
    """The text with each control character but tab and line feed as JSON escapes it: a backslash, ``u``, four digits.

    A name of a task, a solver or a file may hold what a terminal obeys: to clear the screen, to rename its window, to
    write over the line before.
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PrintableStream:
    """A text stream that writes only what is ``printable``; all else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        self.stream.write(printable(text))
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
