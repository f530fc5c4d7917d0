"""What the tests made of the mutants: killed, survived, and which survivors are no loss."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ENOUGH = 0.9
"""The share of mutants, those apart that change nothing, which the tests must kill."""
LISTED = Path(__file__).parent / "equivalent.toml"

_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORDS = re.compile(r"[a-z]\W* \W*[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """A mutant by what it is, whatever stands around it.

    Attributes:
        function: The function with its module, e.g. "harness.metrics.rouge.load".
        lines: The lines that differ, "- before" and "+ after", without their indentation.
    """

    function: str
    lines: str


@dataclass(frozen=True)
class Mutant:
    """A mutant that was tried.

    Attributes:
        change: What it changes.
        killed: Whether a test failed, or did not end.
    """

    change: Change
    killed: bool

    @property
    def room(self) -> str:
        """The folder of ``harness/`` that it is in."""
        return self.change.function.split(".")[1]


@dataclass(frozen=True)
class Reckoning:
    """How many mutants of some code the tests kill.

    Attributes:
        killed: By a test.
        survivors: Not killed and not listed.
        listed: Not killed, and listed as no different.
        wording: Left out, killed or not: they change the words of a message.
        stale: Changes that are listed, and that are no surviving mutant.
    """

    killed: int
    survivors: Sequence[Change]
    listed: int
    wording: int
    stale: Sequence[Change] = ()

    @property
    def share(self) -> float:
        """Killed of those that the tests should kill; 1 of none."""
        all_of_them = self.killed + len(self.survivors)
        return self.killed / all_of_them if all_of_them else 1.0


def reckon(mutants: Iterable[Mutant], listed: Iterable[Change]) -> Reckoning:
    """Count mutants.

    Args:
        mutants: All that were tried.
        listed: Changes that make no difference that a test should notice.
    """
    counted = list(mutants)
    known = set(listed)
    different = [mutant for mutant in counted if not is_wording(mutant.change)]
    survivors = [mutant.change for mutant in different if not mutant.killed]
    return Reckoning(
        killed=sum(mutant.killed for mutant in different),
        survivors=[change for change in survivors if change not in known],
        listed=sum(change in known for change in survivors),
        wording=len(counted) - len(different),
        stale=sorted(known.difference(survivors), key=lambda change: (change.function, change.lines)),
    )


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
    """A table of rooms, or whatever the reckonings are of; then what is to be done.

    Args:
        reckonings: Room -> its reckoning; the last one is of all rooms.
    """
    lines = [f"{'':9}{'killed':>9}{'survived':>9}{'share':>8}{'equivalent':>12}{'wording':>9}"]
    for name, each in reckonings.items():
        row = f"{name:9}{each.killed:9}{len(each.survivors):9}{each.share:8.1%}{each.listed:12}{each.wording:9}"
        lines.append(row)
    whole = [*reckonings.values()][-1]
    for title, changes in (
        ("No test notices:", whole.survivors),
        (f"Listed in {LISTED.name} without need, killed or no longer there:", whole.stale),
    ):
        if changes:
            lines += ["", title]
            lines += [f"  {change.function}\n" + _indented(change.lines) for change in changes]
    return "\n".join(lines)


def _indented(lines: str) -> str:
    return "\n".join(f"    {line}" for line in lines.splitlines())
