"""The level of people: each worker's answers, scored against those of the other workers of the same instance."""

from __future__ import annotations

from typing import ClassVar

from harness.catalog.kinds import KindName
from harness.catalog.labels import is_blank
from harness.catalog.task import Instance, Task
from harness.episode.registry import LeaveOut
from harness.episode.solver import Setup
from harness.records.episode import AnsweredBy

TOO_FEW = "instances with fewer than two workers"


class Crowd:
    """The workers themselves, each scored against the others of the instance. Nobody works on a page.

    It is no solver: a run with it takes the answers from the labels.

    Attributes:
        answered_by: Whose answers a run with it scores, see ``harness.episode.registry.SolverEntry``.
        kinds: Of the tasks that it works on.
    """

    answered_by: ClassVar[AnsweredBy] = "workers"
    kinds: ClassVar[tuple[KindName, ...]] = ("form",)

    @classmethod
    def leave_out(cls, setup: Setup) -> LeaveOut:  # noqa: ARG003 - see harness.episode.solver
        """What tells of instances on which nobody can be compared with another."""

        def reason(_task: Task, instance: Instance) -> str:
            return TOO_FEW if workers(instance) < 2 else ""

        return reason


def workers(instance: Instance) -> int:
    """How many workers of an instance answered anything."""
    cells = zip(*instance.labels.values(), strict=True)
    return sum(not all(map(is_blank, row)) for row in cells)
