"""What asking the steps of demonstrations takes at most, before any model is asked."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol, runtime_checkable

from harness.kit.errors.user import UserError
from harness.models.cost import Price
from harness.models.messages import Usage
from harness.papers.mind2web.demonstrations.asked_step import AskedStep
from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.teacher_forced.evaluating import open_solver
from harness.papers.teacher_forced.step_solvers import StepSetup, make_step_solver
from harness.papers.teacher_forced.traces import Traces


class NoPlan(UserError):
    """A solver that cannot tell what it will ask."""


@runtime_checkable
class PlanningStepSolver(Protocol):
    """A solver that tells what it would ask its model."""

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""

    def questions(self, asked: AskedStep) -> Iterable[Usage]:
        """The tokens of each question about a step, with the longest reply that it allows; nothing is sent."""


@dataclass(frozen=True, kw_only=True)
class AskingCost:
    """What is reckoned with.

    Attributes:
        steps: How many steps, each counted as often as it is asked.
        questions: How many questions of a model.
        usage: Their tokens at most.
        cost: In US dollars, at most; None if the price is not known.
    """

    steps: int
    questions: int
    usage: Usage
    cost: Decimal | None


def asking_cost(traces: Traces, setup: StepSetup, orders: int, told: Callable[[], None] = lambda: None) -> AskingCost:
    """Reckon with the longest replies, with no reply on disk, and with replies that can all be read.

    Args:
        traces: The demonstrations.
        setup: Of the solver; its folder is left alone.
        orders: How often each step is asked.
        told: Called after each step.

    Raises:
        NoPlan: the solver cannot tell.
        UserError: it cannot be made.
    """
    questions, usage = 0, Usage()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_solver(make_step_solver(StepSetup(setup.name, Path(folder), setup.options, setup.seed))) as solver,
    ):
        if not isinstance(solver, PlanningStepSolver):
            raise NoPlan(f"--dry-run: the solver {setup.name!r} asks no model, or cannot tell beforehand what")
        for demonstration in traces.demonstrations():
            for index in range(len(demonstration.steps)):
                for each in solver.questions(asked_step(demonstration, index)):
                    questions, usage = questions + 1, usage + each
                told()
        price = solver.price
    total = Usage(orders * usage.input_tokens, orders * usage.output_tokens)
    cost = None if price is None else price.cost(total)
    return AskingCost(steps=orders * traces.steps, questions=orders * questions, usage=total, cost=cost)
