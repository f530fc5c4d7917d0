"""What a run of many episodes takes: machines, hours, tokens and dollars, from the times of others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean

from harness.records.episode import Episode
from harness.records.run_record import RunRecord

_NOT_BUSY = "wait"
"""The phase of an episode in which its machine waits for the model's provider."""


@dataclass(frozen=True)
class CallLoad:
    """A call of a model.

    Attributes:
        seconds: From sending to the reply.
        tokens: Input and output; 0 if nobody counted them.
    """

    seconds: float
    tokens: int


@dataclass(frozen=True)
class EpisodeLoad:
    """What an episode took.

    Attributes:
        busy: Seconds of page and harness; on the machine that it was played on, beside what ran there then.
        calls: Its calls, in order.
        cost: US dollars; None if that is not known.
    """

    busy: float
    calls: tuple[CallLoad, ...]
    cost: float | None

    @property
    def seconds(self) -> float:
        """From beginning to end."""
        return self.busy + sum(call.seconds for call in self.calls)

    @property
    def tokens(self) -> int:
        """Of all its calls."""
        return sum(call.tokens for call in self.calls)


@dataclass(frozen=True)
class Means:
    """What there is to play episodes with.

    Attributes:
        machines: How many.
        cores: Of each.
        in_flight: Episodes at once on each.
        concurrency: Calls at once that the provider takes; None for any number.
        tokens_per_minute: Input and output that it takes; None for any number.
        requests_per_minute: Calls that it takes; None for any number.
    """

    machines: int
    cores: int
    in_flight: int
    concurrency: int | None = None
    tokens_per_minute: int | None = None
    requests_per_minute: int | None = None


@dataclass(frozen=True)
class PlayedRun:
    """How a run on one machine got on, by which plans are calibrated.

    Attributes:
        loads: Of its episodes, in the order in which they began.
        begun: When each began, in seconds since the first did.
        span: Seconds from the first one's beginning to the last one's end.
        around: Seconds that the run took before and after.
        in_flight: Episodes at once.
    """

    loads: tuple[EpisodeLoad, ...]
    begun: tuple[float, ...]
    span: float
    around: float
    in_flight: int

    @property
    def a_start(self) -> float:
        """Seconds between the first episodes of two workers that start one after the other; 0 if one is all."""
        places = min(self.in_flight, len(self.begun))
        return self.begun[places - 1] / (places - 1) if places > 1 else 0.0


@dataclass(frozen=True)
class LoadPlan:
    """What a run takes.

    Attributes:
        episodes: How many.
        means: What they are played with.
        rates: What limits it -> episodes a second that this lets through.
        tokens: Of all its calls.
        cost: US dollars; None if that is not known of every episode.
    """

    episodes: int
    means: Means
    rates: dict[str, float]
    tokens: float
    cost: float | None

    @property
    def limit(self) -> str:
        """What limits it most."""
        return min(self.rates, key=lambda name: self.rates[name])

    @property
    def hours(self) -> float:
        """How long it takes."""
        return self.episodes / self.rates[self.limit] / 3600


def load_of(episode: Episode) -> EpisodeLoad | None:
    """What an episode took; None of one that tells nothing: an error, or one whose replies came out of the cache."""
    if not episode.timing or episode.outcome == "harness_error" or any(turn.cached for turn in episode.turns):
        return None
    calls = tuple(
        CallLoad(turn.ms / 1000, turn.usage.input_tokens + turn.usage.output_tokens if turn.usage else 0)
        for turn in episode.turns
    )
    costs = [turn.cost for turn in episode.turns]
    cost = None if None in costs else math.fsum(each for each in costs if each is not None)
    busy = sum(ms for phase, ms in episode.timing.items() if phase != _NOT_BUSY) / 1000
    return EpisodeLoad(busy, calls, cost)


def plan_load(loads: Sequence[EpisodeLoad], episodes: int, means: Means) -> LoadPlan:
    """Plan a run whose episodes take what others took.

    Args:
        loads: Of those others; at least one.
        episodes: How many there will be.
        means: What there is.
    """
    calls = fmean(len(load.calls) for load in loads)
    tokens = fmean(load.tokens for load in loads)
    seconds = fmean(load.seconds for load in loads)
    busy = fmean(load.busy for load in loads)
    found = (
        ("processors", means.machines * means.cores, busy),
        ("episodes in flight", means.machines * means.in_flight, seconds),
        ("calls at once", means.concurrency, seconds - busy),
        ("tokens per minute", _a_second(means.tokens_per_minute), tokens),
        ("requests per minute", _a_second(means.requests_per_minute), calls),
    )
    rates = {name: there / each for name, there, each in found if there is not None and each > 0}
    costs = [load.cost for load in loads]
    cost = None if None in costs else fmean(each for each in costs if each is not None) * episodes
    return LoadPlan(episodes, means, rates, tokens * episodes, cost)


def machines_for(loads: Sequence[EpisodeLoad], episodes: int, means: Means, hours: float) -> LoadPlan:
    """The plan with the fewest machines that ends within some hours, or as soon as the provider lets it.

    Args:
        loads: As of ``plan_load``.
        episodes: How many there will be.
        means: What there is; of machines as many as are needed are taken.
        hours: The most that it is to take.
    """
    one = plan_load(loads, episodes, replace(means, machines=1))
    ours = min(one.rates[name] for name in ("processors", "episodes in flight"))
    of_provider = [rate for name, rate in one.rates.items() if name not in ("processors", "episodes in flight")]
    wanted = min([episodes / (hours * 3600), *of_provider])
    return plan_load(loads, episodes, replace(means, machines=max(1, math.ceil(wanted / ours - 1e-9))))


def loads_of(episodes: Iterable[Episode]) -> list[EpisodeLoad]:
    """What episodes took, of those that tell."""
    return [load for load in map(load_of, episodes) if load]


def played_run(record: RunRecord, episodes: Sequence[Episode]) -> PlayedRun | None:
    """How a run got on; None if its records do not tell: it had several sittings or machines, or lost episodes.

    Args:
        record: Its ``run.json``.
        episodes: All of its episodes.
    """
    loads = [load_of(episode) for episode in episodes]
    wall = record.time.wall_seconds if record.time else None
    if not loads or None in loads or not wall or record.resumed or record.config.engine != "local":
        return None
    ends = [datetime.fromisoformat(episode.ended).timestamp() for episode in episodes]
    begins = [end - math.fsum(each.timing.values()) / 1000 for end, each in zip(ends, episodes, strict=True)]
    ordered = sorted(zip(begins, loads, strict=True), key=lambda each: each[0])
    first, span = ordered[0][0], max(ends) - ordered[0][0]
    return PlayedRun(
        loads=tuple(load for _, load in ordered if load),
        begun=tuple(begin - first for begin, _ in ordered),
        span=span,
        around=max(0.0, wall - span),
        in_flight=record.config.workers,
    )


def _a_second(a_minute: int | None) -> float | None:
    return None if a_minute is None else a_minute / 60
