"""What a solver sees of a page: a snapshot of it, written as text in one of several encodings, and pictures."""

from __future__ import annotations

from collections.abc import Callable

from harness.kit.registry import Registry, registry
from harness.observe.encoding import Encoded, Encoding, NoSuchField, fit
from harness.observe.snapshot import Snapshot

__all__ = ["ENCODINGS", "Encoded", "Encoding", "NoSuchField", "Snapshot", "encode", "lettered", "numbered"]

ENCODINGS: Registry[Encoding] = registry("encodings")
"""The encodings by name; ``docs/reference/encodings.md`` describes them."""


def numbered() -> tuple[str, ...]:
    """The encodings that show the numbers of what can be operated."""
    return tuple(name for name, encoding in ENCODINGS.items() if encoding.numbered)


def lettered() -> tuple[str, ...]:
    """The encodings that number elements by letters, and tell what is written in pictures."""
    return tuple(name for name, encoding in ENCODINGS.items() if encoding.lettered)


def encode(
    name: str,
    snapshot: Snapshot,
    *,
    field: str | None = None,
    budget: int | None = None,
    count: Callable[[str], int],
) -> Encoded:
    """A page in the encoding of that name, as whole as a budget allows.

    Args:
        name: One of ``ENCODINGS``.
        snapshot: The page.
        field: The field that must stay in it; None for all visible fields, as long as they fit.
        budget: Tokens that it may have at most; None for no bound.
        count: How many tokens a text has.

    Raises:
        NoSuchField: the page has no such field.
        ValueError: there is no such encoding, or it is made of the accessibility tree (``axtree``), and the snapshot
            was taken without.
    """
    if name not in ENCODINGS:
        raise ValueError(f"unknown encoding {name!r}; there are {', '.join(ENCODINGS)}")
    return fit(ENCODINGS[name], snapshot, field=field, budget=budget, count=count)
