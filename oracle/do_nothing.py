"""The floor: submit the page as it is."""

from __future__ import annotations

from harness.episode.library import Actions
from harness.episode.solver import Page


class DoNothing:
    """Leaves every field as the page shows it (TurkingBench, section 4)."""

    def solve(self, page: Page, act: Actions) -> None:
        """Do nothing."""
