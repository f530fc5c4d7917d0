"""When a provider counts as gone: a few failures of one kind, from all workers, with no answer in between."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.models.client import FailureKind, ModelError

FAILURES = 5
"""Failures of one kind in a row that are no bad luck any more."""
PAGES = 3
"""On so many pages at least where the fault may be a single request's: a server may break over what one page asks."""
_OF_ANY_REQUEST: tuple[FailureKind, ...] = ("unreachable",)
_OF_A_REQUEST: tuple[FailureKind, ...] = ("timeout", "server error", "unreadable")


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
        if self.kind == "web page":
            return True
        if self.count < FAILURES:
            return False
        return self.kind in _OF_ANY_REQUEST or (self.kind in _OF_A_REQUEST and len(self.pages) >= PAGES)
