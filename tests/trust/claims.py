"""The claims of ``docs/explanation/trust.md``, and the files whose tests hold them.

A claim is a point of a list that ends with its name in brackets; a test that holds it bears the mark ``claim(name)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkout import PROJECT

DOCUMENT = PROJECT / "docs" / "explanation" / "trust.md"
_CLAIM = re.compile(r"^- ((?:(?!^- |^$).)+?)\s\(`([a-z0-9-]+)`\)$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"\bmark\.claim\(")


@dataclass(frozen=True)
class Claim:
    """A claim of the document.

    Attributes:
        name: By which tests name it.
        words: What is claimed.
    """

    name: str
    words: str


def claims() -> list[Claim]:
    """All claims, in the document's order."""
    found = _CLAIM.findall(DOCUMENT.read_text(encoding="utf-8"))
    return [Claim(name, " ".join(words.split())) for words, name in found]


def marked_files() -> list[Path]:
    """The files in which a test holds a claim."""
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    return [file for file in files if _MARK.search(file.read_text(encoding="utf-8"))]


def held_by(test: pytest.Item) -> set[str]:
    """The names of the claims that a test holds."""
    return {name for mark in test.iter_markers("claim") for name in mark.args}
