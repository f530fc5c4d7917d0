"""What a run has spent on models, beside what it may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from harness.kit.options.records import view
from harness.kit.text.numbers import counted
from harness.models.call_options import Budget
from harness.models.cost import dollars
from harness.models.ledger import Totals


@dataclass(frozen=True)
class Spending:
    """What a run has spent, and its budgets.

    Attributes:
        totals: By its ledger.
        max_cost: US dollars that it may spend; None for any amount.
        max_tokens: Input and output tokens that it may take; None for any number.
    """

    totals: Totals
    max_cost: Decimal | None = None
    max_tokens: int | None = None

    @classmethod
    def of(cls, totals: Totals, options: Budget | Mapping[str, Any]) -> Spending:
        """Of a run with these options of its solver."""
        budget = view(Budget, options)
        return cls(totals, None if budget.max_cost is None else Decimal(str(budget.max_cost)), budget.max_tokens)

    @property
    def tokens(self) -> int:
        """Of input and output."""
        return self.totals.usage.input_tokens + self.totals.usage.output_tokens

    def tokens_in_words(self) -> str:
        """Such as ``120,000 of 1,000,000 tokens (12%)``."""
        if self.max_tokens is None:
            return counted(self.tokens, "token")
        return f"{self.tokens:,} of {self.max_tokens:,} tokens ({self.tokens / self.max_tokens:.0%})"

    def cost_in_words(self) -> str:
        """Such as ``$0.42 of $5.00 (8%)``; ``cost unknown`` without a price."""
        cost = self.totals.cost
        if cost is None:
            return "cost unknown"
        if self.max_cost is None:
            return dollars(cost)
        return f"{dollars(cost)} of {dollars(self.max_cost)} ({cost / self.max_cost:.0%})"

    def record(self) -> dict[str, Any]:
        """As a JSON object; money in US dollars, null where it is not known or not limited."""
        cost = self.totals.cost
        return {
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "cost": None if cost is None else float(cost),
            "max_cost": None if self.max_cost is None else float(self.max_cost),
        }
