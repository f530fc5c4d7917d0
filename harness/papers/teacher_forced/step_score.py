"""What the prediction of one step is worth (Deng et al. 2023, section 4.2). Pure functions."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from harness.papers.mind2web.demonstrations.asking import PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Operation


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
