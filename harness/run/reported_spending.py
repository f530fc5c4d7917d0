"""What the agents from outside say that they have spent, while a run goes on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from harness.models.cost import dollars
from harness.runlog.agent_report import AgentReport
from harness.text.numbers import counted


class ReportedSpending:
    """The sum of agents' reports; what one of them does not say is unknown, and no part of it.

    Attributes:
        episodes: How many episodes were played by agents whose spending nobody else sees.
    """

    def __init__(self) -> None:
        """Of no episode yet."""
        self.episodes = 0
        self._tokens: list[int] = []
        self._costs: list[Decimal] = []

    def add(self, report: AgentReport | None) -> None:
        """Count what the agent of one more episode says; None of an episode of which the harness saw all."""
        if report is None:
            return
        self.episodes += 1
        if report.input_tokens is not None and report.output_tokens is not None:
            self._tokens.append(report.input_tokens + report.output_tokens)
        if report.cost is not None:
            self._costs.append(Decimal(str(report.cost)))

    def tokens_in_words(self) -> str:
        """Such as ``1,200 tokens reported (3 of 4 episodes)``; ``tokens unknown`` if no agent says."""
        if not self._tokens:
            return "tokens unknown"
        return f"{counted(sum(self._tokens), 'token')} reported{self._of(len(self._tokens))}"

    def cost_in_words(self) -> str:
        """Such as ``$0.42 reported``; ``cost unknown`` if no agent says."""
        if not self._costs:
            return "cost unknown"
        return f"{dollars(sum(self._costs, Decimal(0)))} reported{self._of(len(self._costs))}"

    def record(self) -> dict[str, Any]:
        """As a JSON object; null for a sum of which a part is not known."""
        return {
            "tokens": sum(self._tokens) if len(self._tokens) == self.episodes else None,
            "max_tokens": None,
            "cost": float(sum(self._costs)) if len(self._costs) == self.episodes else None,
            "max_cost": None,
            "reported": True,
        }

    def _of(self, told: int) -> str:
        return "" if told == self.episodes else f" ({told} of {counted(self.episodes, 'episode')})"
