"""What a user asks for: which demonstrations, which solver with which options, kept where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.kit.files import codec
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.options.option import names_of
from harness.models.call_options import ModelCall
from harness.papers.mind2web.generalisation_splits import HoldOut
from harness.papers.teacher_forced.asking_cost import AskingCost, asking_cost
from harness.papers.teacher_forced.evaluating import StepAsking, ask_steps
from harness.papers.teacher_forced.kept_predictions import (
    SUMMARY_FILE,
    WEBSITES_FILE,
    KeptPrediction,
    PredictionFolder,
    StepEvaluation,
)
from harness.papers.teacher_forced.numbers_text import websites_csv
from harness.papers.teacher_forced.step_numbers import ClusterName, EvaluationNumbers, evaluation_numbers
from harness.papers.teacher_forced.step_solvers import AnyStepSolver, StepSetup, make_step_solver
from harness.papers.teacher_forced.traces import Traces

HOW_CALLED = frozenset(name for changes in ("called", "spent") for name in names_of(ModelCall, changes=changes))
"""Options that say how a model is called, not what it is asked: they may differ when an evaluation is gone on with."""


@dataclass(frozen=True, kw_only=True)
class EvaluationWork:
    """An evaluation to be begun, or gone on with.

    Attributes:
        traces: The demonstrations.
        solver: The name of the solver.
        options: By the names of flags.
        folder: Where it is kept.
        orders: How often each step is asked, each time with the next seed.
        seed: The first seed.
        split: Which split the demonstrations are of.
        workers: How many demonstrations are asked at a time.
        clusters: What intervals generalise over.
    """

    traces: Traces
    solver: str
    options: Mapping[str, Any]
    folder: PredictionFolder[KeptPrediction]
    orders: int = 1
    seed: int = 0
    split: str = "all"
    workers: int = 1
    clusters: ClusterName = "task"

    @classmethod
    def of(
        cls,
        path: Path,
        solver: str,
        options: Mapping[str, Any],
        folder: Path,
        *,
        orders: int = 1,
        seed: int = 0,
        split: str = "all",
        limit: int | None = None,
        workers: int = 1,
        clusters: ClusterName = "task",
    ) -> EvaluationWork:
        """Read what is to be asked.

        Args:
            path: As ``read_demonstrations`` takes it.
            solver: As ``make_step_solver`` takes it.
            options: By the names of flags; what was not given is None.
            folder: Where the evaluation is kept.
            orders: As the attribute.
            seed: As the attribute, and of the splits.
            split: As the attribute.
            limit: Only the first demonstrations.
            workers: As the attribute.
            clusters: As the attribute.

        Raises:
            harness.kit.errors.user.UserError: the demonstrations cannot be read, or there is none.
        """
        traces = Traces.read(path, split=split, limit=limit, how=HoldOut(seed=seed))
        given = {name: value for name, value in options.items() if value is not None}
        return cls(
            traces=traces,
            solver=solver,
            options=given,
            folder=PredictionFolder(folder, KeptPrediction),
            orders=orders,
            seed=seed,
            split=split,
            workers=workers,
            clusters=clusters,
        )

    @property
    def predictions(self) -> int:
        """How many there will be in the end."""
        return self.traces.steps * self.orders

    def make(self, order: int) -> AnyStepSolver:
        """The solver of an order.

        Raises:
            harness.kit.errors.user.UserError: there is none, or not with these options.
        """
        return make_step_solver(StepSetup(self.solver, self.folder.folder, self.options, self.seed + order))

    def cost(self, told: Callable[[], None] = lambda: None) -> AskingCost:
        """What it takes at most; see ``asking_cost``.

        Args:
            told: Called after each step that was reckoned with.
        """
        setup = StepSetup(self.solver, self.folder.folder, self.options, self.seed)
        return asking_cost(self.traces, setup, self.orders, told)

    def begin(self, *, resume: bool) -> None:
        """Say what is evaluated, in the folder.

        Raises:
            harness.papers.teacher_forced.kept_predictions.OtherEvaluation: the folder holds another evaluation.
        """
        decide = {name: value for name, value in self.options.items() if name not in HOW_CALLED}
        evaluation = StepEvaluation(
            traces=self.traces.digest,
            tasks=len(self.traces.tasks),
            steps=self.traces.steps,
            solver=self.solver,
            options=codec.plain(decide),
            orders=self.orders,
            seed=self.seed,
            split=self.split,
        )
        self.folder.begin(evaluation, resume=resume)

    def ask(self, told: Callable[[KeptPrediction | None], None]) -> Counter[str]:
        """Ask what has not been asked; see ``ask_steps``."""
        return ask_steps(StepAsking(self.traces, self.make, self.folder, self.orders, self.workers), told)

    def summarise(self) -> EvaluationNumbers:
        """The numbers of what was predicted so far; they are written into the folder, too."""
        found = evaluation_numbers(self.solver, self.traces, self.folder.predictions(), self.orders, self.clusters)
        write_json(self.folder.folder / SUMMARY_FILE, codec.plain(found))
        write_bytes(self.folder.folder / WEBSITES_FILE, websites_csv(found))
        return found
