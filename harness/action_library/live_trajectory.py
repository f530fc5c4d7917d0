"""What was done on a page of one's own: no limits, and no pictures kept."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits


class LiveTrajectory(Trajectory):
    """The steps of an ``ActionLibrary``: whoever uses it decides when it is enough."""

    def __init__(self) -> None:
        """Begin one."""
        super().__init__(Limits(max_steps=sys.maxsize, max_seconds=math.inf))

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and add it to the steps; its picture is the caller's alone."""
        result = super().record(call, work)
        self.images.clear()
        return result
