"""What a judge or a person says of an episode, or of one of its fields: kept beside a run, never in it.

A verdict names what it is about so that it can be held against that very answer, and against no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import Count
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import write_json
from harness.records.run_record import RunRecord

VERDICTS_SCHEMA: Literal[1] = 1
"""The version of the format of files of verdicts."""

AnswerVerdict: TypeAlias = Literal["correct", "wrong", "placeholder", "parse_error", "unsure"]
LabelVerdict: TypeAlias = Literal["right", "wrong", "unsure"]
JudgeKind: TypeAlias = Literal["person", "model", "rule"]
TaskFailureKind: TypeAlias = Literal[
    "filter_and_sorting", "incomplete_steps", "navigation", "misunderstanding", "other"
]
"""Why a task was not done (Xue et al. 2025, section 6.2)."""
WebErrorKind: TypeAlias = Literal["hallucination", "poor_graphics", "misread_context", "pop_up"]
"""Where an agent on websites went wrong (AutoWebGLM, Lai et al. 2024, Table 5)."""
ANSWER_VERDICTS: tuple[AnswerVerdict, ...] = ("correct", "wrong", "placeholder", "parse_error", "unsure")
"""``placeholder``: it stands where an answer should, and is none; ``parse_error``: no answer can be read."""


class MalformedVerdicts(UserError):
    """A file holds no verdicts, or verdicts of something else; the message says which file, and why."""


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Who says it.

    Attributes:
        name: The person's name, the model's, or the rule's.
        kind: Which of these it is.
    """

    name: str
    kind: JudgeKind


@dataclass(frozen=True, kw_only=True)
class JudgedRun:
    """The run that is judged, known again wherever it lies.

    Attributes:
        solver: Its solver.
        started: When it began.
        task_set: A hash of its tasks.
        sample: A hash of its instances.
    """

    solver: str
    started: str
    task_set: str
    sample: str

    @classmethod
    def of(cls, record: RunRecord) -> JudgedRun:
        """The run of a ``run.json``."""
        return cls(solver=record.config.solver, started=record.started, task_set=record.task_set, sample=record.sample)


@dataclass(frozen=True, kw_only=True)
class PlaceVerdict:
    """What is said of one episode, or of one of its fields.

    Attributes:
        task: The task.
        index: The instance's place in its table.
        id: The instance's id.
        field: The field; null for the whole episode.
        sent: What was judged: the values that the form sent for the field.
        answer: What is said of the answer; null if nothing, which is possible only of who has seen the labels.
        labels: What is said of the labels, once the answer has been judged; null if nothing.
        note: Why, in words; empty if nothing is said.
        at: When the answer was judged, or this was last said: ISO 8601, UTC.
        seconds: How long it was looked at before; null if nobody measured it.
        page_broken: Whether the page does not work, so that nobody could have answered well.
        blind: Whether the answer was judged before labels and scores were shown.
        failure: Why the task was not done, of a whole episode; null if nobody says.
        error: Where the agent went wrong, of a whole episode; null if nobody says.
    """

    task: str
    index: Count
    id: str
    field: str | None
    sent: tuple[str, ...]
    answer: AnswerVerdict | None
    labels: LabelVerdict | None
    note: str
    at: str
    seconds: float | None
    page_broken: bool = False
    blind: bool = True
    failure: TaskFailureKind | None = None
    error: WebErrorKind | None = None

    @property
    def place(self) -> tuple[str, int, str | None]:
        """Task, index and field."""
        return self.task, self.index, self.field


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The content of a file of verdicts.

    Attributes:
        schema: The version of the format.
        run: The run that is judged.
        judge: Who says it.
        verdicts: What is said, each place once.
    """

    schema: Literal[1] = VERDICTS_SCHEMA
    run: JudgedRun
    judge: Judge
    verdicts: tuple[PlaceVerdict, ...]


def read_verdicts(file: Path) -> Verdicts:
    """The verdicts in a file.

    Raises:
        MalformedVerdicts: it cannot be read, or says two things of one place.
    """
    try:
        found = codec.decode(read_inside(file.parent, file.name, MOST), Verdicts)
    except OSError as error:
        raise MalformedVerdicts(f"{file} cannot be read: {error.strerror or error}") from error
    except codec.Malformed as error:
        raise MalformedVerdicts(f"{file} holds no verdicts: {error}") from error
    if not found.judge.name.strip() or not found.judge.name.isprintable():
        raise MalformedVerdicts(f"{file} holds no verdicts: $.judge.name is to be a name on one line")
    places = [each.place for each in found.verdicts]
    if twice := next((place for place in places if places.count(place) > 1), None):
        raise MalformedVerdicts(f"{file} says two things of {twice[0]!r}, instance {twice[1]}, field {twice[2]!r}")
    return found


def write_verdicts(file: Path, verdicts: Verdicts) -> None:
    """Write a file of verdicts, whole.

    Raises:
        OSError: the place cannot be written.
    """
    write_json(file, codec.plain(verdicts))
