"""A run played on paper, event by event, to see whether its plan holds: means do not wait in line, episodes do."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from harness.analysis.load_plan import CallLoad, EpisodeLoad, Means, PlayedRun

EPISODES = 4_000
"""So many are simulated at most, or a few for each place: enough to see the rate of a longer run."""
_EACH = 3
"""Episodes for each place, at least: one begins with a start, one ends with an end, and of one all is steady."""
_MINUTE = 60.0
_STRETCH = (0.01, 100.0)
"""Between these is sought what the busy seconds of a run's episodes are to be multiplied with."""
_HALVINGS = 30

Step = tuple[str, CallLoad]
"""What an episode does next, and on what: ``work`` on a processor, ``call`` of a model, or a line of one's own."""


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


@dataclass(frozen=True)
class Calibration:
    """What runs take beside the work of their episodes.

    Attributes:
        around: Seconds before the first episode and after the last one.
        a_start: Seconds between the first episodes of two workers of a machine.
    """

    around: float = 0.0
    a_start: float = 0.0

    @classmethod
    def of(cls, runs: Sequence[PlayedRun]) -> Calibration:
        """The means of some runs; nothing of none."""
        return cls(fmean(run.around for run in runs), fmean(run.a_start for run in runs)) if runs else cls()


class LoadSimulation:
    """The clock, the processors and the provider.

    Attributes:
        now: The seconds that have passed.
    """

    def __init__(
        self, means: Means, calibration: Calibration | None = None, lines: Mapping[str, float] | None = None
    ) -> None:
        """Nothing has begun.

        Args:
            means: What there is.
            calibration: What the run takes beside; None for nothing.
            lines: Further things that episodes wait for -> how many of them it serves at once.
        """
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._means = means
        self._calibration = calibration or Calibration()
        self._lines = {
            "work": _Line(means.machines * means.cores),
            "call": _Line(float("inf") if means.concurrency is None else means.concurrency),
            **{name: _Line(places) for name, places in (lines or {}).items()},
        }
        self._tokens, self._requests = _Pace(means.tokens_per_minute), _Pace(means.requests_per_minute)

    def seconds(self, loads: Sequence[EpisodeLoad], episodes: int, seed: int = 0) -> float:
        """How long a run takes, beginning and end included.

        Args:
            loads: Of which each episode takes one, drawn at random.
            episodes: How many; of many, the rest is taken to go on as those that are simulated.
            seed: Of the draws.
        """
        count = min(episodes, max(EPISODES, _EACH * self._means.machines * self._means.in_flight))
        draws = random.Random(seed)  # noqa: S311 - it guards nothing
        span = self.play(_steps(draws.choice(loads)) for _ in range(count))
        steady = span - (self._means.in_flight - 1) * self._calibration.a_start
        return self._calibration.around + span + (episodes - count) * steady / count

    def play(self, episodes: Iterable[Iterator[Step]]) -> float:
        """Play episodes in their order; gives the seconds from the first one's beginning to the last one's end."""
        queue, means = iter(episodes), self._means
        for place in range(means.in_flight):
            for _ in range(means.machines):
                self._at(place * self._calibration.a_start, lambda: self._next(queue))
        while self._events:
            self.now, _, happens = heapq.heappop(self._events)
            happens()
        return self.now

    def _at(self, moment: float, happens: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, happens))

    def _next(self, queue: Iterator[Iterator[Step]]) -> None:
        if steps := next(queue, None):
            self._go_on(steps, queue)

    def _go_on(self, steps: Iterator[Step], queue: Iterator[Iterator[Step]]) -> None:
        step = next(steps, None)
        if step is None:
            self._next(queue)
            return
        kind, load = step
        line = self._lines[kind]

        def begin() -> None:
            at = self.now
            if kind == "call":
                at = self._requests.begins(self._tokens.begins(at, load.tokens), 1)
            self._at(at + load.seconds, end)

        def end() -> None:
            line.leave()
            self._go_on(steps, queue)

        line.enter(begin)


def calibrated(run: PlayedRun, cores: int) -> tuple[EpisodeLoad, ...]:
    """What a run's episodes take of a processor that they have for themselves.

    What they tell is by the clock, and includes the waits of each for what ran beside it. All busy seconds are
    multiplied with the one number with which a simulation of the run takes as long as the run did.

    Args:
        run: The run.
        cores: Of the machine on which it was played.
    """
    means = Means(1, cores, run.in_flight)
    least, most = _STRETCH

    def stretched(by: float) -> tuple[EpisodeLoad, ...]:
        return tuple(replace(load, busy=load.busy * by) for load in run.loads)

    for _ in range(_HALVINGS):
        middle = (least * most) ** 0.5
        simulated = LoadSimulation(means, Calibration(a_start=run.a_start))
        if simulated.play(map(_steps, stretched(middle))) < run.span:
            least = middle
        else:
            most = middle
    return stretched((least * most) ** 0.5)


def _steps(load: EpisodeLoad) -> Iterator[Step]:
    """What an episode does: its own work in equal parts before, between and after its calls."""
    work = CallLoad(load.busy / (len(load.calls) + 1), 0)
    for call in load.calls:
        yield "work", work
        yield "call", call
    yield "work", work
