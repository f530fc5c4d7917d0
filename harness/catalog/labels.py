"""What workers wrote, made comparable: blanks, clean text, numbers, options, votes.

A label is a cell of the answer file, read as text. Nothing here knows of browsers, files or scores; the
rules are those of the section "Labels" of ``docs/reference/metrics.md``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

_BLANK = frozenset({"", "{}", "'{}'", "nan"})
_LINE_END = re.compile(r"\r\n?")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?", re.ASCII | re.IGNORECASE)
_TICKED = frozenset({"true", "on"})
_NOT_TICKED = frozenset({"false", "off"})


def is_blank(cell: str) -> bool:
    """Whether a cell holds no answer.

    Blank is the empty cell, white space, ``{}``, ``'{}'`` and ``nan``. All else is an answer, ``None`` too.

    Args:
        cell: The raw cell.

    Returns:
        True if the worker left no answer.
    """
    return cell.strip() in _BLANK


def clean(cell: str) -> str:
    r"""The text of a cell or of a submitted value, ready to be compared.

    Args:
        cell: The raw text.

    Returns:
        The text with line ends ``\n`` and in Unicode normal form C. White space stays.
    """
    if cell.isascii() and "\r" not in cell:  # nearly all are, millions of times
        return cell
    return unicodedata.normalize("NFC", _LINE_END.sub("\n", cell))


@lru_cache(maxsize=8192)
def number(text: str) -> Decimal | None:
    """The number that a text is, if it is nothing else.

    Args:
        text: Any text; outer white space is ignored.

    Returns:
        The exact number (``2.0`` equals ``2``; the sign counts), or None. Digits beyond ASCII, thousands
        separators, infinities and exponents of more than four digits make no number.
    """
    text = text.strip()
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def match_option(label: str, options: Sequence[str]) -> str | None:
    """Find the option that a label means.

    Tried in this order: exactly; as numbers; ignoring case and outer white space. Within a step the first
    option wins.

    Args:
        label: A label for one choice.
        options: The values of the field's options, in page order.

    Returns:
        The option's value as the page spells it, or None if no option matches.
    """
    if label in options:
        return label
    text = clean(label)
    for option in options:
        if clean(option) == text:
            return option
    value = number(text)
    if value is not None:
        for option in options:
            if number(option) == value:
                return option
    folded = _folded(text)
    for option in options:
        if _folded(clean(option)) == folded:
            return option
    return None


def ticked(label: str, options: Sequence[str]) -> frozenset[str]:
    """The boxes that a worker ticked, from a checkbox label.

    A label that is an option as a whole is that option; any other is split at ``|`` and each part matched by
    itself. Blank, ``False`` and ``off`` mean that nothing is ticked; ``True`` and ``on`` mean the box, where
    the field has only one.

    Args:
        label: The raw cell.
        options: The values of the field's boxes.

    Returns:
        The ticked values. A part that no option matches stays in the set as written.
    """
    if is_blank(label):
        return frozenset()
    whole = match_option(label, options)
    if whole is not None:
        return frozenset({whole})
    word = _folded(label)
    if word in _NOT_TICKED:
        return frozenset()
    if word in _TICKED and len(options) == 1:
        return frozenset(options)
    return frozenset(
        part if (option := match_option(part, options)) is None else option
        for part in clean(label).split("|")
        if not is_blank(part)
    )


def one_answer(values: Iterable[str], options: Sequence[str]) -> str:
    """The one answer of a choice that has a text box beside its options ("other: which?").

    Args:
        values: What was sent, or a worker's cell; several values may be joined by ``|``.
        options: The values of the field's options.

    Returns:
        What was written, whichever option goes with it; the option where nothing was; empty for neither.
    """
    chosen, written = [], []
    for value in values:
        for part in [value] if match_option(value, options) is not None else clean(value).split("|"):
            option = match_option(part, options)
            if option is not None:
                chosen.append(option)
            elif not is_blank(part):
                written.append(part)
    return "|".join(written or chosen)


def winners(votes: Sequence[str]) -> tuple[str, ...]:
    """The answers with the most votes.

    Args:
        votes: One answer a worker.

    Returns:
        The most frequent answers, all that are tied, in the order in which they were first seen; empty if
        nobody voted.
    """
    counts: dict[str, int] = {}  # for so few a Counter takes longer
    for vote in votes:
        counts[vote] = counts.get(vote, 0) + 1
    most = max(counts.values(), default=0)
    return tuple(answer for answer, count in counts.items() if count == most)


def _folded(text: str) -> str:
    return text.strip().casefold()
