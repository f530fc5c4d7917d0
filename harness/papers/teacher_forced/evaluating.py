"""Recorded steps put to a solver one by one; what was asked before is not asked again."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import Queue
from typing import Any, Generic, TypeVar

from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.text import shorten
from harness.models.client import MissingExtra, ModelError, NoAccess, RequestRefused
from harness.models.no_episode import NoRoomLeft
from harness.models.retry import ProviderGone
from harness.papers.teacher_forced.kept_predictions import LONGEST, P, PredictionFolder
from harness.papers.teacher_forced.step_solvers import NoReply, NotAsked
from harness.papers.teacher_forced.step_source import StepSource

FATAL = (NoAccess, MissingExtra, ProviderGone, NoRoomLeft)
"""After these no other step will be answered either."""
S = TypeVar("S")


class EvaluationStopped(UnfinishedWork):
    """No further step can be answered at present; the message says why. What was predicted is kept."""


@dataclass(frozen=True)
class StepAsking(Generic[S, P]):
    """Who is asked what, and where that is kept.

    Attributes:
        source: The steps.
        make: Makes a solver of an order; it is used by one step after another.
        folder: Where predictions are kept.
        orders: How often each step is asked.
        workers: How many solvers are at work at a time, each on a series of steps.
    """

    source: StepSource[S, P, Any]
    make: Callable[[int], Any]
    folder: PredictionFolder[P]
    orders: int = 1
    workers: int = 1


def ask_steps(asking: StepAsking[S, P], told: Callable[[P | None], None]) -> Counter[str]:
    """Ask all steps that have not been asked yet.

    Args:
        asking: Who is asked what.
        told: Is told each prediction; None of a step for which the model gave no answer, which is to be asked again.

    Returns:
        Why steps were not answered -> how many; empty if all were.

    Raises:
        EvaluationStopped: no further step can be answered.
        harness.kit.errors.UserError: the solver cannot be made, or cannot go on.
        OSError: a prediction cannot be kept.
    """
    asker = _StepAsker(asking.source, asking.folder, told)
    try:
        for order in range(asking.orders):
            if not asker.is_done(order):
                _ask_order(asking, order, asker)
    finally:
        asking.folder.close()
    return asker.unanswered


def _ask_order(asking: StepAsking[S, P], order: int, asker: _StepAsker[S, P]) -> None:
    """Ask all series of steps, so many at a time; no more than twice as many are in memory."""
    free: Queue[Any] = Queue()
    ended = threading.Event()

    def work(series: Sequence[S]) -> None:
        solver = free.get()
        try:
            asker.ask(series, order, solver, ended)
        finally:
            free.put(solver)

    with ExitStack() as stack:
        for _ in range(asking.workers):
            free.put(stack.enter_context(open_solver(asking.make(order))))
        pool = ThreadPoolExecutor(asking.workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        stack.callback(ended.set)
        waiting: set[Future[None]] = set()
        for each in asking.source.series():
            waiting.add(pool.submit(work, each))
            if len(waiting) >= 2 * asking.workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
        for one in as_completed(waiting):
            one.result()


class _StepAsker(Generic[S, P]):
    """Asks what has not been asked, and keeps it; from several threads.

    Attributes:
        unanswered: Why steps were not answered -> how many.
    """

    def __init__(
        self, source: StepSource[S, P, Any], folder: PredictionFolder[P], told: Callable[[P | None], None]
    ) -> None:
        self.unanswered: Counter[str] = Counter()
        self._source = source
        self._folder = folder
        self._told = told
        self._known = {each.place for each in folder.predictions()}
        self._lock = threading.Lock()

    def is_done(self, order: int) -> bool:
        """Whether all steps of an order have been asked: the folder holds predictions of these steps alone."""
        return sum(place[2] == order for place in self._known) == self._source.steps

    def ask(self, series: Sequence[S], order: int, solver: Any, ended: threading.Event) -> None:
        """Ask some steps, one after another.

        Args:
            series: The steps.
            order: Which of the seeds.
            solver: Who is asked, by nobody else meanwhile.
            ended: Set when no further step is to be asked.

        Raises:
            EvaluationStopped: no further step can be answered.
        """
        for step in series:
            if (*self._source.place(step), order) in self._known:
                continue
            if ended.is_set():
                return
            try:
                said, problem = self._said(solver, step)
            except FATAL as error:
                raise _stopped_by(error) from error
            except (ModelError, NotAsked) as error:
                with self._lock:
                    self.unanswered[shorten(str(error), LONGEST)] += 1
                    self._told(None)
                continue
            kept = self._source.prediction(step, order, said, problem)
            with self._lock:
                self._folder.add(kept)
                self._told(kept)

    def _said(self, solver: Any, step: S) -> tuple[object, str]:
        """What a solver says, and why it says nothing; what it does wrong counts as a step without a prediction."""
        try:
            return self._source.ask(solver, step), ""
        except NoReply as error:
            return None, str(error)
        except FATAL:
            raise
        except RequestRefused as error:
            # It never will be answered: that is no prediction, and no reason to leave the step out of a mean.
            return None, f"the model refused the question: {error}"
        except (ModelError, UserError, NotAsked):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what a solver does wrong is its own score
            return None, f"raised {type(error).__name__}: {error}"


def _stopped_by(error: ModelError) -> EvaluationStopped:
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
