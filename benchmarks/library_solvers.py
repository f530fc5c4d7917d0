"""The oracle, and a solver that draws, over ``harness.ActionLibrary``: the way ``library`` of ``benchmarks.inputs``.

The library gets the run's own Selenium session, which is what anybody hands in.
"""

from __future__ import annotations

from harness import ActionLibrary, Page
from harness.episode.assignment import Assignment
from harness.episode.library import Actions
from harness.episode.probe import Probe
from harness.episode.site_assignment import SiteAssignment
from oracle.oracle import Oracle
from oracle.random_choice import RandomChoice


class LibraryOracle(Oracle):
    """The oracle, whose actions are done by the library."""

    def solve_with_key(self, assignment: Assignment | SiteAssignment, act: Actions, probe: Probe) -> None:
        """Fill in the page."""
        super().solve_with_key(assignment, ActionLibrary(act.driver), probe)


class LibraryRandom(RandomChoice):
    """The solver that draws, whose actions are done by the library."""

    def solve(self, page: Page, act: Actions) -> None:
        """Fill in what is drawn."""
        super().solve(page, ActionLibrary(act.driver))
