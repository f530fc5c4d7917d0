"""What a run spends, in one file that all its worker processes share.

``ledger.jsonl`` in the run directory has a line for each thing that happened to a call:

    claim   it is about to be made, with the most that it can take: tokens and US dollars
    paid    it was answered, with the provider's count and what that costs
    free    it failed, and nothing is owed for it
    cached  an equal one had been answered before

Every look and every line is made while the file is locked (``flock``), so that no two workers can claim the same money.
A worker that is killed leaves its lock to the system, and at most half a line, which the next one cuts off. What it had
claimed stays claimed: its provider may well have answered.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from time import time
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files.codec import plain, typed
from harness.models.client import FailureKind, ModelError
from harness.models.messages import Usage
from harness.models.retry import FailureStreak

LEDGER = "ledger.jsonl"
"""Its name in a run directory."""
WINDOW = 60.0
"""Seconds for which ``tokens_per_minute`` counts."""

GRACE = 60.0
"""Seconds, beyond twice a call's time-out, for which its claim still counts as that of a call under way: a server that
stops in the midst of an answer is given up in less than twice the time-out."""

EXCERPT = 300
"""Characters of a failure that are kept."""


class DamagedLedger(ModelError, UserError):
    """A ledger with a line that is none; the message names it."""


@dataclass(frozen=True)
class SpendingLimits:
    """What a run may spend.

    Attributes:
        max_cost: US dollars; None for no limit.
        max_tokens: Input and output tokens together; None for no limit.
        tokens_per_minute: Input and output tokens of calls that began within a minute; None for no limit.
    """

    max_cost: Decimal | None = None
    max_tokens: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True)
class CallClaim:
    """A call that is about to be made.

    Attributes:
        id: Its name in the ledger.
        tokens: The most that it can take, input and output.
        cost: The most that it can cost, in US dollars; None if its model has no price.
        time: When it was claimed, in seconds since 1970.
        until: When its process will have written how it ended, if it is alive.
        pid: Its process.
    """

    id: str
    tokens: int
    cost: Decimal | None
    time: float
    until: float
    pid: int


@dataclass(frozen=True)
class ClaimMustWait:
    """A claim has to wait.

    Attributes:
        seconds: After which it may be worth another try.
    """

    seconds: float


@dataclass(frozen=True)
class ClaimRefused:
    """A claim that a limit of the run does not allow, whatever becomes of the calls under way.

    Attributes:
        which: ``cost`` or ``tokens``.
    """

    which: str


@dataclass(frozen=True)
class Totals:
    """What a run has spent.

    Attributes:
        calls: Calls that were answered and paid.
        cached: Replies that had been paid for before.
        usage: Tokens of the paid calls.
        cost: US dollars of the paid calls, as exact decimal text; None if one has no price.
        open_calls: Calls whose end nobody saw, since their process died, and those under way.
        open_tokens: Most tokens that these can have taken.
        open_cost: Most US dollars that these can have cost.
        cut: Paid calls of whose prompt the server read only a part.
    """

    calls: int = 0
    cached: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: Decimal | None = Decimal(0)
    open_calls: int = 0
    open_tokens: int = 0
    open_cost: Decimal = Decimal(0)
    cut: int = 0


class Ledger:
    """The ledger of a run. One object serves one process and its threads; many processes share the file."""

    def __init__(self, file: Path, clock: Callable[[], float] = time) -> None:
        """Use a file, which need not exist.

        Args:
            file: ``ledger.jsonl`` of the run directory.
            clock: Seconds since 1970; the same clock for all processes.
        """
        self._file = file
        self._clock = clock
        self._guard = threading.Lock()
        self._read_to = 0
        self._lines = 0
        self._count = 0
        self._calls = 0
        self._cached = 0
        self._cut = 0
        self._unpriced = 0
        self._usage = Usage()
        self._cost = Decimal(0)
        self._failures = FailureStreak()
        self._open: dict[str, CallClaim] = {}
        self._recent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def claim(
        self, usage: Usage, cost: Decimal | None, limits: SpendingLimits, timeout: float
    ) -> CallClaim | ClaimMustWait | ClaimRefused:
        """Claim a call, if the run's limits leave room for the most that it can take.

        Args:
            usage: The most tokens that it can take.
            cost: The most that it can cost; None if its model has no price.
            limits: What the run may spend.
            timeout: Seconds after which the call is given up.

        Returns:
            The claim, to be ended by ``pay`` or ``free``; a wait, if calls under way hold what it needs or too much was
            sent within a minute; or which limit leaves no room.

        Raises:
            DamagedLedger: If a line of the file cannot be read.
        """
        tokens = usage.input_tokens + usage.output_tokens
        with self._locked() as stream:
            now = self._clock()
            answer = self._room(tokens, cost, limits, now)
            if answer is not None:
                return answer
            self._count += 1
            name = f"{os.getpid()}-{self._count}-{now:.6f}"
            claim = CallClaim(name, tokens, cost, now, now + 2 * timeout + GRACE, os.getpid())
            record = {"tokens": tokens, "cost": _written(cost), "until": round(claim.until, 3), "pid": claim.pid}
            self._write(stream, "claim", {"id": name, **record})
            return claim

    def pay(self, claim: CallClaim, usage: Usage, cost: Decimal | None, **more: Any) -> None:
        """Write down that a call was answered.

        Args:
            claim: The call.
            usage: What it took, as the provider counted it.
            cost: What that costs, in US dollars; None if the model has no price.
            more: What else is to be kept, as JSON holds it: model, where, attempts, ms, cut.
        """
        with self._locked() as stream:
            self._write(stream, "paid", {"id": claim.id, "usage": plain(usage), "cost": _written(cost), **more})

    def free(self, claim: CallClaim, why: str, kind: FailureKind = "refused", where: str = "") -> FailureStreak:
        """Write down that a call failed.

        Args:
            claim: The call.
            why: The failure in words.
            kind: How it failed.
            where: What the call was for.

        Returns:
            The failures of this kind since the last answer, in all processes.
        """
        with self._locked() as stream:
            self._write(stream, "free", {"id": claim.id, "why": why[:EXCERPT], "kind": kind, "where": where})
            return self._failures

    def note_cached(self, usage: Usage, **more: Any) -> None:
        """Write down that a reply was there already; ``usage`` is what it took when it was paid for."""
        with self._locked() as stream:
            self._write(stream, "cached", {"usage": plain(usage), "cost": "0", **more})

    def totals(self) -> Totals:
        """What was spent so far by all processes.

        Raises:
            DamagedLedger: If a line of the file cannot be read.
        """
        if not self._file.exists():
            return Totals()
        with self._locked():
            left = self._open.values()
            return Totals(
                self._calls,
                self._cached,
                self._usage,
                None if self._unpriced else self._cost,
                len(left),
                sum(claim.tokens for claim in left),
                sum((claim.cost or Decimal(0) for claim in left), Decimal(0)),
                self._cut,
            )

    def _room(
        self, tokens: int, cost: Decimal | None, limits: SpendingLimits, now: float
    ) -> ClaimMustWait | ClaimRefused | None:
        if limits.max_tokens is None and limits.max_cost is None:
            return self._pace(tokens, limits.tokens_per_minute, now)
        alive = {pid: _is_alive(pid) for pid in {claim.pid for claim in self._open.values()}}
        under_way = [claim for claim in self._open.values() if now <= claim.until and alive[claim.pid]]
        spent = Decimal(self._usage.input_tokens + self._usage.output_tokens)
        needs = (
            ("tokens", limits.max_tokens, spent, Decimal(tokens), lambda claim: Decimal(claim.tokens)),
            ("cost", limits.max_cost, self._cost, cost or Decimal(0), _cost_of),
        )
        wait = False
        for which, most, paid, mine, theirs in needs:
            if most is None:
                continue
            # A call whose process died may have been answered: it counts as if it had, and nothing will change that.
            held = sum((theirs(claim) for claim in self._open.values()), Decimal(0))
            returning = sum((theirs(claim) for claim in under_way), Decimal(0))
            if paid + held - returning + mine > most:
                return ClaimRefused(which)
            wait = wait or paid + held + mine > most
        if wait:
            return ClaimMustWait(1.0)
        return self._pace(tokens, limits.tokens_per_minute, now)

    def _pace(self, tokens: int, most: int | None, now: float) -> ClaimMustWait | None:
        """How long to wait until no more than ``most`` tokens were sent within a minute.

        A call that is larger than the limit goes when no other was made for a minute.
        """
        if most is None:
            return None
        self._forget(now)
        sent = sum(size for _, size in self._recent.values())
        over = min(sent + tokens - most, sent)
        if over <= 0:
            return None
        for at, size in sorted(self._recent.values()):
            over -= size
            if over <= 0:
                return ClaimMustWait(max(at + WINDOW - now, 0.001))
        return None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        """Hold the file alone, knowing all that is in it."""
        with self._guard:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            stream = os.open(self._file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(stream, fcntl.LOCK_EX)
                self._catch_up(stream)
                yield stream
            finally:
                os.close(stream)  # which lets the lock go

    def _catch_up(self, stream: int) -> None:
        """Read what others have added, and cut off a line that was begun and not ended."""
        size = os.fstat(stream).st_size
        data = b""
        while len(data) < size - self._read_to:
            piece = os.pread(stream, size - self._read_to - len(data), self._read_to + len(data))
            if not piece:
                break
            data += piece
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            # Only who holds the lock writes: whoever began this line is dead.
            os.ftruncate(stream, self._read_to + whole)
        for line in data[:whole].splitlines():
            self._lines += 1
            self._enter(line)
        self._read_to += whole

    def _write(self, stream: int, what: str, record: dict[str, Any]) -> None:
        line = json.dumps({"what": what, "time": round(self._clock(), 3), **record}).encode() + b"\n"
        done = 0
        while done < len(line):
            done += os.write(stream, line[done:])
        self._lines += 1
        self._enter(line)
        self._read_to += len(line)

    def _enter(self, line: bytes) -> None:
        try:
            record = json.loads(line)
            self._book(record["what"], record)
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
            raise DamagedLedger(
                f"line {self._lines} of {self._file} cannot be read, so that it is not known what the run has spent: "
                "mend the line or remove it"
            ) from error

    def _book(self, what: str, record: dict[str, Any]) -> None:
        match what:
            case "claim":
                name, tokens, at = record["id"], int(record["tokens"]), float(record["time"])
                cost = _read(record["cost"])
                self._open[name] = CallClaim(name, tokens, cost, at, float(record["until"]), int(record["pid"]))
                self._forget(at)
                self._recent[name] = (at, tokens)
            case "paid":
                usage, cost = typed(record["usage"], Usage), _read(record["cost"])
                self._end(record["id"], usage.input_tokens + usage.output_tokens)
                self._failures = FailureStreak()
                self._calls += 1
                self._usage += usage
                self._cost += cost or Decimal(0)
                self._unpriced += cost is None
                self._cut += bool(record.get("cut"))
            case "free":
                self._end(record["id"], 0)
                # Written since runs pause: an older line tells nothing.
                self._failures = self._failures.then(record.get("kind", ""), record.get("where", ""))
            case "cached":
                self._cached += 1
            case _:
                raise ValueError(what)

    def _end(self, name: str, tokens: int) -> None:
        self._open.pop(name, None)
        if name in self._recent:
            self._recent[name] = (self._recent[name][0], tokens)

    def _forget(self, now: float) -> None:
        """Drop calls that no longer count for the pace; the oldest come first."""
        while self._recent and now - next(iter(self._recent.values()))[0] >= WINDOW:
            self._recent.popitem(last=False)


def _cost_of(claim: CallClaim) -> Decimal:
    return claim.cost or Decimal(0)


def _is_alive(pid: int) -> bool:
    """Whether a process will still write how its calls ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's, so alive
        pass
    return True


def _written(cost: Decimal | None) -> str | None:
    return None if cost is None else format(cost, "f")


def _read(cost: str | None) -> Decimal | None:
    return None if cost is None else Decimal(cost)
