"""A page that is open for looking at."""

from __future__ import annotations

from dataclasses import dataclass

from harness.episode.assignment import Page
from harness.episode.library import Actions


@dataclass(frozen=True)
class OpenPage:
    """An instance's page, open in a browser.

    Attributes:
        page: What a solver is told.
        act: The actions on it.
    """

    page: Page
    act: Actions
