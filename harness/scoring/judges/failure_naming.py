"""The second question to a judge that says failure: of which kind it is."""

from __future__ import annotations

from harness.kit.text import shorten
from harness.models.client import RequestRefused
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.judge_requests import failure_kind_request, kind_prompts_hash
from harness.scoring.judges.judged_trajectory import JudgedTrajectory
from harness.scoring.judges.judgements import (
    JUDGES,
    UNREADABLE_PICTURE,
    AskJudge,
    CannotBeJudged,
    TrajectoryJudgement,
)
from harness.scoring.judges.replies import read_failure_kind


def name_failure(
    trajectory: JudgedTrajectory, judgement: TrajectoryJudgement, ask: AskJudge, model: str
) -> NamedFailure:
    """Ask a judge for the kind of a failure, with all before it that it judged by.

    Args:
        trajectory: What was judged.
        judgement: Its verdict, which is failure.
        ask: Asks the model.
        model: The provider's name of the model.

    Raises:
        CannotBeJudged: a picture cannot be read.
        harness.models.client.ModelError: the model did not answer; a question that is refused for good is no kind.
    """
    try:
        asked = JUDGES[judgement.method].last_question(trajectory, judgement, model)
        reply = ask(failure_kind_request(asked, judgement.reply)).text
    except UNREADABLE_PICTURE as error:
        raise CannotBeJudged(f"a picture of the task {trajectory.task_id!r} cannot be read: {error}") from error
    except RequestRefused as error:
        why = f"the model refused the question: {shorten(str(error), 300)}"
        return NamedFailure(kind=None, why=why, reply="", prompts=kind_prompts_hash())
    found = read_failure_kind(reply)
    return NamedFailure(kind=found.value, why=found.why, reply=reply, prompts=kind_prompts_hash())
