"""What was predicted of steps, kept in a folder of the evaluation's own.

evaluation.json     what is evaluated, and how
predictions.jsonl   one line a prediction, with its score; a line that is there is not asked again
summary.json        the numbers, made anew of the lines each time
websites.csv        the numbers website by website, for plots

Beside them lie the model's replies and the account of them, where the solver asks one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Generic, Literal, Protocol, TypeVar

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import Count, JsonObject
from harness.kit.files.writing import write_json
from harness.papers.mind2web.demonstrations.demonstration import Operation

EVALUATION_FILE, PREDICTIONS_FILE = "evaluation.json", "predictions.jsonl"
SUMMARY_FILE, WEBSITES_FILE = "summary.json", "websites.csv"
LONGEST = 300
"""Characters of a problem that are kept."""


class OtherEvaluation(UserError):
    """A folder holds another evaluation, or nothing that can be read; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class StepEvaluation:
    """What is evaluated, and how: predictions of equal ones can stand in one folder.

    Attributes:
        schema: The version of the format.
        traces: SHA-256 over all demonstrations that are asked, in order.
        tasks: How many those are.
        steps: How many steps they have.
        solver: The name by which the solver was asked for.
        options: What its user chose, by the names of flags, but for what only says how a model is called.
        orders: How often each step is asked, each time with another seed.
        seed: The first of these seeds, and that of the splits.
        split: Which split is asked; ``all`` for every demonstration.
    """

    schema: Literal[1] = 1
    traces: str
    tasks: Count
    steps: Count
    solver: str
    options: JsonObject = field(default_factory=dict)
    orders: Count = 1
    seed: int = 0
    split: str = "all"


@dataclass(frozen=True, kw_only=True)
class KeptPrediction:
    """What was predicted of one step, and what it is worth.

    Attributes:
        task: The demonstration's ``annotation_id``.
        step: Which step of it, from 0.
        action_uid: The step's own id.
        order: Which of the seeds, from 0.
        backend_node_id: The element that was predicted; null for none.
        op: The operation; null for none.
        value: Its value.
        problem: Why there is no prediction, or what is wrong with it; what stands before the colon is the kind.
        told: What else the solver told.
        element: Whether the element is an acceptable one.
        operation_f1: How far operation and value agree.
        scorable: Whether the recording has an acceptable element.
    """

    task: str
    step: Count
    action_uid: str
    order: Count
    backend_node_id: str | None
    op: Operation | None
    value: str = ""
    problem: str = ""
    told: JsonObject = field(default_factory=dict)
    element: bool
    operation_f1: float
    scorable: bool = True

    @property
    def place(self) -> tuple[str, int, int]:
        """Task, step and order."""
        return self.task, self.step, self.order

    @property
    def success(self) -> bool:
        """Whether element and operation are right."""
        return self.element and self.operation_f1 == 1.0


class PlacedPrediction(Protocol):
    """A record of one prediction."""

    @property
    def place(self) -> tuple[str, int, int]:
        """Which prediction it is, unlike all others of its evaluation."""


P = TypeVar("P", bound=PlacedPrediction)


class PredictionFolder(Generic[P]):
    """The folder of one evaluation, which nobody else writes meanwhile.

    Attributes:
        folder: Where.
    """

    def __init__(self, folder: Path, kind: type[P]) -> None:
        """Nothing is read or written yet.

        Args:
            folder: Where.
            kind: The type of the records of predictions.
        """
        self.folder = folder
        self._kind = kind
        self._stream: BinaryIO | None = None

    def begin(self, evaluation: StepEvaluation, *, resume: bool) -> None:
        """Say what is evaluated, or see that it is what was evaluated here before, if anything was predicted.

        Args:
            evaluation: What is evaluated.
            resume: Whether it may have been begun before.

        Raises:
            OtherEvaluation: the folder holds another one, or this one and ``resume`` was not asked for.
            OSError: the place cannot be written.
        """
        if not (self.folder / PREDICTIONS_FILE).exists():
            write_json(self.folder / EVALUATION_FILE, codec.plain(evaluation))
            return
        if not resume:
            raise OtherEvaluation(f"{self.folder} holds an evaluation; go on with --resume, or give another --out")
        found = self.evaluation()
        if found != evaluation:
            names = [name for name in codec.plain(found) if getattr(found, name) != getattr(evaluation, name)]
            raise OtherEvaluation(
                f"{self.folder} holds an evaluation of other {', '.join(names)}; give another folder with --out"
            )
        self._without_torn_line()

    def evaluation(self) -> StepEvaluation:
        """What is evaluated here.

        Raises:
            OtherEvaluation: that cannot be read.
        """
        file = self.folder / EVALUATION_FILE
        try:
            return codec.read(file, StepEvaluation)
        except OSError as error:
            raise OtherEvaluation(f"{file} cannot be read: {error.strerror or error}") from error
        except codec.Malformed as error:
            raise OtherEvaluation(f"{file} says no evaluation: {error}") from error

    def predictions(self) -> Iterator[P]:
        """What was predicted so far, in the order in which it was.

        Raises:
            OtherEvaluation: a line of it cannot be read.
        """
        file = self.folder / PREDICTIONS_FILE
        if not file.exists():
            return
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield codec.decode(line, self._kind)
                except codec.Malformed as error:
                    raise OtherEvaluation(f"{file}, line {number}: {error}; remove the line, and go on") from error

    def add(self, prediction: P) -> None:
        """Keep a prediction: it outlives this process when this returns.

        Raises:
            OSError: the place cannot be written.
        """
        if self._stream is None:
            self._stream = (self.folder / PREDICTIONS_FILE).open("ab")
        self._stream.write(codec.line(prediction))
        self._stream.flush()

    def close(self) -> None:
        """Keep no more."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _without_torn_line(self) -> None:
        """Remove the end of a line that a process which was killed has not written to its end."""
        file = self.folder / PREDICTIONS_FILE
        if not file.exists():
            return
        with file.open("r+b") as stream:
            whole = 0
            for line in stream:
                whole += len(line) if line.endswith(b"\n") else 0
            stream.truncate(whole)
