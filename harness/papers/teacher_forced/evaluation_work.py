"""What a user asks for: which recorded steps, which solver with which options, kept where."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.options import names_of
from harness.models.call_options import ModelCall
from harness.models.cost import CostAtMost, Price, cost_at_most
from harness.models.messages import Usage
from harness.papers.teacher_forced.evaluating import StepAsking, ask_steps, open_solver
from harness.papers.teacher_forced.kept_predictions import SUMMARY_FILE, P, PredictionFolder, StepEvaluation
from harness.papers.teacher_forced.step_solvers import StepSetup
from harness.papers.teacher_forced.step_source import N, StepSource

HOW_CALLED = frozenset(name for changes in ("called", "spent") for name in names_of(ModelCall, changes=changes))
"""Options that say how a model is called, not what it is asked: they may differ when an evaluation is gone on with."""
S = TypeVar("S")


class NoPlan(UserError):
    """A solver that cannot tell what it will ask."""


@runtime_checkable
class PlanningStepSolver(Protocol):
    """A solver that tells what it would ask its model."""

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""

    def questions(self, asked: Any) -> Iterable[Usage]:
        """The tokens of each question about a step, with the longest reply that it allows; nothing is sent."""


@dataclass(frozen=True, kw_only=True)
class EvaluationWork(Generic[S, P, N]):
    """An evaluation to be begun, or gone on with.

    Attributes:
        source: The steps.
        solver: The name of the solver.
        options: By the names of flags.
        folder: Where it is kept.
        orders: How often each step is asked, each time with the next seed.
        seed: The first seed.
        workers: How many series of steps are asked at a time.
    """

    source: StepSource[S, P, N]
    solver: str
    options: Mapping[str, Any]
    folder: PredictionFolder[P]
    orders: int = 1
    seed: int = 0
    workers: int = 1

    @classmethod
    def of(
        cls, source: StepSource[S, P, N], solver: str, options: Mapping[str, Any], folder: Path, **how: Any
    ) -> EvaluationWork[S, P, N]:
        """The evaluation of a solver.

        Args:
            source: As the attribute.
            solver: As the source takes it.
            options: By the names of flags; what was not given is None.
            folder: Where the evaluation is kept.
            **how: The other attributes.
        """
        given = {name: value for name, value in options.items() if value is not None}
        kept = PredictionFolder(folder, source.record)
        return cls(source=source, solver=solver, options=given, folder=kept, **how)

    @property
    def predictions(self) -> int:
        """How many there will be in the end."""
        return self.source.steps * self.orders

    def make(self, order: int) -> Any:
        """The solver of an order.

        Raises:
            harness.kit.errors.UserError: there is none, or not with these options.
        """
        return self.source.make(self._setup(self.folder.folder, order))

    def _setup(self, folder: Path, order: int = 0) -> StepSetup:
        return StepSetup(self.solver, folder, self.options, self.seed + order)

    def cost(self, told: Callable[[], None] = lambda: None) -> CostAtMost:
        """What it takes at most: with the longest replies, all of which can be read, and with none on disk.

        Args:
            told: Called after each step that was reckoned with.

        Raises:
            NoPlan: the solver cannot tell.
            harness.kit.errors.UserError: it cannot be made.
        """
        with (
            tempfile.TemporaryDirectory() as folder,
            open_solver(self.source.make(self._setup(Path(folder)))) as solver,
        ):
            if not isinstance(solver, PlanningStepSolver):
                raise NoPlan(f"--dry-run: the solver {self.solver!r} asks no model, or cannot tell beforehand what")
            return cost_at_most(self._questions(solver, told), solver.price, self.orders)

    def _questions(self, solver: PlanningStepSolver, told: Callable[[], None]) -> Iterator[Usage]:
        for series in self.source.series():
            for step in series:
                yield from solver.questions(self.source.told(step))
                told()

    def begin(self, *, resume: bool) -> None:
        """Say what is evaluated, in the folder.

        Raises:
            harness.papers.teacher_forced.kept_predictions.OtherEvaluation: the folder holds another evaluation.
        """
        decide = {name: value for name, value in self.options.items() if name not in HOW_CALLED}
        evaluation = StepEvaluation(
            traces=self.source.digest,
            tasks=len(self.source.tasks),
            steps=self.source.steps,
            solver=self.solver,
            options=codec.plain({**decide, **self.source.options}),
            orders=self.orders,
            seed=self.seed,
            split=self.source.split,
        )
        self.folder.begin(evaluation, resume=resume)

    def ask(self, told: Callable[[P | None], None]) -> Counter[str]:
        """Ask what has not been asked; see ``ask_steps``."""
        return ask_steps(StepAsking(self.source, self.make, self.folder, self.orders, self.workers), told)

    def summarise(self) -> N:
        """The numbers of what was predicted so far; they are written into the folder, too."""
        found = self.source.numbers(self.solver, self.folder, self.orders)
        write_json(self.folder.folder / SUMMARY_FILE, codec.plain(found))
        for name, content in self.source.files(found).items():
            write_bytes(self.folder.folder / name, content)
        return found
