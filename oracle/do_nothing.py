"""The floor: submit the page as it is."""

from __future__ import annotations

from harness.episode.assignment import Page
from harness.episode.library import Actions


class DoNothing:
    """Leaves every field as the page shows it (TurkingBench, section 4), and a website as it has opened."""

    def solve(self, page: Page, act: Actions) -> None:
        """Do nothing."""
