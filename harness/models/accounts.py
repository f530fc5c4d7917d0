"""What all calls of a run share: the ledger, the replies and the places for calls; on disk for those of one machine."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import sleep as real_sleep
from typing import Any, Literal, Protocol

from harness.kit.files import codec
from harness.kit.files.writing import write_json
from harness.models.client import FailureKind
from harness.models.ledger import LEDGER, CallClaim, ClaimMustWait, ClaimRefused, Ledger, SpendingLimits, Totals
from harness.models.messages import Reply, Request, Usage
from harness.models.retry import FailureStreak

SCHEMA: Literal[1] = 1


@dataclass(frozen=True)
class _Kept:
    """The content of a file."""

    schema: Literal[1]
    asked: str
    model: str
    reply: Reply


class ReplyCache:
    """A folder with a JSON file a reply.

    Its name is a hash over everything that the model was told, pictures and sampling parameters included, and over who
    was asked: two servers may serve different models under one name. Files are written whole or not at all, so that
    many processes, and many runs, can share a folder.
    """

    def __init__(self, folder: Path, asked: str) -> None:
        """Use a folder, which need not exist.

        Args:
            folder: For the files.
            asked: Who answers: the provider, and its address if that is not the provider's own.
        """
        self._folder = folder
        self._asked = asked

    def get(self, request: Request) -> Reply | None:
        """The reply to an equal request; None if there is none, or its file cannot be read."""
        file = self._file(request)
        try:
            return codec.read(file, _Kept).reply
        except (OSError, codec.Malformed):
            # It is not there. Or a disk was full, or a hand slipped, or somebody put a link or a pipe there: asking
            # again costs less than a run that stops.
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the folder is made as needed."""
        write_json(self._file(request), codec.plain(_Kept(SCHEMA, self._asked, request.model, reply)))

    def _file(self, request: Request) -> Path:
        name = hashlib.sha256(f"{self._asked}\n{request.key()}".encode()).hexdigest()
        # In 256 folders: a run of the whole benchmark has hundreds of thousands of replies.
        return self._folder / name[:2] / f"{name}.json"


NAP = 0.1
"""Seconds between two looks for a free place."""


class Slots:
    """So many places, each a locked file; a process that dies leaves its place to the others."""

    def __init__(self, folder: Path, places: int, sleep: Callable[[float], None] = real_sleep) -> None:
        """Use a folder, which need not exist.

        Args:
            folder: For the files; the same for all processes.
            places: How many calls are made at once at most.
            sleep: Waits so many seconds.

        Raises:
            ValueError: If there is no place at all.
        """
        if places < 1:
            raise ValueError(f"at least one call must be possible at a time, not {places}")
        self._folder = folder
        self._places = places
        self._sleep = sleep

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """A context that holds a place, after waiting for one."""
        place = self._take()
        try:
            yield
        finally:
            os.close(place)  # which lets the lock go

    def take_if_free(self) -> int | None:
        """A place, as a descriptor that lets it go when it is closed; None if none is free."""
        self._folder.mkdir(parents=True, exist_ok=True)
        # Not all from the first on, or many that wait would all look at the same locked files.
        first = random.randrange(self._places)  # noqa: S311 - it spreads looks and guards nothing
        for number in range(self._places):
            place = self._try(self._folder / f"{(first + number) % self._places}.lock")
            if place is not None:
                return place
        return None

    def _take(self) -> int:
        while (place := self.take_if_free()) is None:
            self._sleep(NAP)
        return place

    def _try(self, file: Path) -> int | None:
        place = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(place)
            return None
        except BaseException:
            os.close(place)
            raise
        return place


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
    """See ``harness.models.accounts.ReplyCache``."""

    def get(self, request: Request) -> Reply | None:
        """The reply to an equal request; None if there is none."""

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply."""


class SharedPlaces(Protocol):
    """See ``harness.models.accounts.Slots``."""

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
