"""A request that would be sent: for looking at prompts and for reckoning what a run costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.catalog.kinds import KindName
from harness.models.messages import Request


@dataclass(frozen=True)
class PlannedRequest:
    """A request before it is sent.

    Attributes:
        field: The field that it asks about; empty for a whole form or a website.
        request: The request.
        tokens: Of its texts, pictures and tools, as counted here.
        shrunk: What was left out of the page to keep within the budget, in words.
        kind: Of the task.
    """

    field: str
    request: Request
    tokens: int
    shrunk: tuple[str, ...]
    kind: KindName = "form"

    def text_tokens(self, count: Callable[[str], int]) -> int:
        """Tokens of the texts of its messages by a vocabulary of one's choice; pictures and tools are not counted.

        Args:
            count: Such as ``harness.models.tokens.counting.counter("gpt2")``.
        """
        return sum(count(message.text) for message in self.request.messages)
