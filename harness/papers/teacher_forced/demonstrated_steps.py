"""The steps of demonstrations (Mind2Web's records) as a source of an evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from harness.kit.text import shorten
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep, asked_step
from harness.papers.mind2web.demonstrations.demonstration import Demonstration, Operation
from harness.papers.mind2web.generalisation_splits import HoldOut, TracedTask
from harness.papers.mind2web.traces import Traces
from harness.papers.teacher_forced.kept_predictions import LONGEST, WEBSITES_FILE, KeptPrediction, PredictionFolder
from harness.papers.teacher_forced.numbers_text import numbers_text, websites_csv
from harness.papers.teacher_forced.step_numbers import ClusterName, EvaluationNumbers, evaluation_numbers, score_step
from harness.papers.teacher_forced.step_solvers import (
    AnyStepSolver,
    KeyedStepSolver,
    StepSetup,
    make_step_solver,
)
from harness.papers.teacher_forced.step_source import StepSource

_NO_PREDICTION = PredictedStep(backend_node_id=None, op=None)
Step = tuple[Demonstration, int]
"""A demonstration, and which of its steps."""


@dataclass(frozen=True)
class DemonstratedSteps(StepSource[Step, KeptPrediction, EvaluationNumbers]):
    """The steps of demonstrations.

    Attributes:
        traces: The demonstrations.
        split: Which split they are of.
        clusters: What intervals generalise over.
    """

    traces: Traces
    split: str = "all"
    clusters: ClusterName = "task"
    record = KeptPrediction

    @classmethod
    def read(
        cls,
        path: Path,
        *,
        split: str = "all",
        limit: int | None = None,
        seed: int = 0,
        clusters: ClusterName = "task",
    ) -> DemonstratedSteps:
        """Read what is to be asked.

        Args:
            path: As ``read_demonstrations`` takes it.
            split: As the attribute.
            limit: Only the first demonstrations.
            seed: Of the splits.
            clusters: As the attribute.

        Raises:
            harness.kit.errors.UserError: the demonstrations cannot be read, or there is none.
        """
        return cls(Traces.read(path, split=split, limit=limit, how=HoldOut(seed=seed)), split, clusters)

    @property
    def tasks(self) -> Sequence[TracedTask]:
        """The demonstrations that are asked, without their pages."""
        return self.traces.tasks

    @property
    def steps(self) -> int:
        """How many steps they have together."""
        return self.traces.steps

    @property
    def digest(self) -> str:
        """SHA-256 over them."""
        return self.traces.digest

    @property
    def note(self) -> str:
        """How many were left out, and whose splits they are in."""
        empty = self.traces.empty
        left_out = [f"demonstrations without a step, left out: {empty}"] if empty else []
        return "; ".join([*left_out, *(["splits: as published"] if self.traces.published else [])])

    def make(self, setup: StepSetup) -> AnyStepSolver:
        """A new solver; see ``make_step_solver``."""
        return make_step_solver(setup)

    def series(self) -> Iterator[Sequence[Step]]:
        """The steps of each demonstration; pages are read one demonstration at a time."""
        for each in self.traces.demonstrations():
            yield [(each, index) for index in range(len(each.steps))]

    def place(self, step: Step) -> tuple[str, int]:
        """The demonstration's id, and which step of it."""
        demonstration, index = step
        return demonstration.annotation_id, index

    def told(self, step: Step) -> AskedStep:
        """The step without anything that tells what was done."""
        return asked_step(*step)

    def ask(self, solver: AnyStepSolver, step: Step) -> object:
        """What a solver predicts."""
        demonstration, index = step
        if isinstance(solver, KeyedStepSolver):
            return solver.predict_with_key(self.told(step), demonstration.steps[index])
        return solver.predict(self.told(step))

    def prediction(self, step: Step, order: int, said: object, problem: str) -> KeptPrediction:
        """The record of a prediction."""
        demonstration, index = step
        done = demonstration.steps[index]
        predicted = replace(_NO_PREDICTION, problem=problem) if problem else _checked(said)
        score = score_step(done, predicted)
        return KeptPrediction(
            task=demonstration.annotation_id,
            step=index,
            action_uid=done.action_uid,
            order=order,
            backend_node_id=predicted.backend_node_id,
            op=predicted.op,
            value=predicted.value,
            problem=shorten(predicted.problem, LONGEST),
            told=predicted.told,
            element=score.element,
            operation_f1=score.operation_f1,
            scorable=score.scorable,
        )

    def numbers(self, solver: str, folder: PredictionFolder[KeptPrediction], orders: int) -> EvaluationNumbers:
        """The paper's measures."""
        return evaluation_numbers(solver, self.traces, folder.predictions(), orders, self.clusters)

    def text(self, numbers: EvaluationNumbers) -> str:
        """As tables."""
        return numbers_text(numbers)

    def files(self, numbers: EvaluationNumbers) -> Mapping[str, bytes]:
        """The numbers website by website."""
        return {WEBSITES_FILE: websites_csv(numbers)}


def _checked(said: object) -> PredictedStep:
    """What a solver says, as it can be kept; a class of a user may say anything."""
    if not isinstance(said, PredictedStep):
        return replace(_NO_PREDICTION, problem=f"no prediction: it is a {type(said).__name__}")
    id_ = said.backend_node_id
    if not (id_ is None or isinstance(id_, str)) or said.op not in (None, *get_args(Operation)):
        return replace(_NO_PREDICTION, problem=f"no prediction: element {id_!r}, operation {said.op!r}")
    try:
        json.dumps(said.told)
    except (TypeError, ValueError):
        return replace(said, value=str(said.value), told={})
    return replace(said, value=str(said.value))
