"""The steps of demonstrations put to a solver one by one; what was asked before is not asked again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import get_args

from harness.demonstrations.asked_step import PredictedStep
from harness.demonstrations.asking import asked_step
from harness.demonstrations.demonstration import Demonstration, Operation
from harness.errors.user import UnfinishedWork, UserError
from harness.models.client import MissingExtra, ModelError, NoAccess, RequestRefused
from harness.models.no_episode import NoRoomLeft
from harness.models.outage import ProviderGone
from harness.teacher_forced.kept_predictions import KeptPrediction, PredictionFolder
from harness.teacher_forced.step_score import score_step
from harness.teacher_forced.step_solvers import AnyStepSolver, KeyedStepSolver
from harness.teacher_forced.traces import Traces
from harness.text.shortening import shorten

_FATAL = (NoAccess, MissingExtra, ProviderGone, NoRoomLeft)
"""After these no other step will be answered either."""
_LONGEST = 300
"""Characters of a problem that are kept."""
_NO_PREDICTION = PredictedStep(backend_node_id=None, op=None)


class EvaluationStopped(UnfinishedWork):
    """No further step can be answered at present; the message says why. What was predicted is kept."""


@dataclass(frozen=True)
class StepAsking:
    """Who is asked what, and where that is kept.

    Attributes:
        traces: The demonstrations.
        make: Makes the solver of an order; it is used by one step after another.
        folder: Where predictions are kept.
        orders: How often each step is asked.
    """

    traces: Traces
    make: Callable[[int], AnyStepSolver]
    folder: PredictionFolder
    orders: int = 1


def ask_steps(asking: StepAsking, told: Callable[[KeptPrediction | None], None]) -> Counter[str]:
    """Ask all steps that have not been asked yet.

    Args:
        asking: Who is asked what.
        told: Is told each prediction; None of a step for which the model gave no answer, which is to be asked again.

    Returns:
        Why steps were not answered -> how many; empty if all were.

    Raises:
        EvaluationStopped: no further step can be answered.
        harness.errors.user.UserError: the solver cannot be made, or cannot go on.
        OSError: a prediction cannot be kept.
    """
    known = {each.place for each in asking.folder.predictions()}
    unanswered: Counter[str] = Counter()
    try:
        for order in range(asking.orders):
            if all((each.annotation_id, step, order) in known for each in asking.traces.tasks for step in range(each.steps)):
                continue
            with _solver(asking, order) as solver:
                for each in asking.traces.demonstrations():
                    _ask_demonstration(each, order, solver, asking.folder, known, unanswered, told)
    finally:
        asking.folder.close()
    return unanswered


def _ask_demonstration(
    demonstration: Demonstration,
    order: int,
    solver: AnyStepSolver,
    folder: PredictionFolder,
    known: set[tuple[str, int, int]],
    unanswered: Counter[str],
    told: Callable[[KeptPrediction | None], None],
) -> None:
    for index in range(len(demonstration.steps)):
        if (demonstration.annotation_id, index, order) in known:
            continue
        try:
            predicted = _predicted(solver, demonstration, index)
        except _FATAL as error:
            then = "with more room the" if isinstance(error, NoRoomLeft) else "the"
            raise EvaluationStopped(
                f"{error}; what was predicted is kept, and {then} same command goes on with --resume"
            ) from error
        except ModelError as error:
            unanswered[shorten(str(error), _LONGEST)] += 1
            told(None)
            continue
        kept = _kept(demonstration, index, order, predicted)
        folder.add(kept)
        told(kept)


def _predicted(solver: AnyStepSolver, demonstration: Demonstration, index: int) -> PredictedStep:
    """What a solver says; what it does wrong is a step without a prediction, and counts."""
    asked = asked_step(demonstration, index)
    try:
        if isinstance(solver, KeyedStepSolver):
            return _checked(solver.predict_with_key(asked, demonstration.steps[index]))
        return _checked(solver.predict(asked))
    except RequestRefused as error:
        # It never will be answered: that is no prediction, and no reason to leave the step out of a mean.
        return replace(_NO_PREDICTION, problem=f"the model refused the question: {error}")
    except (ModelError, UserError):
        raise
    except (Exception, SystemExit) as error:  # what a solver does wrong is its own score, not the evaluation's end
        return replace(_NO_PREDICTION, problem=f"raised {type(error).__name__}: {error}")


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


def _kept(demonstration: Demonstration, index: int, order: int, predicted: PredictedStep) -> KeptPrediction:
    step = demonstration.steps[index]
    score = score_step(step, predicted)
    return KeptPrediction(
        task=demonstration.annotation_id,
        step=index,
        action_uid=step.action_uid,
        order=order,
        backend_node_id=predicted.backend_node_id,
        op=predicted.op,
        value=predicted.value,
        problem=shorten(predicted.problem, _LONGEST),
        told=predicted.told,
        element=score.element,
        operation_f1=score.operation_f1,
        scorable=score.scorable,
    )


@contextmanager
def _solver(asking: StepAsking, order: int) -> Iterator[AnyStepSolver]:
    solver = asking.make(order)
    try:
        yield solver
    finally:
        close = getattr(solver, "close", None)
        if callable(close):
            close()
