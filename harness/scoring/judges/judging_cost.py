"""What judging will take at most, before any model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from harness.models.cost import Price
from harness.models.messages import Request, Usage
from harness.models.tokens.counting import Tokens
from harness.scoring.judges.judge_requests import (
    agenttrek_request,
    autonomous_request,
    key_points_request,
    picture_request,
    verdict_request,
    webvoyager_request,
)
from harness.scoring.judges.judged_trajectory import JudgedTrajectory
from harness.scoring.judges.judgements import MOST_KEPT
from harness.scoring.judges.replies import JudgeMethod


@dataclass(frozen=True)
class JudgingCost:
    """What is reckoned with.

    Attributes:
        questions: How many.
        usage: Their tokens at most.
        cost: In US dollars, at most; None if the price is not known.
    """

    questions: int
    usage: Usage
    cost: Decimal | None


def judging_cost(
    questions: Iterable[tuple[Request, int]], tokens: Tokens, price: Price | None, repeats: int = 1
) -> JudgingCost:
    """Reckon with the longest replies that the questions allow, and with no reply on disk.

    Args:
        questions: Each as it would be sent, and how many replies that it holds are not there yet.
        tokens: Counts the model's tokens.
        price: Of the model; None if it is not known.
        repeats: How often all of it is asked.
    """
    number, usage = 0, Usage()
    for request, replies in questions:
        number += 1
        usage += Usage(tokens.request(request) + replies * request.max_tokens, request.max_tokens)
    total = Usage(usage.input_tokens * repeats, usage.output_tokens * repeats)
    return JudgingCost(number * repeats, total, None if price is None else price.cost(total))


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
