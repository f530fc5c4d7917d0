"""Texts and lists cut to a length."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

NAME_WIDTH = 44
"""Characters of a task's name in a table for a terminal."""

MOST_NAMED = 3
"""Names that stand for a list of them in a message."""


def shorten(text: str, length: int = NAME_WIDTH) -> str:
    """At most ``length`` characters of a text; an ellipsis stands for what is left out."""
    return text if len(text) <= length else text[: length - 1] + "…"


def few(words: Iterable[str], most: int = MOST_NAMED) -> str:
    """The first ``most`` words of a list, separated by commas, and whether there are more."""
    rest = iter(words)
    listed = ", ".join(islice(rest, most))
    return listed if next(rest, None) is None else f"{listed} and more"
