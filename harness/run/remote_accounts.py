"""What all calls of a run share, for workers on other machines: they ask the process of the run."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from harness.models.accounts import SharedLedger, SharedReplies
from harness.models.slots import NAP
from harness.run.rpc import Ask, Remote


@dataclass(frozen=True)
class RemoteAccounts:
    """See ``harness.models.accounts.Accounts``; ``harness.run.run_service`` answers.

    Attributes:
        ask: Asks.
        sleep: Waits so many seconds.
    """

    ask: Ask
    sleep: Callable[[float], None] = time.sleep

    def ledger(self) -> SharedLedger:
        """See ``Accounts``."""
        return cast(SharedLedger, Remote(self.ask, "ledger"))

    def replies(self, asked: str) -> SharedReplies:
        """See ``Accounts``."""
        return cast(SharedReplies, Remote(self.ask, "replies", asked))

    def places(self, count: int) -> RemotePlaces:
        """See ``Accounts``."""
        return RemotePlaces(self.ask, count, self.sleep)


@dataclass(frozen=True)
class RemotePlaces:
    """The places for calls of a run, of which a worker has one at most."""

    ask: Ask
    count: int
    sleep: Callable[[float], None]

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """See ``harness.models.slots.Slots``."""
        while not self.ask("places.take", self.count):
            self.sleep(NAP)
        try:
            yield
        finally:
            self.ask("places.leave")
