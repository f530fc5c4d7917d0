"""Recorded steps that solvers are asked about: what an evaluation needs to know of their format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from harness.kit.files.codec import JsonObject
from harness.papers.teacher_forced.kept_predictions import P, PredictionFolder
from harness.papers.teacher_forced.step_solvers import StepSetup


class NumbersOfSteps(Protocol):
    """The numbers of an evaluation; records of data classes."""

    @property
    def missing(self) -> int:
        """How many predictions are missing."""


S = TypeVar("S")
N = TypeVar("N", bound=NumbersOfSteps)


class StepSource(ABC, Generic[S, P, N]):
    """Recorded steps of one format: who can be asked about them, what an answer is worth, and their numbers.

    Attributes:
        record: The type of the records of predictions.
        split: Which split they are of; ``all`` for every step.
    """

    record: type[P]
    split: str

    @property
    @abstractmethod
    def tasks(self) -> Collection[object]:
        """The tasks that are asked, each once."""

    @property
    @abstractmethod
    def steps(self) -> int:
        """How many steps they have together."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """SHA-256 over all that is asked, in order."""

    @property
    def options(self) -> JsonObject:
        """What beside the solver's options decides what is predicted and what that is worth."""
        return {}

    @property
    def note(self) -> str:
        """What a user should know of them before they are asked; empty if there is nothing."""
        return ""

    @abstractmethod
    def make(self, setup: StepSetup) -> Any:
        """A new solver of such steps.

        Raises:
            harness.kit.errors.UserError: there is none, or not with these options.
        """

    @abstractmethod
    def series(self) -> Iterator[Sequence[S]]:
        """The steps in the groups in which they are asked, each by one solver from the first step to the last."""

    @abstractmethod
    def place(self, step: S) -> tuple[str, int]:
        """Which step it is, unlike all others: the beginning of the place of its prediction."""

    @abstractmethod
    def told(self, step: S) -> Any:
        """What a solver is told of it: nothing of what is right."""

    @abstractmethod
    def ask(self, solver: Any, step: S) -> object:
        """What a solver says of a step.

        Raises:
            Exception: whatever the solver raises.
        """

    @abstractmethod
    def prediction(self, step: S, order: int, said: object, problem: str) -> P:
        """The record of what was said, with what it is worth.

        Args:
            step: The step.
            order: Which of the seeds.
            said: What the solver said: of any type, since a class of a user may say anything.
            problem: Why it said nothing; empty if it did.
        """

    @abstractmethod
    def numbers(self, solver: str, folder: PredictionFolder[P], orders: int) -> N:
        """The numbers of what was predicted so far.

        Args:
            solver: Who was asked.
            folder: Where predictions are kept.
            orders: How often each step was to be asked.
        """

    @abstractmethod
    def text(self, numbers: N) -> str:
        """What a terminal shows of them."""

    def files(self, numbers: N) -> Mapping[str, bytes]:  # noqa: ARG002 - most formats have none
        """What of them is written for other programs beside the summary: name -> content."""
        return {}


AnySource = StepSource[Any, Any, Any]
