"""ROUGE-L as rouge-score computes it, fast enough for long answers, and for every script.

Tokens, stems and the F-measure are rouge-score's own. Its table for the longest common subsequence takes
a third of a second for two texts of 10,000 characters; the bit-parallel method of Hyyrö (2004,
"Bit-parallel LCS-length computation revisited") finds the same length in a millisecond or two.
"""

from __future__ import annotations

import importlib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache

Tokens = tuple[str, ...]

# Scripts written without spaces between words: Han, Hiragana, Katakana. Hangul has spaces.
_UNSPACED = (
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x323AF),
)


def load() -> None:
    """Import now what is slow to import, so that processes forked from this one share it."""
    importlib.import_module("harness.scoring.metrics.english")


@lru_cache(maxsize=1024)
def english_tokens(text: str) -> Tokens:
    """The tokens of rouge-score with ``use_stemmer=True``: stemmed runs of ASCII letters and digits.

    Args:
        text: Any text; characters outside ASCII separate tokens.

    Returns:
        The tokens in order.
    """
    from harness.scoring.metrics.english import stemmed_tokens  # noqa: PLC0415 - its library is slow to import

    return stemmed_tokens(text)


@lru_cache(maxsize=1024)
def unicode_tokens(text: str) -> Tokens:
    """The tokens of a text in any script.

    Runs of letters, marks and digits, in lower case and normal form C, not stemmed; each character of Han,
    Hiragana and Katakana is a token of its own.

    Args:
        text: Any text.

    Returns:
        The tokens in order.
    """
    normal = normal_text(text)
    return tuple(normal[start:end] for start, end in unicode_spans(normal))


def normal_text(text: str) -> str:
    """A text as ``unicode_spans`` takes it: in lower case and normal form C."""
    return unicodedata.normalize("NFC", text.lower())


def unicode_spans(normal: str) -> Iterator[tuple[int, int]]:
    """Where the tokens of ``unicode_tokens`` stand in a text: the first character of each, and the one behind it.

    Args:
        normal: As ``normal_text`` gives it.
    """
    start: int | None = None
    for place, character in enumerate(normal):
        role = _role(character)
        if role == "run" or (role == "mark" and start is not None):
            start = place if start is None else start
            continue
        if start is not None:
            yield start, place
            start = None
        if role == "alone":
            yield place, place + 1
    if start is not None:
        yield start, len(normal)


def tokenise_pair(prediction: str, label: str) -> tuple[Tokens, Tokens]:
    """The tokens of two texts that are to be compared.

    Args:
        prediction: The text that was sent.
        label: A worker's text.

    Returns:
        The tokens of both, by ``unicode_tokens`` if either text has a letter outside ASCII, else by
        ``english_tokens``.
    """
    if has_wide_letter(prediction) or has_wide_letter(label):
        return unicode_tokens(prediction), unicode_tokens(label)
    return english_tokens(prediction), english_tokens(label)


def best_rouge_l(
    prediction: str,
    labels: Sequence[str],
    tokenise: Callable[[str, str], tuple[Tokens, Tokens]] = tokenise_pair,
) -> tuple[float, str]:
    """The highest ROUGE-L F1 over several labels (TurkingBench, section 3.4), and who reaches it.

    Labels are tried in the order of the F1 that they could reach at most, which follows from the tokens
    that both texts hold in any order; one that cannot beat the best so far is left out.

    Args:
        prediction: The text that was sent.
        labels: The workers' texts, at least one.
        tokenise: Gives the tokens of the prediction and of a label.

    Returns:
        The F1, from 0 to 1, equal to rouge-score's where its tokens are used, and the label that gives it.
    """
    pairs = [(_pair(prediction, label, tokenise), label) for label in dict.fromkeys(labels)]
    candidates = [each for each in pairs if each[0].at_most]
    if len(candidates) > 1:
        candidates.sort(key=lambda candidate: candidate[0].at_most, reverse=True)
    best_score, best_ratio, best_label = 0.0, 0.0, labels[0]
    for pair, label in candidates:
        if pair.at_most < best_ratio:
            break
        if pair.score > best_score:
            best_score, best_ratio, best_label = pair.score, pair.common / pair.both, label
    return best_score, best_label


class _Pair:
    """The tokens of two texts, and what is found once it is asked for.

    Attributes:
        both: How many tokens they have together.
        at_most: Twice this is the most that the F1 can be.
    """

    def __init__(self, ours: Tokens, theirs: Tokens) -> None:
        self._ours = ours
        self._theirs = theirs
        self.both = len(ours) + len(theirs)
        shared = _shared(ours, theirs)
        self.at_most = shared / self.both if shared else 0.0

    @cached_property
    def common(self) -> int:
        """How many tokens a longest common subsequence has."""
        return len(self._ours) if self._ours == self._theirs else lcs_length(self._ours, self._theirs)

    @cached_property
    def score(self) -> float:
        """The F1."""
        from harness.scoring.metrics.english import f_measure  # noqa: PLC0415 - its library is slow to import

        return f_measure(self.common / len(self._ours), self.common / len(self._theirs))


@lru_cache(maxsize=1024)
def _pair(prediction: str, label: str, tokenise: Callable[[str, str], tuple[Tokens, Tokens]]) -> _Pair:
    """Remembered, since with each worker left out in turn the same two texts come again and again."""
    return _Pair(*tokenise(prediction, label))


def _shared(ours: Tokens, theirs: Tokens) -> int:
    """How many tokens two texts hold both, in any order."""
    counts, others = _counted(ours), _counted(theirs)
    return sum([min(counts[token], others[token]) for token in counts.keys() & others.keys()])


@lru_cache(maxsize=1024)
def _counted(tokens: Tokens) -> Counter[str]:
    return Counter(tokens)


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence.

    Each bit of one long integer stands for a token of the first sequence (Hyyrö 2004), so that a step over a
    token of the second is three operations on the integer.

    Args:
        first: Tokens.
        second: Tokens.

    Returns:
        The length in tokens.
    """
    # A token that one text has alone is in no subsequence of both. Without them, and with the shorter text as bits, an
    # answer of a million words costs no more than its label has places for them.
    both = {*first} & {*second}
    bits, steps = sorted(([token for token in tokens if token in both] for tokens in (first, second)), key=len)
    places: dict[str, int] = {}
    for place, token in enumerate(bits):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(bits)) - 1
    row = every
    for token in steps:
        matches = row & places[token]
        if matches:
            row = (row + matches | row - matches) & every
    return len(bits) - row.bit_count()


@lru_cache(maxsize=1024)
def has_wide_letter(text: str) -> bool:
    """Whether a text has a letter outside ASCII.

    Args:
        text: Any text.

    Returns:
        True if so; accents on letters count, signs and emoji do not.
    """
    return not text.isascii() and any(character.isalpha() and not character.isascii() for character in text)


@lru_cache(maxsize=1 << 14)
def _role(character: str) -> str:
    """What a character is to a token: part of a "run", a "mark" in one, "alone", or nothing ("")."""
    category = unicodedata.category(character)
    if category[0] == "L" or character == "〇":
        point = ord(character)
        return "alone" if any(low <= point <= high for low, high in _UNSPACED) else "run"
    if category[0] == "M":
        return "mark"
    return "run" if category == "Nd" else ""
