"""What judging will take at most, before any model is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from harness.models.cost import Price
from harness.models.messages import Request, Usage
from harness.models.tokens.counting import Tokens


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
