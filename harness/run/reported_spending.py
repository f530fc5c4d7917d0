"""What the agents from outside say that they have spent, in words and for programs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from harness.kit.text import counted
from harness.models.cost import dollars
from harness.records.agent_report import AgentReport, ReportedTotals


class ReportedSpending:
    """The sum of agents' reports; what one of them does not say is unknown, and no part of it.

    Attributes:
        totals: The sum.
    """

    def __init__(self, totals: ReportedTotals | None = None) -> None:
        """Of these totals; None for no episode yet."""
        self.totals = totals or ReportedTotals()

    def add(self, report: AgentReport | None) -> None:
        """Count what the agent of one more episode says; None of an episode of which the harness saw all."""
        if report is not None:
            self.totals = self.totals.plus(ReportedTotals.of(report))

    def tokens_in_words(self) -> str:
        """Such as ``1,200 tokens reported (3 of 4 episodes)``; ``tokens unknown`` if no agent says."""
        read, wrote = self.totals.input_tokens, self.totals.output_tokens
        if read is None or wrote is None:
            return "tokens unknown"
        return f"{counted(read + wrote, 'token')} reported{self._of(self.totals.tokens_told)}"

    def cost_in_words(self) -> str:
        """Such as ``$0.42 reported``; ``cost unknown`` if no agent says."""
        if self.totals.cost is None:
            return "cost unknown"
        return f"{dollars(Decimal(str(self.totals.cost)))} reported{self._of(self.totals.cost_told)}"

    def record(self) -> dict[str, Any]:
        """As a JSON object; null for a sum of which a part is not known."""
        totals = self.totals
        told = totals.tokens_told == totals.episodes
        return {
            "tokens": (totals.input_tokens or 0) + (totals.output_tokens or 0) if told else None,
            "max_tokens": None,
            "cost": (totals.cost or 0.0) if totals.cost_told == totals.episodes else None,
            "max_cost": None,
            "reported": True,
        }

    def _of(self, told: int) -> str:
        return "" if told == self.totals.episodes else f" ({told} of {counted(self.totals.episodes, 'episode')})"
