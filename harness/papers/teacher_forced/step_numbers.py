"""The numbers of an evaluation of steps: of all tasks, split by split, website by website, order by order."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from harness.kit.statistics.clustered import mean_of_clusters_many, mean_of_items, mean_of_items_many
from harness.kit.statistics.estimate import Estimate
from harness.papers.mind2web.demonstrations.asking import PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Operation
from harness.papers.mind2web.generalisation_splits import SPLIT_NAMES, TracedTask
from harness.papers.mind2web.traces import Traces
from harness.papers.teacher_forced.kept_predictions import KeptPrediction


@dataclass(frozen=True, kw_only=True)
class StepScore:
    """What a prediction is worth.

    Attributes:
        element: Whether its element is an acceptable one.
        operation_f1: How far operation and value agree, from 0 to 1.
        scorable: Whether the recording has an acceptable element at all; without one the step is failed.
    """

    element: bool
    operation_f1: float
    scorable: bool = True

    @property
    def success(self) -> bool:
        """Whether both are right."""
        return self.element and self.operation_f1 == 1.0


FAILED = StepScore(element=False, operation_f1=0.0)
"""What a step is worth of which nothing was said."""


def score_step(step: DemonstratedStep, predicted: PredictedStep) -> StepScore:
    """Score a prediction as the paper's public code does.

    A step whose recording has lost its acceptable elements is failed, whatever is predicted. A prediction without an
    element or without an operation is none, and is worth nothing.

    Args:
        step: What was done.
        predicted: What a solver says is to be done.
    """
    acceptable = {each.backend_node_id for each in step.positives}
    if not acceptable:
        return StepScore(element=False, operation_f1=0.0, scorable=False)
    if predicted.backend_node_id is None or predicted.op is None:
        return FAILED
    done = operation_words(step.operation.op, step.operation.value)
    return StepScore(
        element=predicted.backend_node_id in acceptable,
        operation_f1=token_f1(operation_words(predicted.op, predicted.value), done),
    )


def operation_words(op: Operation, value: str) -> str:
    """An operation with its value as one text, ``TYPE Lisbon``; a click has no value, whatever was written there."""
    return op if op == "CLICK" else f"{op} {value}"


def token_f1(one: str, other: str) -> float:
    """F1 of the words of two texts, from 0 to 1.

    Words stand between white space, and are the same if all of their characters are. As in the paper's public code each
    counts once, however often it stands there and wherever.
    """
    return f1_of(set(one.split()), set(other.split()))


def f1_of(first: Set[str], second: Set[str]) -> float:
    """F1 of two sets of words, from 0 to 1; two that are empty are the same."""
    if not first or not second:
        return float(first == second)
    return 2 * len(first & second) / (len(first) + len(second))


ClusterName = Literal["task", "website"]
"""What intervals generalise over: further tasks on these websites, or further websites."""
_MOST_FAILED = 3
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class StepMeans:
    """The measures of steps, as means.

    Attributes:
        element_accuracy: Share of the steps whose element is an acceptable one.
        operation_f1: Mean F1 of operation and value.
        step_success: Share of the steps of which both are right.
    """

    element_accuracy: Estimate
    operation_f1: Estimate
    step_success: Estimate


@dataclass(frozen=True, kw_only=True)
class StepNumbers:
    """The numbers of some tasks. Of several orders a step is worth the mean over its orders.

    Attributes:
        name: Which tasks.
        tasks: How many, all of whose steps were asked.
        steps: How many steps they have.
        unscorable: How many of these have no acceptable element in the recording: failed by rule.
        macro: Means over tasks of the means over their steps, as the paper reports.
        micro: Means over steps.
        task_success: Share of the tasks all of whose steps succeed.
        task_success_but_one: The same with one failed step forgiven (WebCanvas, Table 3).
        failed_steps: Failed steps of a task -> share of the tasks, to ``>3``.
    """

    name: str
    tasks: int
    steps: int
    unscorable: int
    macro: StepMeans
    micro: StepMeans
    task_success: Estimate
    task_success_but_one: Estimate
    failed_steps: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class OrderSpread:
    """What the order of candidates, or whatever else the seed decides, does to a measure (Table 5).

    Attributes:
        values: Of each order, the mean over tasks.
        mean: Their mean.
        sd: Their standard deviation, with n - 1; None of a single one.
    """

    values: tuple[float, ...]
    mean: float
    sd: float | None


@dataclass(frozen=True, kw_only=True)
class EvaluationNumbers:
    """All numbers of an evaluation.

    Attributes:
        solver: Who was asked.
        orders: How often each step was.
        clusters: What intervals generalise over.
        whole: Of all tasks; None if no task has been asked to its end.
        splits: Split by split, as far as there are tasks of it.
        domains: Domain by domain.
        websites: Website by website, by their names.
        spread: Measure -> how it spreads over orders.
        missing: How many predictions are missing; tasks that miss any are in no mean.
        unfinished: How many tasks those are.
        problems: Why steps have no prediction, or one with a problem -> how many predictions.
    """

    solver: str
    orders: int
    clusters: ClusterName
    whole: StepNumbers | None
    splits: tuple[StepNumbers, ...]
    domains: tuple[StepNumbers, ...]
    websites: tuple[StepNumbers, ...]
    spread: Mapping[str, OrderSpread]
    missing: int
    unfinished: int
    problems: Mapping[str, int]


@dataclass(frozen=True)
class _AskedTask:
    """A task all of whose steps were asked; arrays are orders x steps."""

    task: TracedTask
    element: Floats
    f1: Floats
    unscorable: int

    @property
    def success(self) -> Floats:
        return np.where(self.f1 == 1.0, self.element, 0.0)


def evaluation_numbers(
    solver: str, traces: Traces, predictions: Iterable[KeptPrediction], orders: int, clusters: ClusterName = "task"
) -> EvaluationNumbers:
    """Reckon.

    Args:
        solver: Who was asked.
        traces: Which steps were to be asked.
        predictions: What was predicted, and what that is worth.
        orders: How often each step was to be asked.
        clusters: What intervals generalise over.
    """
    kept = list(predictions)
    asked, missing = _asked(traces, kept, orders)
    measure = _Measuring(asked, clusters)
    by_split = _grouped(asked, lambda each: traces.splits[each.task.annotation_id])
    by_domain = _grouped(asked, lambda each: each.task.domain)
    by_website = _grouped(asked, lambda each: each.task.website)
    return EvaluationNumbers(
        solver=solver,
        orders=orders,
        clusters=clusters,
        whole=measure.numbers("all", asked) if asked else None,
        splits=tuple(measure.numbers(name, by_split[name]) for name in SPLIT_NAMES if name in by_split),
        domains=tuple(measure.numbers(name, by_domain[name]) for name in sorted(by_domain)),
        websites=tuple(measure.numbers(name, by_website[name]) for name in sorted(by_website)),
        spread=_spread(asked, orders) if asked else {},
        missing=missing,
        unfinished=len(traces.tasks) - len(asked),
        problems=dict(Counter(each.problem.partition(":")[0] for each in kept if each.problem).most_common()),
    )


def _asked(traces: Traces, kept: Sequence[KeptPrediction], orders: int) -> tuple[list[_AskedTask], int]:
    """The tasks all of whose steps were asked in all orders, and how many predictions are missing."""
    known = {each.place: each for each in kept}
    asked, missing = [], 0
    for task in traces.tasks:
        rows = [[known.get((task.annotation_id, step, order)) for step in range(task.steps)] for order in range(orders)]
        missing += sum(each is None for row in rows for each in row)
        whole = [[each for each in row if each is not None] for row in rows]
        if all(len(row) == task.steps for row in whole):
            element = np.array([[each.element for each in row] for row in whole], dtype=np.float64)
            f1 = np.array([[each.operation_f1 for each in row] for row in whole], dtype=np.float64)
            asked.append(_AskedTask(task, element, f1, sum(not each.scorable for each in whole[0])))
    return asked, missing


def _grouped(asked: Sequence[_AskedTask], by: Callable[[_AskedTask], str]) -> Mapping[str, list[_AskedTask]]:
    found: dict[str, list[_AskedTask]] = defaultdict(list)
    for each in asked:
        found[by(each)].append(each)
    return found


class _Measuring:
    """Estimates over groups of tasks, clustered as was chosen."""

    def __init__(self, asked: Sequence[_AskedTask], clusters: ClusterName) -> None:
        self._by_task = clusters == "task"
        websites = sorted({each.task.website for each in asked})
        self._websites = {name: number for number, name in enumerate(websites)}

    def numbers(self, name: str, asked: Sequence[_AskedTask]) -> StepNumbers:
        """Of a group, which is not empty."""
        steps = [self._of_steps(each) for each in asked]
        failed = [np.sum(each.success == 0.0, axis=1) for each in asked]  # by task: one number an order
        codes = self._codes(asked)
        of_steps = np.repeat(codes, [len(each) for each in steps])
        values = np.concatenate(steps)
        return StepNumbers(
            name=name,
            tasks=len(asked),
            steps=len(values),
            unscorable=sum(each.unscorable for each in asked),
            macro=self._macro(steps, codes),
            micro=_means(mean_of_items_many(values, np.ones(len(values)), of_steps)),
            task_success=_share([np.mean(each == 0) for each in failed], codes),
            task_success_but_one=_share([np.mean(each <= 1) for each in failed], codes),
            failed_steps=_histogram(failed),
        )

    def _of_steps(self, asked: _AskedTask) -> Floats:
        """Steps x measures, means over orders."""
        measures = (asked.element, asked.f1, asked.success)
        return np.stack([each.mean(axis=0) for each in measures], axis=1)

    def _codes(self, asked: Sequence[_AskedTask]) -> NDArray[np.int64]:
        if self._by_task:
            return np.arange(len(asked))
        return np.array([self._websites[each.task.website] for each in asked])

    def _macro(self, steps: Sequence[Floats], codes: NDArray[np.int64]) -> StepMeans:
        if self._by_task:
            of_steps = np.repeat(codes, [len(each) for each in steps])
            return _means(mean_of_clusters_many(np.concatenate(steps), of_steps))
        of_tasks = np.stack([each.mean(axis=0) for each in steps])
        return _means(mean_of_items_many(of_tasks, np.ones(len(steps)), codes))


def _means(found: Sequence[Estimate]) -> StepMeans:
    element, f1, success = found
    return StepMeans(element_accuracy=element, operation_f1=f1, step_success=success)


def _share(values: Sequence[float], codes: NDArray[np.int64]) -> Estimate:
    return mean_of_items(np.array(values, dtype=np.float64), np.ones(len(values)), codes)


def _histogram(failed: Sequence[NDArray[np.int64]]) -> Mapping[str, float]:
    """How many steps of a task fail -> share of the tasks, the mean over orders."""
    counts = Counter(
        str(number) if number <= _MOST_FAILED else f">{_MOST_FAILED}" for of_task in failed for number in of_task
    )
    return {name: counts[name] / counts.total() for name in (*map(str, range(_MOST_FAILED + 1)), f">{_MOST_FAILED}")}


def _spread(asked: Sequence[_AskedTask], orders: int) -> Mapping[str, OrderSpread]:
    """Of each measure, the mean over tasks in each order."""

    def over(value: Callable[[_AskedTask, int], float]) -> OrderSpread:
        values = tuple(float(np.mean([value(each, order) for each in asked])) for order in range(orders))
        sd = statistics.stdev(values) if orders > 1 else None
        return OrderSpread(values=values, mean=statistics.fmean(values), sd=sd)

    return {
        "element_accuracy": over(lambda each, order: float(each.element[order].mean())),
        "operation_f1": over(lambda each, order: float(each.f1[order].mean())),
        "step_success": over(lambda each, order: float(each.success[order].mean())),
        "task_success": over(lambda each, order: float(each.success[order].all())),
    }
