"""The steps of demonstrations put to a solver one by one; what was asked before is not asked again."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from queue import Queue
from typing import TypeVar, get_args

from harness.kit.errors.user import UnfinishedWork, UserError
from harness.kit.text.shortening import shorten
from harness.models.client import MissingExtra, ModelError, NoAccess, RequestRefused
from harness.models.no_episode import NoRoomLeft
from harness.models.outage import ProviderGone
from harness.papers.mind2web.demonstrations.asked_step import PredictedStep
from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.mind2web.demonstrations.demonstration import Demonstration, Operation
from harness.papers.teacher_forced.kept_predictions import KeptPrediction, PredictionFolder
from harness.papers.teacher_forced.step_score import score_step
from harness.papers.teacher_forced.step_solvers import AnyStepSolver, KeyedStepSolver, NotAsked
from harness.papers.teacher_forced.traces import Traces

FATAL = (NoAccess, MissingExtra, ProviderGone, NoRoomLeft)
"""After these no other step will be answered either."""
LONGEST = 300
"""Characters of a problem that are kept."""
S = TypeVar("S")
_NO_PREDICTION = PredictedStep(backend_node_id=None, op=None)


class EvaluationStopped(UnfinishedWork):
    """No further step can be answered at present; the message says why. What was predicted is kept."""


@dataclass(frozen=True)
class StepAsking:
    """Who is asked what, and where that is kept.

    Attributes:
        traces: The demonstrations.
        make: Makes a solver of an order; it is used by one step after another.
        folder: Where predictions are kept.
        orders: How often each step is asked.
        workers: How many solvers are at work at a time, each on a demonstration.
    """

    traces: Traces
    make: Callable[[int], AnyStepSolver]
    folder: PredictionFolder[KeptPrediction]
    orders: int = 1
    workers: int = 1


def ask_steps(asking: StepAsking, told: Callable[[KeptPrediction | None], None]) -> Counter[str]:
    """Ask all steps that have not been asked yet.

    Args:
        asking: Who is asked what.
        told: Is told each prediction; None of a step for which the model gave no answer, which is to be asked again.

    Returns:
        Why steps were not answered -> how many; empty if all were.

    Raises:
        EvaluationStopped: no further step can be answered.
        harness.kit.errors.user.UserError: the solver cannot be made, or cannot go on.
        OSError: a prediction cannot be kept.
    """
    asker = _StepAsker(asking.folder, told)
    try:
        for order in range(asking.orders):
            if not asker.is_done(asking.traces, order):
                _ask_order(asking, order, asker)
    finally:
        asking.folder.close()
    return asker.unanswered


def _ask_order(asking: StepAsking, order: int, asker: _StepAsker) -> None:
    """Ask the steps of all demonstrations, so many at a time; no more than twice as many are in memory."""
    free: Queue[AnyStepSolver] = Queue()
    ended = threading.Event()

    def work(demonstration: Demonstration) -> None:
        solver = free.get()
        try:
            asker.ask(demonstration, order, solver, ended)
        finally:
            free.put(solver)

    with ExitStack() as stack:
        for _ in range(asking.workers):
            free.put(stack.enter_context(open_solver(asking.make(order))))
        pool = ThreadPoolExecutor(asking.workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        stack.callback(ended.set)
        waiting: set[Future[None]] = set()
        for each in asking.traces.demonstrations():
            waiting.add(pool.submit(work, each))
            if len(waiting) >= 2 * asking.workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
        for one in as_completed(waiting):
            one.result()


class _StepAsker:
    """Asks what has not been asked, and keeps it; from several threads.

    Attributes:
        unanswered: Why steps were not answered -> how many.
    """

    def __init__(self, folder: PredictionFolder[KeptPrediction], told: Callable[[KeptPrediction | None], None]) -> None:
        self.unanswered: Counter[str] = Counter()
        self._folder = folder
        self._told = told
        self._known = {each.place for each in folder.predictions()}
        self._lock = threading.Lock()

    def is_done(self, traces: Traces, order: int) -> bool:
        """Whether all steps of an order have been asked."""
        places = ((each.annotation_id, step, order) for each in traces.tasks for step in range(each.steps))
        return all(place in self._known for place in places)

    def ask(self, demonstration: Demonstration, order: int, solver: AnyStepSolver, ended: threading.Event) -> None:
        """Ask the steps of one demonstration.

        Args:
            demonstration: The demonstration.
            order: Which of the seeds.
            solver: Who is asked, by nobody else meanwhile.
            ended: Set when no further step is to be asked.

        Raises:
            EvaluationStopped: no further step can be answered.
        """
        for index in range(len(demonstration.steps)):
            if (demonstration.annotation_id, index, order) in self._known:
                continue
            if ended.is_set():
                return
            try:
                predicted = _predicted(solver, demonstration, index)
            except FATAL as error:
                raise stopped_by(error) from error
            except (ModelError, NotAsked) as error:
                with self._lock:
                    self.unanswered[shorten(str(error), LONGEST)] += 1
                    self._told(None)
                continue
            kept = _kept(demonstration, index, order, predicted)
            with self._lock:
                self._folder.add(kept)
                self._told(kept)


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
    except (ModelError, UserError, NotAsked):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what a solver does wrong is its own score
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
        problem=shorten(predicted.problem, LONGEST),
        told=predicted.told,
        element=score.element,
        operation_f1=score.operation_f1,
        scorable=score.scorable,
    )


def stopped_by(error: ModelError) -> EvaluationStopped:
    """What to raise after one of the errors of ``FATAL``."""
    then = "with more room the" if isinstance(error, NoRoomLeft) else "the"
    return EvaluationStopped(f"{error}; what was predicted is kept, and {then} same command goes on with --resume")


@contextmanager
def open_solver(solver: S) -> Iterator[S]:
    """A context with a solver that is closed in the end, if it can be."""
    try:
        yield solver
    finally:
        close = getattr(solver, "close", None)
        if callable(close):
            close()
