"""Text of web pages has halves of surrogate pairs, which no file can hold."""

from __future__ import annotations


def joined_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
