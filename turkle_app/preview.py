"""Rows of the table of instances: each instance in one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.catalog import Instance

_MOST_INPUTS = 3
_LONGEST = 140


@dataclass(frozen=True)
class Preview:
    """One instance in a table.

    Attributes:
        index: Its index.
        id: Its id.
        rows: How many rows of the table it stands in.
        labelled: How many workers labelled it.
        inputs: (name, shortened value) of its first inputs.
        more: How many inputs are not among them.
    """

    index: int
    id: str
    rows: int
    labelled: int
    inputs: tuple[tuple[str, str], ...]
    more: int


def previews(instances: Iterable[Instance]) -> list[Preview]:
    """Return one row for each instance."""
    return [
        Preview(
            index=instance.index,
            id=instance.id,
            rows=len(instance.rows),
            labelled=instance.labelled,
            inputs=tuple((name, shorten(value)) for name, value in list(instance.inputs.items())[:_MOST_INPUTS]),
            more=max(0, len(instance.inputs) - _MOST_INPUTS),
        )
        for instance in instances
    ]


def shorten(value: str) -> str:
    """Return a value on one line, cut with an ellipsis if it is long."""
    # A value may be an image of megabytes: only the part that can be shown is looked at.
    line = " ".join(value[: 8 * _LONGEST].split())
    return line if len(line) <= _LONGEST and len(value) <= 8 * _LONGEST else f"{line[:_LONGEST].rstrip()}…"
