"""How long texts are: in characters, and in tokens of each vocabulary that this machine knows and has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from harness.models.tokens.counting import PIECE
from harness.models.tokens.vocabulary import VOCABULARIES, Vocabulary, encoding_of, find

CHARACTERS = "characters"
"""The unit that needs no vocabulary."""

Rulers = Mapping[str, Callable[[str], int] | None]
"""Unit -> what measures a text in it; None for a vocabulary that is not in the cache."""


@dataclass(frozen=True)
class Length:
    """How long a task is, in one unit.

    Attributes:
        template: Its template, variables unfilled.
        page: Its pages with their values filled in: the mean over those that were measured.
    """

    template: int
    page: float


def rulers() -> Rulers:
    """What measures texts on this machine: characters, and each vocabulary that the harness knows, by name."""
    found = {each.name: partial(_tokens, each) if find(each) else None for each in VOCABULARIES}
    return {CHARACTERS: len, **dict(sorted(found.items()))}


def measured(template: str, pages: Sequence[str], units: Rulers) -> dict[str, Length | None]:
    """How long a task is, in each unit; None in one that cannot be measured here.

    Args:
        template: Its template.
        pages: Some of its pages, at least one.
        units: As ``rulers`` gives them.
    """
    return {unit: measure and Length(measure(template), fmean(map(measure, pages))) for unit, measure in units.items()}


def _tokens(vocabulary: Vocabulary, text: str) -> int:
    """Tokens of a text, cut into pieces as for a request: a page may hold a word of a million letters."""
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    return sum(map(len, encoding_of(vocabulary).encode_ordinary_batch(pieces, num_threads=2)))
