"""What an encoding is, and how it is fitted into a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from harness.catalog.template.wrapping import listed
from harness.kit.text import counted
from harness.observe.reduce import revealed
from harness.observe.snapshot import Snapshot

_LETTERS = re.compile(r"[A-Z]{1,6}")


def letters(number: int) -> str:
    """The letters of an element's number: 1 is A, 26 is Z, 27 is AA."""
    found = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        found = chr(ord("A") + place) + found
    return found


def number_of(written: str) -> int | None:
    """The number that letters stand for; None if the text is no letters."""
    if not _LETTERS.fullmatch(written):
        return None
    number = 0
    for each in written:
        number = 26 * number + ord(each) - ord("A") + 1
    return number


CHARACTERS_PER_TOKEN = 64
"""More than any tokenizer gets into one token on average: what is longer by more need not be counted."""


@dataclass(frozen=True)
class Version:
    """A page as text, whole or with something left out.

    Attributes:
        text: The text.
        left_out: What was left out, in words.
        refs: The numbers that the text shows, each with the name of its field, or None for what is no field.
    """

    text: str
    left_out: tuple[str, ...] = ()
    refs: Mapping[str, str | None] = field(default_factory=dict)


class NoSuchField(ValueError):
    """The page has no field of that name now; the message lists those that it has."""


@dataclass(frozen=True)
class Encoding:
    """A way to write a page as text: a pure function of a snapshot.

    Attributes:
        name: What it is called on the command line.
        versions: The page, around a field or (None) of all: first whole, then ever smaller, in the order in which they
            are tried; made one at a time.
        needs_outline: Whether it is made of the accessibility tree, which is another call to the browser.
        numbered: Whether it shows the numbers of what can be operated, by which actions address it.
        for_programs: Whether programs from outside can look at a page by it: not if it may lack the very field that it
            is asked for, or shows letters, by which no tool finds an element.
        lettered: Whether it numbers elements by letters, and tells what is written in pictures where that was read.
    """

    name: str
    versions: Callable[[Snapshot, str | None], Iterator[Version]]
    needs_outline: bool = False
    numbered: bool = False
    for_programs: bool = True
    lettered: bool = False

    @classmethod
    def plain(cls, name: str, write: Callable[[Snapshot, str | None], str]) -> Encoding:
        """An encoding that has one version of a page, however many tokens it may have.

        Args:
            name: What it is called.
            write: Gives the text of a page; with the name of a field, what is to be seen around that one.
        """

        def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
            yield Version(write(snapshot, field))

        return cls(name, versions)


@dataclass(frozen=True)
class Encoded:
    """A page as text.

    Attributes:
        text: The text.
        tokens: How many tokens it has, as counted; more than the budget only where the smallest version is, too.
        shrunk: What was left out, in words; empty if the text is whole.
        refs: The numbers that the text shows, each with the name of its field, or None for what is no field.
    """

    text: str
    tokens: int
    shrunk: tuple[str, ...] = ()
    refs: Mapping[str, str | None] = field(default_factory=dict)


def fit(
    encoding: Encoding,
    snapshot: Snapshot,
    *,
    field: str | None = None,
    budget: int | None = None,
    count: Callable[[str], int],
) -> Encoded:
    """A page in an encoding, as whole as a budget allows.

    Args:
        encoding: The encoding.
        snapshot: The page.
        field: The field that must stay in it; None for all visible fields, as long as they fit.
        budget: Tokens that it may have at most; None for no bound.
        count: How many tokens a text has.

    Raises:
        NoSuchField: the page has no such field.
        ValueError: the encoding is made of the accessibility tree, and the snapshot was taken without it.
    """
    if encoding.needs_outline and snapshot.outline is None:
        raise ValueError(f"encoding {encoding.name!r} needs a snapshot that was taken for it, with the outline")
    if field is not None:
        if field not in snapshot.controls:
            raise NoSuchField(f"no field {field!r} is on the page now; there are {listed(snapshot.controls)}")
        snapshot = revealed(snapshot, field)

    def measure(version: Version) -> int | None:
        """Its tokens; None if it is far too long to be worth counting."""
        hopeless = budget is not None and len(version.text) > budget * CHARACTERS_PER_TOKEN
        return None if hopeless else count(version.text)

    def fits(tokens: int | None) -> bool:
        return tokens is not None and (budget is None or tokens <= budget)

    versions = encoding.versions(snapshot, field)
    smallest = next(versions)
    tokens = measure(smallest)
    while not fits(tokens) and (version := next(versions, None)):
        counted = measure(version)
        if fits(counted) or len(version.text) < len(smallest.text):
            smallest, tokens = version, counted
    return Encoded(
        smallest.text,
        count(smallest.text) if tokens is None else tokens,
        (*_bounds(snapshot), *smallest.left_out),
        smallest.refs,
    )


def _bounds(snapshot: Snapshot) -> tuple[str, ...]:
    """Words for what a snapshot does not hold of a page that is too large."""
    notes = []
    if snapshot.lost:
        notes.append(f"left out {counted(snapshot.lost, 'character')} of a page that is too large")
    if snapshot.left:
        notes.append(f"left out {snapshot.left:,} nodes of a page that is too large")
    return tuple(notes)


def numbers(snapshot: Snapshot) -> dict[str, str | None]:
    """The numbers of what can be operated, each with the name of its field, or None for what is no field."""
    return {str(node.ref): node.field for node in snapshot.nodes if node.ref and node.shown}
