"""The names under which a page can send something, as its HTML says without being opened.

Whoever holds a sheet's address can send any name. A column of the results is a name that stands in the page: of an
element, of a field that its scripts put together, or as a text of theirs.
"""

from __future__ import annotations

import re

from harness.catalog.template.markup import scan
from harness.scoring.answers.scripted import later_fields

_QUOTED = re.compile(r"""(["'`])((?:(?!\1)[^\\\n]){1,200})\1""")
_OF_PICTURES = (".x", ".y")
"""A button that is a picture sends where it was pressed."""


class PageNames:
    """The names of one page."""

    def __init__(self, html: str) -> None:
        """Read them.

        Args:
            html: The page of an instance.
        """
        self._names: set[str] = set()
        for piece in scan(html):
            if piece.kind == "start":
                self._names |= {piece.attributes[key] for key in ("name", "dirname") if key in piece.attributes}
            elif piece.kind == "raw" and piece.name == "script":
                self._names |= {text for _, text in _QUOTED.findall(html[piece.start : piece.end])}
        self._patterns = [field.pattern for field in later_fields(html)]

    def __contains__(self, name: str) -> bool:
        """Whether the page can send something under a name."""
        if name in self._names or any(pattern.fullmatch(name) for pattern in self._patterns):
            return True
        return name.endswith(_OF_PICTURES) and name[:-2] in self._names
