"""What there is to say of an export when it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from harness.kit.text import counted


class ExportSummary:
    """What was exported, and what was left out.

    Attributes:
        count: Rows of all kinds.
    """

    def __init__(self) -> None:
        self.count = 0
        self._lines: list[str] = []
        self._held_out: Counter[str] = Counter()

    def rows(self, what: tuple[str, str], count: int, held_out: Iterable[str], left_out: Mapping[str, int]) -> None:
        """Add rows.

        Args:
            what: What one of them is called, and what several are.
            count: How many.
            held_out: The splits of those that are not to be learnt from.
            left_out: Reason -> how often something is left out for it.
        """
        self.count += count
        self._lines.append(counted(count, *what))
        self._lines += [f"left out: {times} x {reason}" for reason, times in sorted(left_out.items()) if times]
        self._held_out.update(held_out)

    def note(self, text: str) -> None:
        """Add what else there is to say."""
        self._lines.append(text)

    def __str__(self) -> str:
        lines = [*self._lines]
        if self._held_out:
            splits = ", ".join(sorted(self._held_out))
            lines.append(
                f"marked as held_out: what is of {splits}. A model that learns from it must not be evaluated on it; "
                "--split train leaves it out"
            )
        return "\n".join(lines)
