"""What all calls of a run share: the ledger, the replies and the places for calls; on disk for those of one machine."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from harness.models.cache import ReplyCache
from harness.models.client import FailureKind
from harness.models.ledger import LEDGER, CallClaim, ClaimMustWait, ClaimRefused, Ledger, SpendingLimits, Totals
from harness.models.messages import Reply, Request, Usage
from harness.models.outage import FailureStreak
from harness.models.slots import Slots

REPLIES = "replies"
PLACES = "calls"
"""What stands in the run directory beside the ledger: the replies, unless they are kept elsewhere; places for calls."""


class SharedLedger(Protocol):
    """See ``harness.models.ledger.Ledger``."""

    def claim(
        self, usage: Usage, cost: Decimal | None, limits: SpendingLimits, timeout: float
    ) -> CallClaim | ClaimMustWait | ClaimRefused:
        """Claim a call."""

    def pay(self, claim: CallClaim, usage: Usage, cost: Decimal | None, **more: Any) -> None:
        """Write down that a call was answered."""

    def free(self, claim: CallClaim, why: str, kind: FailureKind = "refused", where: str = "") -> FailureStreak:
        """Write down that a call failed."""

    def note_cached(self, usage: Usage, **more: Any) -> None:
        """Write down that a reply was there already."""

    def totals(self) -> Totals:
        """What was spent so far by all."""


class SharedReplies(Protocol):
    """See ``harness.models.cache.ReplyCache``."""

    def get(self, request: Request) -> Reply | None:
        """The reply to an equal request; None if there is none."""

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply."""


class SharedPlaces(Protocol):
    """See ``harness.models.slots.Slots``."""

    def hold(self) -> AbstractContextManager[None]:
        """A context that holds a place, after waiting for one."""


class Accounts(Protocol):
    """What all calls of a run share."""

    def ledger(self) -> SharedLedger:
        """What the run spends."""

    def replies(self, asked: str) -> SharedReplies:
        """Replies that are there already; ``asked`` says who answers, as of ``ReplyCache``."""

    def places(self, count: int) -> SharedPlaces:
        """So many calls at once at most."""


@dataclass(frozen=True)
class DiskAccounts:
    """Those of the processes of one machine.

    Attributes:
        folder: The run directory.
        cache: Where replies are kept; None for the run directory.
    """

    folder: Path
    cache: Path | None = None

    def ledger(self) -> Ledger:
        """See ``Accounts``."""
        return Ledger(self.folder / LEDGER)

    def replies(self, asked: str) -> ReplyCache:
        """See ``Accounts``."""
        return ReplyCache(self.cache or self.folder / REPLIES, asked)

    def places(self, count: int) -> Slots:
        """See ``Accounts``."""
        return Slots(self.folder / PLACES, count)
