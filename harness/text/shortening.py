"""Texts cut to a length."""

from __future__ import annotations

NAME_WIDTH = 44
"""Characters of a task's name in a table for a terminal."""


def shorten(text: str, length: int = NAME_WIDTH) -> str:
    """At most ``length`` characters of a text; an ellipsis stands for what is left out."""
    return text if len(text) <= length else text[: length - 1] + "…"
