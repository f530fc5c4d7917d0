"""A run played on paper, event by event, to see whether its plan holds: means do not wait in line, episodes do."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from harness.analysis.load_plan import CallLoad, EpisodeLoad, Means

EPISODES = 4_000
"""So many are simulated at most: enough to see the rate of a longer run."""
_MINUTE = 60.0

Step = tuple[str, CallLoad]
"""What an episode does next: ``work`` on a processor, or ``call`` a model."""


@dataclass
class _Line:
    """What wait for a place, first come, first served."""

    free: float
    waiting: deque[Callable[[], None]] = field(default_factory=deque)

    def enter(self, begin: Callable[[], None]) -> None:
        if self.free >= 1:
            self.free -= 1
            begin()
        else:
            self.waiting.append(begin)

    def leave(self) -> None:
        if self.waiting:
            self.waiting.popleft()()
        else:
            self.free += 1


class _Pace:
    """So much may be begun within a minute; what comes later begins when there is room."""

    def __init__(self, most: float | None) -> None:
        self._most = most
        self._begun: deque[tuple[float, float]] = deque()
        self._sum = 0.0
        self._last = 0.0

    def begins(self, now: float, size: float) -> float:
        """When a call of a size begins that wants to begin now; calls begin in the order in which they ask."""
        at = max(now, self._last)
        if self._most is None:
            return now
        while self._begun and (self._begun[0][0] <= at - _MINUTE or self._sum + size > self._most):
            then, gone = self._begun.popleft()
            self._sum -= gone
            at = max(at, then + _MINUTE)
        self._begun.append((at, size))
        self._sum += size
        self._last = at
        return at


class LoadSimulation:
    """The clock, the processors and the provider."""

    def __init__(self, means: Means) -> None:
        """Nothing has begun.

        Args:
            means: What there is.
        """
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._now = 0.0
        self._slots = means.machines * means.in_flight
        self._processors = _Line(means.machines * means.cores)
        self._calls = _Line(float("inf") if means.concurrency is None else means.concurrency)
        self._tokens, self._requests = _Pace(means.tokens_per_minute), _Pace(means.requests_per_minute)

    def rate(self, loads: Sequence[EpisodeLoad], episodes: int, seed: int = 0) -> float:
        """Episodes a second, beginning and end included.

        Args:
            loads: Of which each episode takes one, drawn at random.
            episodes: How many; at most ``EPISODES`` are simulated.
            seed: Of the draws.
        """
        count = min(episodes, EPISODES)
        draws = random.Random(seed)  # noqa: S311 - it guards nothing
        queue = iter([draws.choice(loads) for _ in range(count)])
        for _ in range(self._slots):
            self._next(queue)
        while self._events:
            self._now, _, happens = heapq.heappop(self._events)
            happens()
        return count / self._now

    def _next(self, queue: Iterator[EpisodeLoad]) -> None:
        load = next(queue, None)
        if load:
            self._go_on(_steps(load), queue)

    def _go_on(self, steps: Iterator[Step], queue: Iterator[EpisodeLoad]) -> None:
        step = next(steps, None)
        if step is None:
            self._next(queue)
            return
        kind, load = step
        line = self._processors if kind == "work" else self._calls

        def begin() -> None:
            at = self._now
            if kind == "call":
                at = self._requests.begins(self._tokens.begins(at, load.tokens), 1)
            self._count += 1
            heapq.heappush(self._events, (at + load.seconds, self._count, end))

        def end() -> None:
            line.leave()
            self._go_on(steps, queue)

        line.enter(begin)


def _steps(load: EpisodeLoad) -> Iterator[Step]:
    """What an episode does: its own work in equal parts before, between and after its calls."""
    work = CallLoad(load.busy / (len(load.calls) + 1), 0)
    for call in load.calls:
        yield "work", work
        yield "call", call
    yield "work", work
