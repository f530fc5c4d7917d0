"""Judging a trajectory: which questions a judge asks, in which order, and what is made of the replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from PIL.Image import DecompressionBombError

from harness.kit.errors.user import UserError
from harness.models.messages import Reply, Request
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.judge_requests import (
    agenttrek_request,
    autonomous_request,
    judge_prompts_hash,
    key_points_request,
    picture_request,
    verdict_request,
    webvoyager_request,
)
from harness.scoring.judges.judged_trajectory import JudgedTrajectory
from harness.scoring.judges.labelled_text import Placed
from harness.scoring.judges.replies import JudgeMethod, TaskOutcome, read_image_score, read_key_points, read_outcome

AskJudge: TypeAlias = Callable[[Request], Reply]
"""Sends a request and gives the reply."""
JudgeName: TypeAlias = JudgeMethod | Literal["rule"]
"""A judge that asks a model, or the rule that asks none."""
DELTA = 3
"""From which score on WebJudge keeps a picture (Xue et al. 2025, appendix C)."""
MOST_KEPT = 50
"""Pictures that WebJudge's last question may hold."""


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

    method: JudgeName
    task_id: str
    outcome: Placed[TaskOutcome]
    reply: str
    prompts: str
    points: tuple[str, ...] = ()
    pictures: tuple[ScoredPicture, ...] = ()
    failure: NamedFailure | None = None


def judge_trajectory(
    method: JudgeMethod,
    trajectory: JudgedTrajectory,
    ask: AskJudge,
    model: str,
    *,
    delta: int = DELTA,
    spread: Spread = map,
) -> TrajectoryJudgement:
    """Have a trajectory judged.

    Args:
        method: By which judge.
        trajectory: What is judged.
        ask: Asks the model.
        model: The provider's name of the model.
        delta: From which score on WebJudge keeps a picture.
        spread: Asks about WebJudge's pictures; one after the other by default.

    Raises:
        CannotBeJudged: it lacks what the judge needs, or a picture cannot be read.
        harness.models.client.ModelError: the model did not answer.
    """
    if lacking := trajectory.lacks(method):
        raise CannotBeJudged(f"{method} cannot judge the task {trajectory.task_id!r}: it lacks {' and '.join(lacking)}")
    try:
        if method == "webjudge":
            return _webjudge(trajectory, ask, model, delta, spread)
        reply = ask(_ONE_QUESTION[method](model, trajectory)).text
    except UNREADABLE_PICTURE as error:
        raise CannotBeJudged(f"a picture of the task {trajectory.task_id!r} cannot be read: {error}") from error
    return TrajectoryJudgement(method, trajectory.task_id, read_outcome(method, reply), reply, judge_prompts_hash())


_ONE_QUESTION: Mapping[JudgeName, Callable[[str, JudgedTrajectory], Request]] = {
    "autonomous": autonomous_request,
    "agenttrek": agenttrek_request,
    "webvoyager": webvoyager_request,
}


def last_question(trajectory: JudgedTrajectory, judgement: TrajectoryJudgement, model: str) -> Request:
    """The question that was answered with a verdict.

    Args:
        trajectory: What was judged.
        judgement: The verdict, of a judge that asks a model.
        model: The provider's name of the model.

    Raises:
        OSError: a picture cannot be read, or is none.
    """
    if judgement.method in _ONE_QUESTION:
        return _ONE_QUESTION[judgement.method](model, trajectory)
    kept = [(each.name, each.note) for each in judgement.pictures if each.is_kept]
    return verdict_request(model, trajectory, judgement.points, kept)


def _webjudge(
    trajectory: JudgedTrajectory, ask: AskJudge, model: str, delta: int, spread: Spread
) -> TrajectoryJudgement:
    points = read_key_points(ask(key_points_request(model, trajectory)).text)
    if not points:
        # What the pictures are to be held against is not known, and is not made up.
        unread: Placed[TaskOutcome] = Placed(None, why="its key points could not be read")
        return TrajectoryJudgement("webjudge", trajectory.task_id, unread, "", judge_prompts_hash())

    def about(name: str) -> str:
        return ask(picture_request(model, trajectory, points, name)).text

    # A page that did not change is asked about once.
    names = tuple(dict.fromkeys(trajectory.pictures))
    said = dict(zip(names, spread(about, names), strict=True))
    pictures = keep([_scored(name, read_image_score(said[name])) for name in trajectory.pictures], delta)
    kept = [(each.name, each.note) for each in pictures if each.is_kept]
    reply = ask(verdict_request(model, trajectory, points, kept)).text
    outcome = read_outcome("webjudge", reply)
    return TrajectoryJudgement(
        "webjudge", trajectory.task_id, outcome, reply, judge_prompts_hash(), points, tuple(pictures)
    )


def _scored(name: str, found: Placed[int]) -> ScoredPicture:
    return ScoredPicture(name, found.value, found.before)


def keep(pictures: Sequence[ScoredPicture], delta: int = DELTA, most: int = MOST_KEPT) -> list[ScoredPicture]:
    """The same pictures, those marked that the last question holds.

    Args:
        pictures: In their order.
        delta: From which score on one is kept; one without a score is not.
        most: How many at most: those with the highest scores, of equal ones the later.
    """
    good = [
        (each.score, place) for place, each in enumerate(pictures) if each.score is not None and each.score >= delta
    ]
    kept = {place for _, place in sorted(good, reverse=True)[:most]}
    return [replace(each, is_kept=place in kept) for place, each in enumerate(pictures)]


def questions_at_most(method: JudgeMethod, trajectory: JudgedTrajectory, model: str) -> Iterator[tuple[Request, int]]:
    """The questions about a trajectory, each with the number of replies that it would hold besides.

    Args:
        method: Who judges.
        trajectory: What is judged.
        model: The provider's name of the model.

    Raises:
        OSError: a picture cannot be read.
    """
    if method == "webjudge":
        yield key_points_request(model, trajectory), 0
        for name in dict.fromkeys(trajectory.pictures):
            yield picture_request(model, trajectory, (), name), 1
        kept = [(name, "") for name in trajectory.pictures[-MOST_KEPT:]]
        yield verdict_request(model, trajectory, (), kept), 1 + len(kept)
        return
    one = {"autonomous": autonomous_request, "agenttrek": agenttrek_request, "webvoyager": webvoyager_request}
    yield one[method](model, trajectory), 0
