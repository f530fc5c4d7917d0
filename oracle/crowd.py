"""The level of people: each worker's answers, scored against those of the other workers of the same instance."""

from __future__ import annotations

from collections.abc import Callable

from harness.catalog.task import Instance, Task
from harness.episode.library import Actions
from harness.episode.solver import Page, Setup
from harness.metrics.labels import is_blank

TOO_FEW = "instances with fewer than two workers"


class Crowd:
    """The workers themselves, each scored against the others of the instance. Nobody works on a page.

    Attributes:
        answered_by: Whose answers a run with it scores, see ``harness.runlog.episode.Episode``.
    """

    answered_by = "workers"

    @classmethod
    def leave_out(cls, setup: Setup) -> Callable[[Task, Instance], str]:  # noqa: ARG003 - see SelectiveSolver
        """As ``SelectiveSolver.leave_out``: instances on which nobody can be compared with another."""

        def reason(_task: Task, instance: Instance) -> str:
            return TOO_FEW if workers(instance) < 2 else ""

        return reason

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - see harness.episode.solver.Solver
        """Nothing can be asked of the workers any more.

        Raises:
            TypeError: always; a run takes their answers from the labels.
        """
        raise TypeError("the workers' answers stand in the labels: they are scored by python -m harness.evaluate")


def workers(instance: Instance) -> int:
    """How many workers of an instance answered anything."""
    cells = zip(*instance.labels.values(), strict=True)
    return sum(not all(map(is_blank, row)) for row in cells)
