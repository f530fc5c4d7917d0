"""What was searched for, marked in the page of an episode: in all that was said, done, sent and shown there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape, unescape

from django.utils.safestring import SafeString, mark_safe

from harness.reports.watch.search_terms import SearchTerms

MOST_MARKS = 500
"""Places of a page that are marked."""
_EXCERPTS = 3
"""Places of a long text, which a page loads when it is looked at, that are shown before it."""
_AROUND = 200
"""Characters around each of them."""
_TAG = re.compile(r"(<[^>]*>)")
_NAME = re.compile(r"</?([a-z0-9]+)")
_ALONE = frozenset({"br", "hr", "img", "input", "link", "meta"})
_SAID = frozenset({"said", "quoted", "value", "result", "deed", "calls", "address"})
"""Classes of elements whose text comes from the run."""
_CLASSES = re.compile(r'\sclass="([^"]*)"')
_LONG_TEXT = re.compile(r'<a [^>]*data-text="([^"]*)"')


@dataclass(frozen=True)
class MarkedPage:
    """A page with its marks.

    Attributes:
        html: The page; the marks are called ``hit-1``, ``hit-2`` and so on, and all that folds around one is open.
        marks: How many there are, at most ``MOST_MARKS``.
    """

    html: SafeString
    marks: int


def marked(html: str, terms: SearchTerms, text_of: Callable[[str], str]) -> MarkedPage:
    """Mark what was searched for.

    Args:
        html: As ``harness.reports.watch.episode_html.episode_html`` gives it: all of the run is escaped.
        terms: What was searched for.
        text_of: Gives a long text by its address; empty if it cannot be had.
    """
    page = _Page(terms, text_of)
    made = "".join(page.marked(_TAG.split(html)))
    return MarkedPage(mark_safe(made), page.marks)  # noqa: S308 - its own tags, and texts that are escaped again


class _Page:
    """A page while it is marked."""

    def __init__(self, terms: SearchTerms, text_of: Callable[[str], str]) -> None:
        self.marks = 0
        self._terms = terms
        self._text_of = text_of
        self._inside: list[tuple[str, int, bool]] = []
        """What is open: its name, its place in the page, and whether its text comes from the run."""

    def marked(self, pieces: list[str]) -> list[str]:
        """The pieces of a page, tags in every second place, with marks."""
        made: list[str] = []
        for place, piece in enumerate(pieces):
            if place % 2:
                made.append(self._excerpts(piece, made) + piece)
                self._step(piece, place)
            elif self._inside and self._inside[-1][2]:
                made.append(self._text(unescape(piece), made))
            else:
                made.append(piece)
        return made

    def _step(self, tag: str, place: int) -> None:
        found = _NAME.match(tag)
        if found is None or found[1] in _ALONE or tag.endswith("/>"):
            return
        if tag.startswith("</"):
            while self._inside and self._inside.pop()[0] != found[1]:
                pass
            return
        classes = _CLASSES.search(tag)
        is_said = bool(self._inside and self._inside[-1][2]) or bool(
            classes and not _SAID.isdisjoint(classes[1].split())
        )
        # A badge is our own word in the midst of the run's.
        is_ours = bool(classes and "badge" in classes[1].split())
        self._inside.append((found[1], place, is_said and not is_ours))

    def _text(self, text: str, made: list[str]) -> str:
        pieces, end = [], 0
        for first, behind in self._terms.places(text):
            if self.marks >= MOST_MARKS:
                break
            self.marks += 1
            pieces += [escape(text[end:first]), f'<mark class="hit" id="hit-{self.marks}">', escape(text[first:behind])]
            pieces.append("</mark>")
            end = behind
        if not pieces:
            return escape(text)
        for name, place, _ in self._inside:
            if name == "details" and " open" not in made[place]:
                made[place] = f"{made[place][:-1]} open>"
        return "".join((*pieces, escape(text[end:])))

    def _excerpts(self, tag: str, made: list[str]) -> str:
        """What of a long text stands before the link to it."""
        link = _LONG_TEXT.match(tag)
        if link is None or " data-closed" in made[self._inside[-1][1]]:  # of a whole request all else is shown
            return ""
        text = self._text_of(unescape(link[1]))
        places = list(self._terms.places(text))
        if not places:
            return ""
        shown = "".join(
            f'<pre class="said excerpt" tabindex="0">{self._text(part, made)}</pre>' for part in _around(text, places)
        )
        number = f"{len(places):,} place{'s' * (len(places) > 1)} in this text"
        return f'<p class="soft small">{number}:</p>{shown}'


def _around(text: str, places: list[tuple[int, int]]) -> Iterator[str]:
    """Parts of a text around the first places; those that are near each other stand in one part."""
    behind = 0
    for _, (first, end) in zip(range(_EXCERPTS), (each for each in places), strict=False):
        if first < behind:
            continue
        begin, behind = max(0, first - _AROUND), end + _AROUND
        yield f"{'…' if begin else ''}{text[begin:behind].strip()}{'…' if behind < len(text) else ''}"
