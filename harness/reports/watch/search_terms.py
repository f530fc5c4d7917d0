"""Words and phrases that are searched for: as the index finds them, and as they are found again in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_PARTS = re.compile(r'"([^"]*)"?|([^\s"]+)')
_WORD = re.compile(r"[^\W_]+")
_LETTER, _BETWEEN = r"[^\W_]", r"[\W_]+"
_MARKS = "[\u0300-\u036f]*"
"""Accents that stand behind their letter as signs of their own."""
_AROUND = 60
"""Characters of a text that are shown on each side of what was found."""


class Snippet(NamedTuple):
    """What was found, with the text around it."""

    before: str
    found: str
    after: str


@dataclass(frozen=True)
class SearchTerms:
    """What is searched for.

    Attributes:
        terms: Each the words of a term, without accents and in lower case; and whether it is a phrase in quotes, whose
            last word is a whole one.
    """

    terms: tuple[tuple[tuple[str, ...], bool], ...]

    @classmethod
    def of(cls, text: str) -> SearchTerms:
        """The terms in what somebody has typed: words, and phrases between straight quotes."""
        found = ((match[1] or match[2] or "", match[1] is not None) for match in _PARTS.finditer(text))
        terms = ((tuple(_WORD.findall(_plain(part))), whole) for part, whole in found)
        return cls(tuple((words, whole) for words, whole in terms if words))

    @property
    def fts5(self) -> str:
        """The same for SQLite's FTS5: all of them somewhere."""
        said = (f'"{" ".join(words)}"{"" if whole else "*"}' for words, whole in self.terms)
        return " AND ".join(said) or '""'

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where terms stand in a text: the first character of each, and the one behind the last."""
        if self._pattern is not None:
            yield from (match.span() for match in self._pattern.finditer(_plain(text)))

    def snippet(self, text: str) -> Snippet | None:
        """The first that is found in a text, with what stands around it; None if nothing is."""
        place = next(self.places(text), None)
        if place is None:
            return None
        first, end = place
        before = ("…" if first > _AROUND else "") + text[max(0, first - _AROUND) : first]
        after = text[end : end + _AROUND] + ("…" if len(text) > end + _AROUND else "")
        return Snippet(*(" ".join(f"|{part}|".split())[1:-1] for part in (before, text[first:end], after)))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self.terms:
            return None
        terms = (
            _BETWEEN.join("".join(re.escape(letter) + _MARKS for letter in word) for word in words)
            + (f"(?!{_LETTER})" if whole else f"(?:{_LETTER}{_MARKS})*")
            for words, whole in sorted(self.terms, key=lambda term: -len("".join(term[0])))
        )
        return re.compile(f"(?<!{_LETTER})(?:{'|'.join(terms)})")


class _PlainLetters(dict[int, str]):
    """The letter that stands for another in a search; always one, so that places stay what they are."""

    def __missing__(self, sign: int) -> str:
        letter = chr(sign)
        plain = (unicodedata.normalize("NFKD", letter)[:1] or letter).lower()[:1] or letter
        self[sign] = plain
        return plain


_LETTERS = _PlainLetters()


def _plain(text: str) -> str:
    """A text without accents, in lower case, of the same length."""
    return text.lower() if text.isascii() else text.translate(_LETTERS)
