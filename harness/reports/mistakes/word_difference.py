"""Texts for a report: cut where they are long, and compared word by word."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from harness.scoring.metrics.rouge import english_tokens, has_wide_letter, unicode_tokens

MOST_CHARACTERS = 600
"""Of a text that a report shows."""

Part = Literal["both", "sent", "label"]

# A run without white space, or one character of a script that writes none, with the white space behind it.
_UNSPACED = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"(?:[{_UNSPACED}]|[^\s{_UNSPACED}]+)\s*")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class CutText:
    """The beginning of a text.

    Attributes:
        text: As much as a report shows.
        characters: Of the whole.
    """

    text: str
    characters: int

    @property
    def cut(self) -> bool:
        """Whether some characters are missing."""
        return len(self.text) < self.characters


def cut(text: str, most: int = MOST_CHARACTERS) -> CutText:
    """The first characters of a text, at most so many."""
    return CutText(text[:most], len(text))


def word_diff(sent: str, label: str) -> list[tuple[Part, str]]:
    """The words that two texts have in common in the same order, and those that only one of them has.

    Words count as the same if ROUGE-L takes them for the same: case, punctuation and, in English, endings do not
    matter. The alignment is that of ``difflib`` (Ratcliff and Obershelp 1988), which prefers long runs and is therefore
    easier to read than a longest common subsequence; it may hold fewer words than the one that the score counts.

    Args:
        sent: What was answered, at most a few hundred words: the time is quadratic in their number at worst.
        label: What a worker wrote.

    Returns:
        Pieces in order: ``both`` with the words as they were sent; ``sent``, words of the answer alone; ``label``,
        words of the label alone. A piece keeps the space behind its last word, the end of a text counting as one, so
        that pieces can be joined: ``both`` and ``sent`` are the answer, with one space for each run of white space.
    """
    tokens: Callable[[str], tuple[str, ...]] = (
        unicode_tokens if has_wide_letter(sent) or has_wide_letter(label) else english_tokens
    )
    ours, theirs = _words(sent), _words(label)
    pieces: list[tuple[Part, str]] = []
    first_keys, second_keys = ([tokens(word) or (word,) for word in words] for words in (ours, theirs))
    same = SequenceMatcher(None, first_keys, second_keys, autojunk=False)
    for operation, first, last, their_first, their_last in same.get_opcodes():
        if operation == "equal":
            pieces.append(("both", "".join(ours[first:last])))
            continue
        if first < last:
            pieces.append(("sent", "".join(ours[first:last])))
        if their_first < their_last:
            pieces.append(("label", "".join(theirs[their_first:their_last])))
    return pieces


def _words(text: str) -> list[str]:
    return [_SPACE.sub(" ", word) for word in _WORD.findall(f"{text.strip()} ")]
