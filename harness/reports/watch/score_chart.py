"""Scores of runs over time, as a page draws them: one chart for runs that can be compared, places in pixels."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.kit.text import counted
from harness.reports import wording
from harness.reports.watch.listed_run import ListedRun

WIDTH, HEIGHT = 760.0, 260.0
"""Of a chart, in pixels."""
MOST_CHARTS, MOST_SERIES = 4, 4
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 16.0, 12.0, 30.0
_TICKS = 5
_MINUTE, _DAY = 60.0, 24 * 3600.0


@dataclass(frozen=True)
class ChartDot:
    """A run in a chart.

    Attributes:
        run: The run.
        x: Where it stands: when it began.
        y: Its score.
        low: The lower end of its interval; None without one.
        high: The upper end.
    """

    run: ListedRun
    x: float
    y: float
    low: float | None
    high: float | None

    @property
    def is_whole(self) -> bool:
        """Whether the run came to its end with a score for each instance."""
        return self.run.state == "complete"


@dataclass(frozen=True)
class ChartSeries:
    """The runs of one solver, from the first to the last.

    Attributes:
        name: The solver; of the last series of many, ``others``.
        number: Which colour and shape it has, from 1; 0 of the others, which no line joins.
        dots: Its runs.
    """

    name: str
    number: int
    dots: tuple[ChartDot, ...]

    @property
    def line(self) -> str:
        """The line through its runs, as ``points`` of SVG; empty of fewer than two, and of others."""
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots) if self.number and len(self.dots) > 1 else ""


@dataclass(frozen=True)
class Tick:
    """A place on an axis, and what stands there."""

    at: float
    words: str


@dataclass(frozen=True)
class ScoreChart:
    """The chart of the runs with one comparability id.

    Attributes:
        comparability_id: The id.
        series: A series for each solver, those with most runs first.
        scores: Ticks of scores.
        times: Ticks of times.
    """

    comparability_id: str
    series: tuple[ChartSeries, ...]
    scores: tuple[Tick, ...]
    times: tuple[Tick, ...]

    @property
    def dots(self) -> tuple[ChartDot, ...]:
        """All runs in it, the newest first."""
        return tuple(sorted((dot for each in self.series for dot in each.dots), key=lambda dot: -dot.x))

    @property
    def has_intervals(self) -> bool:
        """Whether any of them has an interval."""
        return any(dot.low is not None for dot in self.dots)

    @property
    def has_unfinished(self) -> bool:
        """Whether any of them is not complete."""
        return not all(dot.is_whole for dot in self.dots)

    @property
    def words(self) -> str:
        """What it shows, in a sentence."""
        scores = [dot.run.score or 0.0 for dot in self.dots]
        lowest, highest = wording.percent(min(scores)), wording.percent(max(scores))
        return (
            f"{counted(len(scores), 'run')} of {counted(len({dot.run.agent for dot in self.dots}), 'solver')}, "
            f"with scores from {lowest} to {highest} per cent. The numbers are in the table below."
        )


@dataclass(frozen=True)
class ScoreCharts:
    """The charts of some runs.

    Attributes:
        charts: Those of the comparability ids that most runs have.
        left_out: Which runs are in none of them, and why, in words.
    """

    charts: tuple[ScoreChart, ...]
    left_out: tuple[str, ...]


def score_charts(runs: Sequence[ListedRun]) -> ScoreCharts:
    """The scores of runs over time, those apart that cannot be compared.

    Args:
        runs: The runs. Left out, and counted, are those without a score, a time or a comparability id, and those whose
            id no other has.
    """
    groups: dict[str, list[tuple[float, ListedRun]]] = {}
    unknown = 0
    for run in runs:
        began = _seconds(run.record.started) if run.record else None
        ident = run.record.comparability_id if run.record else ""
        if began is None or run.score is None or not ident:
            unknown += 1
        else:
            groups.setdefault(ident, []).append((began, run))
    several = sorted((ident for ident in groups if len(groups[ident]) > 1), key=lambda ident: -len(groups[ident]))
    alone = len(groups) - len(several)
    more = sum(len(groups[ident]) for ident in several[MOST_CHARTS:])
    reasons = {
        "without a score or a comparability id": unknown,
        "with a comparability id that no other of them has": alone,
        f"with a comparability id that fewer runs have than those of the {MOST_CHARTS} charts": more,
    }
    left_out = tuple(f"{counted(number, 'run')} {why}" for why, number in reasons.items() if number)
    return ScoreCharts(tuple(_chart(ident, groups[ident]) for ident in several[:MOST_CHARTS]), left_out)


def _chart(ident: str, runs: list[tuple[float, ListedRun]]) -> ScoreChart:
    runs = sorted(runs, key=lambda each: (each[0], each[1].place.parts))
    first, last = runs[0][0], runs[-1][0]
    by_solver: dict[str, list[ChartDot]] = {}
    for began, run in runs:
        by_solver.setdefault(run.agent, []).append(_dot(run, _across(began, first, last)))
    names = [name for name, _ in Counter({name: len(dots) for name, dots in by_solver.items()}).most_common()]
    drawn = names if len(names) <= MOST_SERIES else names[: MOST_SERIES - 1]
    series = [ChartSeries(name, number, tuple(by_solver[name])) for number, name in enumerate(drawn, 1)]
    if others := tuple(dot for name in names[len(drawn) :] for dot in by_solver[name]):
        series.append(ChartSeries("others", 0, others))
    scores = tuple(Tick(_down(percent / 100), str(percent)) for percent in range(0, 101, 25))
    return ScoreChart(ident, tuple(series), scores, _times(first, last))


def _dot(run: ListedRun, x: float) -> ChartDot:
    score = run.index.numbers.overall.score if run.index and run.index.numbers else None
    low, high = (score.low, score.high) if score else (None, None)
    limits = (None, None) if low is None or high is None else (_down(low), _down(high))
    return ChartDot(run, x, _down(run.score or 0.0), *limits)


def _times(first: float, last: float) -> tuple[Tick, ...]:
    """Up to five times with the same time between: as days; to the minute or second where those would be alike."""
    places = [first] if last == first else [first + (last - first) * each / (_TICKS - 1) for each in range(_TICKS)]
    seconds = last - first
    form = "%Y-%m-%d" if seconds > _TICKS * _DAY else "%m-%d %H:%M" if seconds > _TICKS * _MINUTE else "%H:%M:%S"
    told = (datetime.datetime.fromtimestamp(place, datetime.UTC).strftime(form) for place in places)
    return tuple(Tick(_across(place, first, last), words) for place, words in zip(places, told, strict=True))


def _across(time: float, first: float, last: float) -> float:
    inset = 36.0  # so that the words below the first and the last time are not cut off
    share = 0.5 if last == first else (time - first) / (last - first)
    return round(_LEFT + inset + share * (WIDTH - _LEFT - _RIGHT - 2 * inset), 1)


def _down(score: float) -> float:
    return round(_TOP + (1 - score) * (HEIGHT - _TOP - _BOTTOM), 1)


def _seconds(moment: str) -> float | None:
    try:
        time = datetime.datetime.fromisoformat(moment)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)).timestamp()
