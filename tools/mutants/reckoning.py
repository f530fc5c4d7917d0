"""What the tests made of changes of the code: noticed, survived, and which survivors are no loss."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LISTED = Path(__file__).parent / "equivalent.toml"
PURE = frozenset({"metrics", "answers", "scoring"})
"""Folders in which more has to be noticed: from them come the numbers."""

_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORDS = re.compile(r"[a-z]\W* \W*[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """A mutant by what it is, whatever stands around it.

    Attributes:
        function: The function with its module, e.g. "harness.scoring.metrics.rouge.load".
        lines: The lines that differ, "- before" and "+ after", without their indentation.
    """

    function: str
    lines: str


@dataclass(frozen=True)
class Mutant:
    """A change that was tried.

    Attributes:
        change: What it changes.
        killed: Whether a test failed, or did not end.
    """

    change: Change
    killed: bool

    @property
    def room(self) -> str:
        """The folder of ``harness/`` that it is in, or the module there; "oracle" or "turkle_app"."""
        root, module, *_ = self.change.function.split(".")
        return module if root == "harness" else root


@dataclass(frozen=True)
class Reckoning:
    """How many changes of some code the tests notice.

    Attributes:
        killed: Noticed.
        survivors: Not noticed.
    """

    killed: int
    survivors: Sequence[Change]

    @property
    def share(self) -> float:
        """Noticed of all; 1 of none."""
        all_of_them = self.killed + len(self.survivors)
        return self.killed / all_of_them if all_of_them else 1.0


def reckon(mutants: Iterable[Mutant]) -> Reckoning:
    """Count changes that were tried."""
    tried = list(mutants)
    return Reckoning(sum(each.killed for each in tried), [each.change for each in tried if not each.killed])


def share_wanted(rooms: Sequence[str]) -> float:
    """The share that the tests have to notice: more where only pure code is changed."""
    return 0.95 if rooms and PURE.issuperset(rooms) else 0.9


def is_wording(change: Change) -> bool:
    """Whether all that differs are the letters of a string of several words, which people read."""
    before, after = ([line[2:] for line in change.lines.splitlines() if line[0] == sign] for sign in "-+")
    if len(before) != 1 or len(after) != 1 or _letters(before[0]) != _letters(after[0]):
        return False
    pairs = zip(_STRING.findall(before[0]), _STRING.findall(after[0]), strict=False)
    return any(old != new and _WORDS.search(old) for old, new in pairs)


def _letters(line: str) -> str:
    return line.replace("XX", "").casefold()


def read_listed(file: Path = LISTED) -> Mapping[Change, str]:
    """Changes that are listed as no different -> why they are not."""
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["equivalent"]
    return {
        Change(entry["function"], lines.strip()): entry["reason"] for entry in entries for lines in entry["changes"]
    }


def as_text(reckonings: Mapping[str, Reckoning]) -> str:
    """A table of rooms, then what nobody has noticed.

    Args:
        reckonings: Room -> its reckoning; the last one is of all rooms.
    """
    width = max(map(len, reckonings))
    lines = [f"{'':{width}}{'noticed':>9}{'survived':>10}{'share':>8}"]
    for name, each in reckonings.items():
        lines.append(f"{name:{width}}{each.killed:9}{len(each.survivors):10}{each.share:8.1%}")
    survivors = [*reckonings.values()][-1].survivors
    if survivors:
        lines += ["", "No test notices:"]
    lines += [f"  {change.function}\n{_indented(change.lines)}" for change in survivors]
    return "\n".join(lines)


def _indented(lines: str) -> str:
    return "\n".join(f"    {line}" for line in lines.splitlines())
