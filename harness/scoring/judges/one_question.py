"""Judges that ask one question about a trajectory: AgentTrek's, WebVoyager's, and the autonomous evaluator.

Each is told and read as Xue et al. (2025, appendix C) describe it, in our words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.kit.words import Words
from harness.models.messages import Request
from harness.scoring.judges.judge_requests import (
    JUDGE_WORDS,
    agenttrek_request,
    autonomous_request,
    judge_prompts_hash,
    webvoyager_request,
)
from harness.scoring.judges.judgements import AskJudge, JudgedTrajectory, Need, Spread, TrajectoryJudgement
from harness.scoring.judges.labelled_text import Placed
from harness.scoring.judges.replies import TaskOutcome, read_status, read_voyager


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
