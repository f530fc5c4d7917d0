"""The claims of ``docs/trust.md`` and the tests that each names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.checkout import PROJECT

DOCUMENT = PROJECT / "docs" / "trust.md"
HOME = "tests/trust/"
_TEST = re.compile(r"`((?:tests/)?[\w/]+\.py)(?:::(test_\w+))?`")


@dataclass(frozen=True)
class Claim:
    """One line of a table of the document.

    Attributes:
        words: What is claimed.
        tests: What holds it: a file, from the project's folder, and the function in it; empty for the whole file.
    """

    words: str
    tests: tuple[tuple[str, str], ...]


def claims() -> list[Claim]:
    """All claims, in the document's order."""
    found = []
    in_table = False
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            in_table = False
        elif cells[-1] == "test":
            in_table = True
        elif in_table and not cells[0].startswith("---"):
            named = [(file if "/" in file else HOME + file, test) for file, test in _TEST.findall(cells[-1])]
            found.append(Claim(cells[0], tuple(named)))
    return found
