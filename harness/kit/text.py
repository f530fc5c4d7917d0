"""Text for people: cut to a length, aligned, numbers and near names in words, made safe for a terminal."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TextIO, cast

NAME_WIDTH = 44
"""Characters of a task's name in a table for a terminal."""

MOST_NAMED = 3
"""Names that stand for a list of them in a message."""


def shorten(text: str, length: int = NAME_WIDTH) -> str:
    """At most ``length`` characters of a text; an ellipsis stands for what is left out."""
    return text if len(text) <= length else text[: length - 1] + "…"


def few(words: Iterable[str], most: int = MOST_NAMED) -> str:
    """The first ``most`` words of a list, separated by commas, and whether there are more."""
    rest = iter(words)
    listed = ", ".join(islice(rest, most))
    return listed if next(rest, None) is None else f"{listed} and more"


_MOST_SUGGESTIONS = 3


def closest_name(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that is most like ``name``; None if none is alike.

    Args:
        name: What was written.
        known: What could be meant.
        cutoff: The least similarity, from 0 to 1, as ``difflib`` measures it.
    """
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question after the closest known name, with a space before it; "" if none is alike."""
    close = closest_name(name, known)
    return f" Did you mean {close!r}?" if close else ""


def close_names(name: str, names: Sequence[str]) -> str:
    """The names that someone who wrote ``name``, in whatever case, may have meant: "'a' or 'b'", or ""."""
    spoken = {known.casefold(): known for known in reversed(names)}
    wanted = name.casefold()
    near = difflib.get_close_matches(wanted, spoken, n=_MOST_SUGGESTIONS)
    near += [known for known in sorted(spoken) if wanted and wanted in known and known not in near]
    return " or ".join(repr(spoken[known]) for known in near[:_MOST_SUGGESTIONS])


def joined_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows as columns, the first flush left and the others flush right, with a rule under the heading."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]])


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table in Markdown, all but the first column flush right."""
    heading, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


NOTHING = "–"
"""Stands where nothing could be measured."""
UNKNOWN = "unknown"
"""Stands for a number that there is, and that nobody told: it is not 0."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
"""Seconds."""


def percent(share: float | None) -> str:
    """A share as a number of per cent with one decimal; ``NOTHING`` for None."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def points(difference: float | None, digits: int = 1) -> str:
    """A difference of shares in points of per cent, with its sign; ``NOTHING`` for None."""
    return NOTHING if difference is None else f"{100 * difference:+.{digits}f}"


def counted(number: int, one: str, many: str = "") -> str:
    """A count with its noun: ``1 episode``, ``2,000 episodes``.

    Args:
        number: How many.
        one: The noun of one.
        many: The noun of several, if it does not only take an s.
    """
    return f"{number:,} {noun(number, one, many)}"


def in_range(least: int, most: int) -> str:
    """Two counts as one text: ``3`` where they are equal, else ``3 to 5``."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def noun(number: int, one: str, many: str = "") -> str:
    """The noun for a count, as for ``counted``."""
    return one if number == 1 else many or f"{one}s"


def spread(counts: Mapping[int, int]) -> str:
    """The least, the median and the most of numbers: ``1–3–7``; one number if all are equal.

    Args:
        counts: Number -> how often it occurs.
    """
    if not counts:
        return NOTHING
    values = sorted(counts)
    half, seen = sum(counts.values()) / 2, 0
    for median in values:
        seen += counts[median]
        if seen >= half:
            break
    return str(median) if len(values) == 1 else f"{values[0]:,}–{median:,}–{values[-1]:,}"


def duration(seconds: float | None) -> str:
    """A time in its two largest units; ``UNKNOWN`` for None."""
    if seconds is None:
        return UNKNOWN
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02d} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02d} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"


_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
"""All of Unicode's control characters (category Cc) but the tab and the line feed, which end no line of ours early;
and halves of surrogate pairs (Cs), which no terminal can be sent."""
_FORMATS = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f"
)
"""All of Unicode's format characters (Cf) and its separators of lines and paragraphs (Zl, Zp): they turn the order of
others round, or make two names look like one. Written out, since to look through all of Unicode takes a while."""
UNSEEN = re.compile(f"[{_CONTROLS}{_FORMATS}]")
"""What a terminal obeys, or what cannot be seen; the tab and the line feed are none of it."""
_FIRST_ASTRAL = 0x10000
"""From here on JSON takes two escapes for one character."""


def printable(text: str) -> str:
    """The text with what a terminal obeys, or does not show, as JSON escapes it: a backslash, ``u``, four digits.

    A name of a task, a solver or a file may hold what clears the screen, renames its window, writes over the line
    before, or turns the line round. The tab and the line feed are left alone.
    """
    return UNSEEN.sub(lambda found: _escaped(ord(found[0])), text)


def _escaped(character: int) -> str:
    if character < _FIRST_ASTRAL:
        return f"\\u{character:04x}"
    high, low = divmod(character - _FIRST_ASTRAL, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


class PrintableStream:
    """A text stream that writes only what is ``printable``; all else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        shown = printable(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:  # a console without these characters, such as one of Latin-1
            encoding = self.stream.encoding or "ascii"
            self.stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def as_is(stream: TextIO) -> TextIO:
    """The stream behind a ``PrintableStream``, for what moves the cursor itself and makes its text printable first."""
    return stream.stream if isinstance(stream, PrintableStream) else stream


@contextmanager
def printable_output() -> Iterator[None]:
    """A context in which standard output and standard error are ``PrintableStream``."""
    before = sys.stdout, sys.stderr
    if not isinstance(before[0], PrintableStream):
        sys.stdout = cast("TextIO", PrintableStream(before[0]))
    if not isinstance(before[1], PrintableStream):
        sys.stderr = cast("TextIO", PrintableStream(before[1]))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
