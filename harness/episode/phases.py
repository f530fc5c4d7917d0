"""Where the time of an episode goes."""

from __future__ import annotations

import time

from harness.episode.trajectory import Trajectory

PHASES = ("open", "observe", "think", "wait", "act", "submit", "read", "record")
"""Of an episode: opening the page; the solver's looks, its own time, its waits for a model's provider, and its actions;
pressing Submit; making the record of what was sent; scoring it and writing it down."""
FILMING = "film"
"""A phase of an episode that is filmed: making its frames."""


class Clock:
    """Milliseconds by phase of an episode.

    Attributes:
        timing: Phase -> milliseconds.
    """

    def __init__(self) -> None:
        self.timing: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> float:
        """End a phase and begin the next; gives its milliseconds."""
        now = time.perf_counter()
        ms = (now - self._last) * 1000
        self.timing[phase] = round(ms, 2)
        self._last = now
        return ms

    def solved(self, trajectory: Trajectory) -> None:
        """End the solver's phase, and part it into looking, acting, waiting and the solver's own time."""
        solve = self.lap("think")
        act_ms = sum(step.ms for step in trajectory.steps)
        self.timing |= {
            "observe": round(trajectory.look_ms, 2),
            "act": round(act_ms, 2),
            "wait": round(trajectory.wait_ms, 2),
            "think": round(max(0.0, solve - act_ms - trajectory.look_ms - trajectory.wait_ms - trajectory.film_ms), 2),
        }
        if trajectory.film_ms:
            self.timing[FILMING] = round(trajectory.film_ms, 2)
