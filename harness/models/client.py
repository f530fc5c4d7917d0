"""The one interface to a model, and what can go wrong with a call."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.models.messages import Reply, Request, Usage
from harness.models.request_summary import RequestSummary

WARNED_DAYS = 90
"""Days before a model is shut down from which on its users are told."""


class ModelRetired(UserError):
    """The model is asked no more by its provider's users; the message names one that is, and the ways to go on."""


def today() -> date:
    """The day that prices and retirements are looked at by; tests put another in its place."""
    return date.today()


@dataclass(frozen=True)
class Retirement:
    """What a provider has announced of a model.

    Attributes:
        model: The provider's name of the model.
        on: The day on which the provider shuts it down, or did.
        instead: A model of the same provider that is served today and can be asked in its place.
    """

    model: str
    on: date
    instead: str

    def is_over(self, day: date) -> bool:
        """Whether the model is gone on a day."""
        return day >= self.on

    def words(self, day: date) -> str:
        """What is to be said of it on a day; empty if it is more than ``WARNED_DAYS`` ahead."""
        left = (self.on - day).days
        if left <= 0:
            return f"{self.model} was shut down by its provider on {self.on}"
        if left > WARNED_DAYS:
            return ""
        days = "tomorrow" if left == 1 else f"in {left} days"
        return f"{self.model} is shut down by its provider on {self.on}, {days}; {self.instead} is served beyond that"


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


FailureKind = Literal["busy", "refused", "unreachable", "timeout", "server error", "unreadable", "web page"]
"""How a call failed. ``busy`` and ``refused`` are answers of a provider that is there; ``web page`` is HTML where JSON
was due, as a wrong address gives it."""


class ModelError(Exception):
    """A call of a model that gave no answer; the message says what to do and never holds a key."""


class Retryable(ModelError):
    """A call that may succeed later: a rate limit, a server's error, a time-out, a connection that broke.

    Attributes:
        retry_after: Seconds to wait, as the provider asks; None if it does not say.
        kind: How it failed.
    """

    def __init__(self, message: str, retry_after: float | None = None, kind: FailureKind = "busy") -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.kind = kind

    def __reduce__(self) -> tuple[type[Retryable], tuple[str, float | None, FailureKind]]:
        return type(self), (str(self), self.retry_after, self.kind)


class MalformedCall(Retryable):
    """A call of a tool that the model wrote and its provider cannot read; another try may be better.

    Attributes:
        reply: What there is of the answer, with the finish reason ``malformed``.
    """

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.text)
        self.reply = reply

    def __reduce__(self) -> tuple[type[MalformedCall], tuple[Reply]]:  # type: ignore[override]
        return type(self), (self.reply,)


class RequestRefused(ModelError):
    """A call that fails however often it is made: a request that is not allowed, or too long.

    Attributes:
        asked: What was asked for; None if it was never sent, or nobody has said.
    """

    asked: RequestSummary | None = None


class NoAccess(RequestRefused):
    """Every call fails, whatever it asks: no key or a wrong one, an unknown model, an account out of credit.

    Or the library of its provider cannot be loaded.
    """


class MissingExtra(ModelError, UserError):
    """An optional library that is not installed; the message holds the line that installs it."""

    def __init__(self, library: str, extra: str, command: str = "") -> None:
        """Make the error.

        Args:
            library: What is missing.
            extra: The extra that has it.
            command: What installs it, if that is not the extra.
        """
        super().__init__(f"{library} is not installed; install it with: {command or installing(extra)}")
        self._made_of = (library, extra, command)

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        return type(self), self._made_of


class Client(Protocol):
    """A model behind some provider's interface.

    A client can be made before a process forks and used on both sides: what is live is made at the first call.
    """

    def complete(self, request: Request, *, timeout: float) -> Reply:
        """Ask once; nothing is tried again in here but what the provider would not bill.

        Args:
            request: What to ask.
            timeout: Seconds until the call is given up.

        Returns:
            The answer, with the provider's count of tokens.

        Raises:
            Retryable: If it may succeed later.
            RequestRefused: If it never will.
            MissingExtra: If the provider's library is not installed.
        """
        ...
