"""How often a call is tried again, and how long is waited before."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from harness.models.client import ModelError, Retryable

ENOUGH: Mapping[str, tuple[int, int]] = {
    "unreachable": (5, 1),
    "timeout": (3, 1),
    "server error": (5, 3),
    "unreadable": (5, 3),
    "web page": (1, 1),
}
"""Kind of failure (``harness.models.client.FailureKind``) -> how many in a row are no bad luck any more, and on how
many pages: a server may break over what a single page asks. Time-outs are few since each takes minutes."""


class ProviderGone(ModelError):
    """A provider that answers nobody at present; no fault of the agent, and none of its page.

    Attributes:
        lasting: Whether waiting will hardly help, as with a wrong address.
    """

    def __init__(self, message: str, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting

    def __reduce__(self) -> tuple[type[ProviderGone], tuple[str, bool]]:
        return type(self), (str(self), self.lasting)


@dataclass(frozen=True)
class FailureStreak:
    """The failures of one kind since the last answer of a provider.

    Attributes:
        kind: Their kind; None if the last call was answered.
        count: How many.
        pages: What was asked for.
    """

    kind: str | None = None
    count: int = 0
    pages: frozenset[str] = frozenset()

    def then(self, kind: str, page: str) -> FailureStreak:
        """With one more failure."""
        before = self if kind == self.kind else FailureStreak(kind)
        return replace(before, count=before.count + 1, pages=before.pages | {page})

    @property
    def is_outage(self) -> bool:
        """Whether nobody else need ask before there is reason to hope."""
        failures, pages = ENOUGH.get(self.kind or "", (math.inf, math.inf))
        return self.count >= failures and len(self.pages) >= pages


class ProviderDown(ModelError):
    """A provider that gave no answer however often it was asked: no fault of the agent, and none of its page.

    An episode that meets it has no score (``harness_error``); resuming the run tries it again.
    """


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential back-off with full jitter: before try n + 1, any time between 0 and ``base * 2 ** (n - 1)`` seconds.

    All times are equally likely, so that many workers that failed together do not come back together (Brooker,
    "Exponential Backoff and Jitter", AWS Architecture Blog, 2015). Where the provider says how long to wait, that is
    waited at least.

    Attributes:
        attempts: How often a call is made at most.
        base: Seconds.
        cap: The longest wait that back-off makes, in seconds.
        patience: The longest wait that a provider may ask for; one who asks for more is given up.
        seed: Of the jitter.
    """

    attempts: int = 6
    base: float = 1.0
    cap: float = 60.0
    patience: float = 600.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"a call is made at least once, not {self.attempts} times")

    def waits(self, key: str) -> RetryWaits:
        """The waits of one call; the same for the same ``key`` and ``seed``."""
        return RetryWaits(self, random.Random(f"{self.seed} {key}"))  # noqa: S311 - it spreads calls and guards nothing


class RetryWaits:
    """The waits between the tries of one call.

    Attributes:
        said: What the tries that failed said, in order.
    """

    def __init__(self, policy: RetryPolicy, chance: random.Random) -> None:
        self._policy = policy
        self._chance = chance
        self._failed = 0
        self.said: list[str] = []

    @property
    def failed(self) -> int:
        """How many tries failed so far."""
        return self._failed

    def after(self, failure: Retryable) -> float:
        """How long to wait after a try that failed.

        Returns:
            Seconds.

        Raises:
            ProviderDown: If that was the last try, or the provider asks for a longer wait than ``patience``.
        """
        self._failed += 1
        self.said.append(str(failure))
        policy = self._policy
        if self._failed >= policy.attempts:
            tries = "1 try" if self._failed == 1 else f"{self._failed} tries"
            raise ProviderDown(f"no answer after {tries}: {failure}") from failure
        hint = failure.retry_after or 0.0
        if hint > policy.patience:
            raise ProviderDown(
                f"the provider asks to wait {hint:.0f} seconds, more than {policy.patience:.0f}: {failure}"
            ) from failure
        # Doubling a few dozen times is beyond every cap, and doubling a thousand times is beyond a float.
        longest = min(policy.cap, policy.base * 2 ** min(self._failed - 1, 60))
        jitter = self._chance.uniform(0, longest)
        # With a hint all workers got the same one: a little jitter on top keeps them apart.
        return hint + min(jitter, policy.base) if hint else jitter
