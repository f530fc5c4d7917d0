"""A JSON list from a stream, element by element: a file of 500 MB takes the memory of its largest element."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

_AT_ONCE = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
LONGEST = 1 << 28
"""Characters of the longest element that is read: none that is honest comes near."""


class JsonList:
    """A list whose elements are objects, read once from front to back.

    Args:
        stream: The text, from its beginning.
        longest: Characters that an element may have.
    """

    def __init__(self, stream: TextIO, longest: int = LONGEST) -> None:
        self._stream = stream
        self._longest = longest
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def __iter__(self) -> Iterator[Any]:
        """The elements.

        Raises:
            ValueError: it is no such list, or an element is too long; the message says which.
            OSError: the stream cannot be read.
        """
        if self._sign() != "[":
            raise ValueError("it does not begin with [: no list")
        self._at += 1
        sign = self._sign()
        while sign != "]":
            yield self._element()
            sign = self._sign()
            if sign not in {",", "]"}:
                raise ValueError("the list does not go on after an element: neither , nor ]")
            if sign == ",":
                self._at += 1
                self._sign()
        self._at += 1
        if self._sign():
            raise ValueError("something follows the list")

    def _element(self) -> Any:
        while True:
            try:
                element, self._at = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                # It may only be that the rest of it has not been read yet.
                if not self._read_on():
                    raise
            except RecursionError as error:
                raise ValueError("it is nested too deep") from error
            else:
                return element

    def _sign(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_on():
                return ""

    def _read_on(self) -> bool:
        """Read as much again as there is, so that a long element is tried a few times only; whether there was more."""
        rest = self._text[self._at :]
        if len(rest) > self._longest:
            raise ValueError(f"an element has more than {self._longest:,} characters")
        more = self._stream.read(max(_AT_ONCE, len(rest)))
        self._text, self._at = rest + more, 0
        return bool(more)
