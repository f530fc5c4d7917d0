"""What else a paper has beside its tables: data, agents, judges, trainers, each with the command that is it here."""

from __future__ import annotations

import msgspec

from harness.papers.paper_file import paper_file

FILE = "items.toml"
"""Beside the code of a paper."""


class PaperItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a paper's system.

    Attributes:
        name: What it is.
        command: What is it here; empty if nothing is.
        differs: What of ours differs, or why there is no command; where the details are.
    """

    name: str
    command: str = ""
    differs: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: tuple[PaperItem, ...] = ()


def items_in(package: str) -> tuple[PaperItem, ...]:
    """The items in the file of a paper's package; none if it has no such file.

    Args:
        package: Its name, for example ``harness.papers.webcanvas``.

    Raises:
        Malformed: the file is not well formed; says where.
    """
    found = paper_file(package, FILE, _File)
    return found.items if found else ()
