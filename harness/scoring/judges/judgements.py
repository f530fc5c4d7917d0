"""Judging a trajectory: what a judge is, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeAlias

from PIL.Image import DecompressionBombError

from harness.kit.arguments import positive
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.options import option
from harness.kit.registry import Registry, registry
from harness.kit.words import Words
from harness.models.call_options import AskedPreset, CallOptions
from harness.models.messages import Reply, Request
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.labelled_text import Placed
from harness.scoring.judges.replies import TaskOutcome


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CallOptions, AskedPreset):
    """What can be chosen."""

    GROUP: ClassVar[str] = ""

    failure_kinds: bool = option(False, help="ask the judge for the kind of each failure: one more call per failure")
    limit: int | None = option(takes=positive, metavar="N", help="only the first N trajectories")
    out: Path | None = option(metavar="DIR", help="folder of the verdicts (default: RUN_judges)")
    no_vision: bool = option(False, help="send no pictures, for a model that takes none", group=AskedPreset.GROUP)
    max_output_tokens: int | None = option(
        takes=positive, metavar="N", help="most tokens of a reply (default: 4096)", group=AskedPreset.GROUP
    )
    delta: int | None = option(
        takes=positive, metavar="N", help="least score of a picture that WebJudge keeps", group=AskedPreset.GROUP
    )


LARGEST_PICTURE = 32 * 2**20
"""Bytes."""
Need: TypeAlias = Literal["pictures", "an action history", "thoughts", "a final answer"]
"""What a judge may need of a trajectory, in words."""


@dataclass(frozen=True, kw_only=True)
class JudgedTrajectory:
    """An agent's try at a task; its pictures stay files until one is looked at.

    Attributes:
        task_id: The task.
        task: What was to be done, in words.
        actions: What was done, in order, in the paper's form where the agent's maker kept to it:
            ``<element> -> ACTION: value`` (appendix C).
        thoughts: What the agent thought at each step, None where it told nothing; empty if it told nothing at all.
        answer: What it answered in the end; None if nothing.
        folder: Where the pictures are.
        pictures: The files in it, in the order in which they were taken.
        missing: What is no picture though there should be one, by its name.
        page: The words of the last page; None if they are not known, or nobody asked for them.
    """

    task_id: str
    task: str
    actions: tuple[str, ...]
    folder: Path
    pictures: tuple[str, ...]
    thoughts: tuple[str | None, ...] = ()
    answer: str | None = None
    missing: tuple[str, ...] = ()
    page: str | None = None

    @property
    def steps(self) -> int:
        """How many actions it took."""
        return len(self.actions)

    def picture(self, name: str) -> bytes:
        """One of the pictures.

        Args:
            name: As in ``pictures``.

        Raises:
            OSError: it cannot be read, or is not one of the folder's any more.
        """
        return read_inside(self.folder, name, LARGEST_PICTURE)

    def lacks(self, needs: Iterable[Need]) -> tuple[Need, ...]:
        """Those of a judge's needs that the trajectory does not have (Table 1 of Xue et al. 2025)."""
        there: Mapping[Need, bool] = {
            "pictures": bool(self.pictures),
            "an action history": bool(self.actions),
            "thoughts": any(self.thoughts),
            "a final answer": bool(self.answer),
        }
        return tuple(need for need in needs if not there[need])


AskJudge: TypeAlias = Callable[[Request], Reply]
"""Sends a request and gives the reply."""
RULE = "rule"
"""The judge that asks no model (``harness.scoring.judges.rule_judge``)."""
DELTA = 3
"""From which score on WebJudge keeps a picture (Xue et al. 2025, appendix C)."""

UNREADABLE_PICTURE = (OSError, DecompressionBombError)
"""What comes up where a picture, which may be a stranger's, is none, is gone, or would take too much memory."""


class Spread(Protocol):
    """Does the same with each of several names, in whatever order, and gives what came of it in theirs: as ``map``."""

    def __call__(self, work: Callable[[str], str], names: Sequence[str], /) -> Iterable[str]:
        """Do it."""


class CannotBeJudged(UserError):
    """A trajectory lacks what a judge needs; the message says what."""


@dataclass(frozen=True)
class ScoredPicture:
    """What WebJudge says of one picture.

    Attributes:
        name: The picture.
        score: From 1 to 5; None if the reply gives none.
        note: Its reasoning.
        is_kept: Whether the last question holds it.
    """

    name: str
    score: int | None
    note: str
    is_kept: bool = False


@dataclass(frozen=True)
class TrajectoryJudgement:
    """What a judge says of a trajectory.

    Attributes:
        method: Which judge.
        task_id: The task.
        outcome: Its verdict; none, with the reason, where it cannot be read.
        reply: The reply with the verdict; empty if it did not come so far.
        prompts: The hash of its words.
        points: WebJudge's key points; of others none.
        pictures: What WebJudge says of each picture; of others nothing.
        failure: What it says of the kind of a failure; None if it was not asked.
    """

    method: str
    task_id: str
    outcome: Placed[TaskOutcome]
    reply: str
    prompts: str
    points: tuple[str, ...] = ()
    pictures: tuple[ScoredPicture, ...] = ()
    failure: NamedFailure | None = None


class Judge(Protocol):
    """A judge that asks a model about trajectories.

    Attributes:
        name: What ``--method`` calls it.
        needs: What a trajectory has to have.
        scores_pictures: Whether it scores each picture, and keeps those from a score on.
        words: In which words it asks.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - above

    @property
    def needs(self) -> tuple[Need, ...]: ...  # noqa: D102

    @property
    def scores_pictures(self) -> bool: ...  # noqa: D102

    @property
    def words(self) -> Words: ...  # noqa: D102

    def judge(
        self, trajectory: JudgedTrajectory, ask: AskJudge, model: str, *, delta: int, spread: Spread
    ) -> TrajectoryJudgement:
        """Have a trajectory judged that has what the judge needs; arguments and errors as for ``judge_trajectory``."""

    def last_question(self, trajectory: JudgedTrajectory, judgement: TrajectoryJudgement, model: str) -> Request:
        """The question that was answered with a verdict.

        Args:
            trajectory: What was judged.
            judgement: The verdict.
            model: The provider's name of the model.

        Raises:
            OSError: a picture cannot be read, or is none.
        """

    def questions(self, trajectory: JudgedTrajectory, model: str) -> Iterator[tuple[Request, int]]:
        """All questions that may be asked, each with the number of replies that it would hold besides.

        Args:
            trajectory: What is judged.
            model: The provider's name of the model.

        Raises:
            OSError: a picture cannot be read.
        """


JUDGES: Registry[Judge] = registry("judges")


def judge_trajectory(
    judge: str,
    trajectory: JudgedTrajectory,
    ask: AskJudge,
    model: str,
    *,
    delta: int = DELTA,
    spread: Spread = map,
) -> TrajectoryJudgement:
    """Have a trajectory judged.

    Args:
        judge: By whom; a name of ``JUDGES``.
        trajectory: What is judged.
        ask: Asks the model.
        model: The provider's name of the model.
        delta: From which score on a judge keeps a picture that it scores.
        spread: Asks about the pictures; one after the other by default.

    Raises:
        CannotBeJudged: it lacks what the judge needs, or a picture cannot be read.
        harness.models.client.ModelError: the model did not answer.
    """
    asked = JUDGES[judge]
    if lacking := trajectory.lacks(asked.needs):
        raise CannotBeJudged(f"{judge} cannot judge the task {trajectory.task_id!r}: it lacks {' and '.join(lacking)}")
    try:
        return asked.judge(trajectory, ask, model, delta=delta, spread=spread)
    except UNREADABLE_PICTURE as error:
        raise CannotBeJudged(f"a picture of the task {trajectory.task_id!r} cannot be read: {error}") from error
