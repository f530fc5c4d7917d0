"""Judges of trajectories that ask a model: WebJudge, and those that ask one question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.kit.words import Words
from harness.models.messages import Request
from harness.scoring.judges.judge_requests import (
    JUDGE_WORDS,
    agenttrek_request,
    autonomous_request,
    judge_prompts_hash,
    key_points_request,
    picture_request,
    verdict_request,
    webvoyager_request,
)
from harness.scoring.judges.judgements import (
    DELTA,
    AskJudge,
    JudgedTrajectory,
    Need,
    ScoredPicture,
    Spread,
    TrajectoryJudgement,
)
from harness.scoring.judges.labelled_text import Placed
from harness.scoring.judges.replies import TaskOutcome, read_image_score, read_key_points, read_status, read_voyager


@dataclass(frozen=True)
class OneQuestionJudge:
    """A judge that is asked once; see ``harness.scoring.judges.judgements.Judge``.

    Attributes:
        name: The judge's.
        request: Writes the question about a trajectory, for a model.
        read: Finds the verdict in the reply.
        needs: What a trajectory has to have.
        words: In which words it asks.
    """

    name: str
    request: Callable[[str, JudgedTrajectory, Words], Request]
    read: Callable[[str], Placed[TaskOutcome]]
    needs: tuple[Need, ...]
    scores_pictures: bool = False
    words: Words = JUDGE_WORDS

    def judge(
        self,
        trajectory: JudgedTrajectory,
        ask: AskJudge,
        model: str,
        *,
        delta: int,  # noqa: ARG002 - it scores no pictures
        spread: Spread,  # noqa: ARG002
    ) -> TrajectoryJudgement:
        """Have a trajectory judged."""
        reply = ask(self.request(model, trajectory, self.words)).text
        return TrajectoryJudgement(
            self.name, trajectory.task_id, self.read(reply), reply, judge_prompts_hash(self.words)
        )

    def last_question(
        self,
        trajectory: JudgedTrajectory,
        judgement: TrajectoryJudgement,  # noqa: ARG002 - its question is the only one
        model: str,
    ) -> Request:
        """The question that was answered with the verdict."""
        return self.request(model, trajectory, self.words)

    def questions(self, trajectory: JudgedTrajectory, model: str) -> Iterator[tuple[Request, int]]:
        """The question, which holds no other replies."""
        yield self.request(model, trajectory, self.words), 0


AUTONOMOUS = OneQuestionJudge("autonomous", autonomous_request, read_status, ("pictures", "an action history"))
AGENTTREK = OneQuestionJudge("agenttrek", agenttrek_request, read_status, ("pictures", "an action history", "thoughts"))
WEBVOYAGER = OneQuestionJudge("webvoyager", webvoyager_request, read_voyager, ("pictures", "a final answer"))


MOST_KEPT = 50
"""Pictures that the last question may hold."""


@dataclass(frozen=True)
class WebJudge:
    """The judge; see ``harness.scoring.judges.judgements.Judge``.

    Attributes:
        words: In which words it asks.
    """

    name: str = "webjudge"
    needs: tuple[Need, ...] = ("pictures", "an action history")
    scores_pictures: bool = True
    words: Words = JUDGE_WORDS

    def judge(
        self, trajectory: JudgedTrajectory, ask: AskJudge, model: str, *, delta: int, spread: Spread
    ) -> TrajectoryJudgement:
        """Have a trajectory judged."""
        points = read_key_points(ask(key_points_request(model, trajectory, self.words)).text)
        if not points:
            # What the pictures are to be held against is not known, and is not made up.
            unread: Placed[TaskOutcome] = Placed(None, why="its key points could not be read")
            return TrajectoryJudgement(self.name, trajectory.task_id, unread, "", judge_prompts_hash(self.words))

        def about(name: str) -> str:
            return ask(picture_request(model, trajectory, points, name, self.words)).text

        # A page that did not change is asked about once.
        names = tuple(dict.fromkeys(trajectory.pictures))
        said = dict(zip(names, spread(about, names), strict=True))
        pictures = keep([_scored(name, read_image_score(said[name])) for name in trajectory.pictures], delta)
        reply = ask(verdict_request(model, trajectory, points, _kept(pictures), self.words)).text
        return TrajectoryJudgement(
            self.name,
            trajectory.task_id,
            read_status(reply),
            reply,
            judge_prompts_hash(self.words),
            points,
            tuple(pictures),
        )

    def last_question(self, trajectory: JudgedTrajectory, judgement: TrajectoryJudgement, model: str) -> Request:
        """The question that was answered with the verdict, with the pictures that were kept for it."""
        return verdict_request(model, trajectory, judgement.points, _kept(judgement.pictures), self.words)

    def questions(self, trajectory: JudgedTrajectory, model: str) -> Iterator[tuple[Request, int]]:
        """All questions, if every picture is good; the last holds what was said of the points and of each picture."""
        yield key_points_request(model, trajectory, self.words), 0
        for name in dict.fromkeys(trajectory.pictures):
            yield picture_request(model, trajectory, (), name, self.words), 1
        kept = [(name, "") for name in trajectory.pictures[-MOST_KEPT:]]
        yield verdict_request(model, trajectory, (), kept, self.words), 1 + len(kept)


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


def _scored(name: str, found: Placed[int]) -> ScoredPicture:
    return ScoredPicture(name, found.value, found.before)


def _kept(pictures: Sequence[ScoredPicture]) -> list[tuple[str, str]]:
    return [(each.name, each.note) for each in pictures if each.is_kept]


WEBJUDGE = WebJudge()
