"""When a provider counts as gone: a few failures of one kind, from all workers, with no answer in between."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from harness.models.client import ModelError

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
