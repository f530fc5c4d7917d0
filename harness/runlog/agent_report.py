"""What a program from outside says of its own work: the harness sees its page, and neither its model nor its bill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

MOST_TOKENS, MOST_STEPS, MOST_DOLLARS = 10**12, 10**6, 10**6
LONGEST_MODEL = 200

_Tokens = Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)]


@dataclass(frozen=True, kw_only=True)
class AgentReport:
    """What the agent of one episode reported; None is what it did not report, and nobody knows.

    Attributes:
        input_tokens: All tokens that it sent to models.
        output_tokens: All tokens of their replies, those of thoughts included.
        cost: What that cost, in US dollars.
        steps: What it counts as its actions on the page.
        model: The model that answered.
    """

    input_tokens: _Tokens | None = None
    output_tokens: _Tokens | None = None
    cost: Annotated[float, msgspec.Meta(ge=0, le=MOST_DOLLARS)] | None = None
    steps: Annotated[int, msgspec.Meta(ge=0, le=MOST_STEPS)] | None = None
    model: Annotated[str, msgspec.Meta(max_length=LONGEST_MODEL)] | None = None
