"""What a worker on another machine has of its run: it asks the process of the run for everything."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from harness.models.accounts import NAP, SharedLedger, SharedReplies
from harness.records.film import Film
from harness.records.lost_attempts import LostAttempts
from harness.run.label_process import RemoteLabelStore
from harness.run.player import WorkerFiles
from harness.run.rpc import Ask, Remote, RpcClient, RpcSocket


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
        """See ``harness.models.accounts.Slots``."""
        while not self.ask("places.take", self.count):
            self.sleep(NAP)
        try:
            yield
        finally:
            self.ask("places.leave")


@dataclass(frozen=True)
class RemoteFiles:
    """The files of a run on another machine."""

    client: RpcClient

    def keep(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """See ``EpisodeFiles``."""
        if images or texts:
            self.client.ask("files.keep", images, texts)

    def write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        """See ``EpisodeFiles``."""
        self.client.ask("files.write_film", task, index, film, pictures)


@dataclass(frozen=True)
class RemoteAttempts:
    """The lost attempts of a run on another machine."""

    run: RpcSocket

    def write(self, task: str, index: int, lost: LostAttempts) -> None:
        """See ``LostAttemptFiles``."""
        RpcClient(self.run.connect).ask("lost.write", task, index, lost)


def remote_place(run: RpcSocket) -> WorkerFiles:
    """The place of a worker on another machine, which asks for everything.

    Its solver has a client of its own: it may be broken off in the midst of a question.
    """
    client = RpcClient(run.connect)
    files, accounts = RemoteFiles(client), RemoteAccounts(RpcClient(run.connect).ask)
    return WorkerFiles(RemoteLabelStore(client), files, RemoteAttempts(run), accounts)
