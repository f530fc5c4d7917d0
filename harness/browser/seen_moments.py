"""What was seen to happen in the tabs of a browser: where they went, and what trusted input reached in them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

MOST_MOMENTS = 2_000
"""Moments that wait to be taken; what comes after them is counted."""
MOST_CHARACTERS = 64_000_000
"""Of the documents that wait with them; of what comes after them no document is kept."""


@dataclass
class SeenElement:
    """An element that an event reached.

    Attributes:
        place: Which child of which child it is, counted among elements: the way down from the document's root.
        tag: Its tag, in small letters.
        css: A CSS selector that finds it alone; empty if it has none that is short.
        text: What it says; shortened.
        value: What it holds; None if it holds nothing. Of a password its length in dots.
    """

    place: tuple[int, ...]
    tag: str
    css: str
    text: str
    value: str | None


@dataclass
class SeenMoment:
    """Something that happened in a tab.

    Attributes:
        kind: ``opened`` (a tab), ``moved`` (it shows another address), ``acted`` (trusted input reached an element),
            ``closed`` (a tab).
        tab: Its number.
        url: Its address, then.
        event: Of ``acted``: the DOM event: ``click``, ``input``, ``change``, ``keydown`` (Enter), ``submit``.
        element: Of ``acted``: what it reached.
        dom: Of ``acted``: the document as the event came, as JSON: ``[tag, {attribute: value}, [child or text, ...]]``.
            Empty if it is too large. Where nothing has changed in between, moments share one text.
        at: When it was told, by ``time.monotonic``.
    """

    kind: Literal["opened", "moved", "acted", "closed"]
    tab: int
    url: str
    event: str = ""
    element: SeenElement | None = None
    dom: str = ""
    at: float = field(default_factory=time.monotonic)


class SeenMoments:
    """What has happened since somebody took it, in order.

    Attributes:
        lost: How many moments more than ``MOST_MOMENTS`` came.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._waiting: list[SeenMoment] = []
        self._characters = 0
        self._last = ""

    def add(self, moment: SeenMoment) -> None:
        """Take one down."""
        if len(self._waiting) >= MOST_MOMENTS:
            self.lost += 1
            return
        if moment.dom is not self._last:
            self._characters += len(moment.dom)
            self._last = moment.dom
        if self._characters > MOST_CHARACTERS:
            moment.dom = ""
        self._waiting.append(moment)

    def take(self) -> list[SeenMoment]:
        """Those that wait."""
        taken, self._waiting = self._waiting, []
        self._characters, self._last = 0, ""
        return taken

    def clear(self) -> None:
        """Forget all, and how many were lost."""
        self.take()
        self.lost = 0
