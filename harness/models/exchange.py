"""A reply, and what it took to get it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.models.messages import Reply, Usage


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A reply, and what it took to get it.

    Attributes:
        reply: The reply.
        usage: The tokens of request and reply; None if nobody counted them.
        counted_by: How they were counted here (``harness.models.tokens.counting.Tokens``); empty where the provider
            counted them, or nobody.
        cost: US dollars; 0 for a cached reply; None if it is not known, as of a model without a price.
        cached: Whether it had been paid for before.
        attempts: How often it was sent; 0 for a cached reply.
        ms: Milliseconds from the question to the reply, all waiting included.
    """

    reply: Reply
    usage: Usage | None = None
    counted_by: str = ""
    cost: float | None = None
    cached: bool = False
    attempts: int = 1
    ms: float = 0.0
