"""Two texts beside each other, with the tokens marked that ROUGE-L counts in both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.scoring.metrics.rouge import (
    english_tokens,
    has_wide_letter,
    lcs_length,
    normal_text,
    unicode_spans,
    unicode_tokens,
)

MOST_COMPARED = 100_000
"""Characters of a text that are looked at, three times the longest text of TurkingBench."""
MOST_MARKED = 4_000
"""Tokens of a text up to which single tokens are marked: the rows for finding them take tokens times tokens bits."""
_ENGLISH = re.compile("[a-z0-9]+")

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TextPiece:
    """A part of a text.

    Attributes:
        text: The part.
        shared: Whether it is a token that the other text has, too, in the same order.
    """

    text: str
    shared: bool


@dataclass(frozen=True)
class SharedWords:
    """What two texts have in common.

    Attributes:
        sent: What was sent, in pieces.
        label: The label, in pieces.
        common: Tokens of the longest common subsequence.
        sent_tokens: Of what was sent.
        label_tokens: Of the label.
        marked: Whether the tokens in common are marked; not in texts of more than ``MOST_MARKED``.
    """

    sent: tuple[TextPiece, ...]
    label: tuple[TextPiece, ...]
    common: int
    sent_tokens: int
    label_tokens: int
    marked: bool

    @property
    def precision(self) -> float:
        """The share of what was sent that is in common."""
        return self.common / self.sent_tokens if self.sent_tokens else 0.0

    @property
    def recall(self) -> float:
        """The share of the label that is in common."""
        return self.common / self.label_tokens if self.label_tokens else 0.0

    @property
    def f1(self) -> float:
        """ROUGE-L: the harmonic mean of both."""
        from harness.scoring.metrics.english import f_measure  # noqa: PLC0415 - its library is slow to import

        return f_measure(self.precision, self.recall)


def shared_words(sent: str, label: str, *, ascii_only: bool = False) -> SharedWords:
    """Compare the first ``MOST_COMPARED`` characters of two texts token by token, as ROUGE-L does with all.

    Args:
        sent: What was sent.
        label: The label.
        ascii_only: Take ASCII letters alone for tokens, as the profile ``turkingbench-2024`` does.
    """
    sent, label = sent[:MOST_COMPARED], label[:MOST_COMPARED]
    wide = not ascii_only and (has_wide_letter(sent) or has_wide_letter(label))
    tokens = unicode_tokens if wide else english_tokens
    ours, theirs = tokens(sent), tokens(label)
    if max(len(ours), len(theirs)) > MOST_MARKED:
        common = lcs_length(ours, theirs)
        whole = (TextPiece(sent, shared=False),), (TextPiece(label, shared=False),)
        return SharedWords(*whole, common, len(ours), len(theirs), marked=False)
    pairs = common_places(ours, theirs)
    return SharedWords(
        sent=_pieces(*_placed(sent, wide=wide), frozenset(place for place, _ in pairs)),
        label=_pieces(*_placed(label, wide=wide), frozenset(place for _, place in pairs)),
        common=len(pairs),
        sent_tokens=len(ours),
        label_tokens=len(theirs),
        marked=True,
    )


def common_places(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as places in both sequences, in order.

    The rows are those of ``harness.scoring.metrics.rouge.lcs_length``, kept, and walked back: a bit of a row is 0 where
    the token of the first sequence makes the subsequence longer.

    Args:
        first: Tokens.
        second: Tokens.
    """
    rows = _rows(first, second)
    pairs = []
    column, row = len(first), len(second)
    while column and row:
        if rows[row] >> (column - 1) & 1:
            column -= 1
        elif rows[row - 1] >> (column - 1) & 1:
            column, row = column - 1, row - 1
            pairs.append((column, row))
        else:
            row -= 1
    return pairs[::-1]


def _rows(first: Sequence[str], second: Sequence[str]) -> list[int]:
    places: dict[str, int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(first)) - 1
    rows = [every]
    for token in second:
        row = rows[-1]
        matches = row & places.get(token, 0)
        rows.append((row + matches | row - matches) & every if matches else row)
    return rows


def _placed(text: str, *, wide: bool) -> tuple[str, Spans]:
    """A text, and where its tokens stand in it.

    Letters whose lower case has several characters, or that combine with the next, make places shift: then the text is
    given as it is compared.
    """
    lower = text.lower()
    small = normal_text(text) if wide else lower
    spans = tuple(unicode_spans(small) if wide else (found.span() for found in _ENGLISH.finditer(small)))
    same_places = small == lower and all(len(character.lower()) == 1 for character in text)
    return (text if same_places else small), spans


def _pieces(text: str, spans: Spans, shared: frozenset[int]) -> tuple[TextPiece, ...]:
    """The text in pieces: tokens that are shared, and what is between them."""
    pieces = []
    done = 0
    for place, (start, end) in enumerate(spans):
        if place in shared:
            pieces += [TextPiece(text[done:start], shared=False), TextPiece(text[start:end], shared=True)]
            done = end
    pieces.append(TextPiece(text[done:], shared=False))
    return tuple(piece for piece in pieces if piece.text)
