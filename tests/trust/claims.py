"""The claims of ``docs/notes/claims.md``, and the files whose tests hold them.

A claim is a sentence of ``claims.toml`` with a name; a test that holds it bears the mark ``claim(name)``.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from tests.checkout import PROJECT

PAGE = PROJECT / "docs" / "notes" / "claims.md"
_STATED = Path(__file__).with_name("claims.toml")
_MARK = re.compile(r"\bmark\.claim\(")
_HEAD = """\
# Claims

What turkbench promises, part by part. After each claim stand its name and the files in `tests/` that hold it.
[Why scores can be trusted](../explanation/trust.md) explains the parts, and says what is not protected. In a checkout

```shell
python -m tests.trust
```

tries all claims and prints which hold; `--list` prints the tests of each, and `-k gate` tries some.
`make docs` writes this page.
"""


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        name: By which tests name it.
        words: What is claimed.
        part: What it is about, the heading that it stands under.
    """

    name: str
    words: str
    part: str


def claims() -> list[Claim]:
    """All claims, in their order."""
    parts = tomllib.loads(_STATED.read_text(encoding="utf-8"))
    return [Claim(name, words, part) for part, stated in parts.items() for name, words in stated.items()]


def marked_files() -> list[Path]:
    """The files in which a test holds a claim."""
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    return [file for file in files if _MARK.search(file.read_text(encoding="utf-8"))]


@cache
def names_in(file: Path) -> frozenset[str]:
    """The claims that tests of a file hold."""

    def marks() -> Iterator[str]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.claim":
                yield from (ast.literal_eval(each) for each in node.args)

    return frozenset(marks())


def held_by(test: pytest.Item) -> set[str]:
    """The names of the claims that a test holds."""
    return {name for mark in test.iter_markers("claim") for name in mark.args}


def document() -> str:
    """The page about the claims, as Markdown."""
    files = {file.relative_to(PROJECT / "tests").as_posix(): names_in(file) for file in marked_files()}

    def line(claim: Claim) -> str:
        held = ", ".join(f"`{file}`" for file, names in files.items() if claim.name in names)
        return f"- {claim.words} (`{claim.name}`: {held})\n"

    parts = groupby(claims(), key=lambda claim: claim.part)
    return _HEAD + "".join(f"\n## {part}\n\n{''.join(map(line, stated))}" for part, stated in parts)
