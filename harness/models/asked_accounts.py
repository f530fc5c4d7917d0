"""What all calls of a run share, for workers on other machines: they ask a clerk beside the files."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from harness.models.accounts import DiskAccounts
from harness.models.client import FailureKind
from harness.models.ledger import CallClaim, ClaimMustWait, ClaimRefused, Ledger, SpendingLimits, Totals
from harness.models.messages import Reply, Request, Usage
from harness.models.outage import FailureStreak
from harness.models.slots import NAP

Ask = Callable[..., Any]
"""Asks the clerk: what, and what that needs."""


@dataclass(frozen=True)
class AskedAccounts:
    """Those of a worker on another machine, which asks the clerk for everything.

    Attributes:
        ask: Asks it; raises what the clerk meets.
        sleep: Waits so many seconds.
    """

    ask: Ask
    sleep: Callable[[float], None] = time.sleep

    def ledger(self) -> AskedLedger:
        """See ``Accounts``."""
        return AskedLedger(self.ask)

    def replies(self, asked: str) -> AskedReplies:
        """See ``Accounts``."""
        return AskedReplies(self.ask, asked)

    def places(self, count: int) -> AskedPlaces:
        """See ``Accounts``."""
        return AskedPlaces(self.ask, count, self.sleep)


@dataclass(frozen=True)
class AskedLedger:
    """The ledger of a run, elsewhere."""

    ask: Ask

    def claim(
        self, usage: Usage, cost: Decimal | None, limits: SpendingLimits, timeout: float
    ) -> CallClaim | ClaimMustWait | ClaimRefused:
        """See ``harness.models.ledger.Ledger``."""
        answer: CallClaim | ClaimMustWait | ClaimRefused = self.ask("claim", usage, cost, limits, timeout)
        return answer

    def pay(self, claim: CallClaim, usage: Usage, cost: Decimal | None, **more: Any) -> None:
        """See ``harness.models.ledger.Ledger``."""
        self.ask("pay", claim, usage, cost, more)

    def free(self, claim: CallClaim, why: str, kind: FailureKind = "refused", where: str = "") -> FailureStreak:
        """See ``harness.models.ledger.Ledger``."""
        streak: FailureStreak = self.ask("free", claim, why, kind, where)
        return streak

    def note_cached(self, usage: Usage, **more: Any) -> None:
        """See ``harness.models.ledger.Ledger``."""
        self.ask("note_cached", usage, more)

    def totals(self) -> Totals:
        """See ``harness.models.ledger.Ledger``."""
        totals: Totals = self.ask("totals")
        return totals


@dataclass(frozen=True)
class AskedReplies:
    """The replies of a run, elsewhere."""

    ask: Ask
    asked: str

    def get(self, request: Request) -> Reply | None:
        """See ``harness.models.cache.ReplyCache``."""
        reply: Reply | None = self.ask("get_reply", self.asked, request)
        return reply

    def put(self, request: Request, reply: Reply) -> None:
        """See ``harness.models.cache.ReplyCache``."""
        self.ask("put_reply", self.asked, request, reply)


@dataclass(frozen=True)
class AskedPlaces:
    """The places for calls of a run, elsewhere."""

    ask: Ask
    count: int
    sleep: Callable[[float], None]

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """See ``harness.models.slots.Slots``."""
        while not self.ask("take_place", self.count):
            self.sleep(NAP)
        try:
            yield
        finally:
            self.ask("leave_place")


@dataclass
class AccountsClerk:
    """Answers the ``AskedAccounts`` of one worker from the files.

    Attributes:
        accounts: The files.
    """

    accounts: DiskAccounts
    _ledger: Ledger = field(init=False)
    _place: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._ledger = self.accounts.ledger()

    def answer(self, what: str, *arguments: Any) -> Any:
        """Answer one question.

        Args:
            what: The question.
            arguments: What it needs.

        Raises:
            LookupError: there is no such question.
            Exception: what the files raise.
        """
        answers: dict[str, Callable[..., Any]] = {
            "claim": self._ledger.claim,
            "pay": lambda claim, usage, cost, more: self._ledger.pay(claim, usage, cost, **more),
            "free": self._ledger.free,
            "note_cached": lambda usage, more: self._ledger.note_cached(usage, **more),
            "totals": self._ledger.totals,
            "get_reply": lambda asked, request: self.accounts.replies(asked).get(request),
            "put_reply": lambda asked, request, reply: self.accounts.replies(asked).put(request, reply),
            "take_place": self._take_place,
            "leave_place": self.close,
        }
        if what not in answers:
            raise LookupError(f"nobody answers {what!r}")
        return answers[what](*arguments)

    def close(self) -> None:
        """Give back the place of the worker, which may be gone."""
        place, self._place = self._place, None
        if place is not None:
            os.close(place)

    def _take_place(self, count: int) -> bool:
        if self._place is None:
            self._place = self.accounts.places(count).take_if_free()
        return self._place is not None
