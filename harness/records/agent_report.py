"""What a program from outside says of its own work: the harness sees its page, and neither its model nor its bill."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

import msgspec

MOST_TOKENS, MOST_STEPS, MOST_DOLLARS = 10**12, 10**6, 10**6
LONGEST_MODEL = 200

_Tokens = Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)]


@dataclass(frozen=True, kw_only=True)
class AgentReport:
    """What the agent of one episode reported; None is what it did not report, and nobody knows.

    Attributes:
        input_tokens: Tokens that it sent to models.
        output_tokens: Tokens of their replies, thoughts included.
        cost: US dollars.
        steps: What it counts as its actions.
        model: The model that answered.
    """

    input_tokens: _Tokens | None = None
    output_tokens: _Tokens | None = None
    cost: Annotated[float, msgspec.Meta(ge=0, le=MOST_DOLLARS)] | None = None
    steps: Annotated[int, msgspec.Meta(ge=0, le=MOST_STEPS)] | None = None
    model: Annotated[str, msgspec.Meta(max_length=LONGEST_MODEL)] | None = None


@dataclass(frozen=True, kw_only=True)
class ReportedTotals:
    """What the agents of a run reported, summed up; what one of them does not say is part of no sum.

    Attributes:
        episodes: Episodes of programs.
        input_tokens: Sum over ``tokens_told`` episodes; None without one.
        output_tokens: The same.
        tokens_told: Episodes whose programs told their tokens.
        cost: US dollars, summed over ``cost_told`` episodes; None without one.
        cost_told: Episodes whose programs told their cost.
    """

    episodes: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens_told: int = 0
    cost: float | None = None
    cost_told: int = 0

    @classmethod
    def of(cls, report: AgentReport) -> ReportedTotals:
        """Those of one episode."""
        read, wrote = report.input_tokens, report.output_tokens
        told = read is not None and wrote is not None
        return cls(
            episodes=1,
            input_tokens=read if told else None,
            output_tokens=wrote if told else None,
            tokens_told=int(told),
            cost=report.cost,
            cost_told=int(report.cost is not None),
        )

    def plus(self, more: ReportedTotals) -> ReportedTotals:
        """With those of further episodes."""
        return ReportedTotals(
            episodes=self.episodes + more.episodes,
            input_tokens=_sum(self.input_tokens, more.input_tokens),
            output_tokens=_sum(self.output_tokens, more.output_tokens),
            tokens_told=self.tokens_told + more.tokens_told,
            cost=_sum_of_prices(self.cost, more.cost),
            cost_told=self.cost_told + more.cost_told,
        )


def _sum(one: int | None, other: int | None) -> int | None:
    """The sum of what is known; None if neither is."""
    return None if one is None and other is None else (one or 0) + (other or 0)


def _sum_of_prices(one: float | None, other: float | None) -> float | None:
    """The same by their decimal digits: a sum of prices is to be what people make of it."""
    return None if one is None and other is None else float(Decimal(str(one or 0)) + Decimal(str(other or 0)))
