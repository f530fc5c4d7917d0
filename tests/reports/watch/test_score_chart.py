"""Scores of runs over time: which runs are in a chart, which are not, and where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.reports.watch.listed_run import ListedRun, listed_run
from harness.reports.watch.run_watch import WatchedRuns
from harness.reports.watch.runs_folder import RunsFolder
from harness.reports.watch.score_chart import ScoreChart, score_charts
from tests.reports.watch.made_runs import answered, indexed, write_run


@pytest.fixture
def runs(tmp_path: Path) -> list[ListedRun]:
    """Runs whose indices are made, and of which the numbers are in ``run.json`` or nowhere."""
    made = {"a": ("x", 1), "b": ("x", 3), "c": ("x", 2), "alone": ("y", 1), "without": ("", 1)}
    for name, (ident, day) in made.items():
        status = "incomplete" if name == "b" else "complete"
        started = f"2026-01-0{day}T00:00:00+00:00"
        episodes = [answered(0), answered(1, "no" if name == "a" else "yes"), answered(0, task="U")]
        indexed(write_run(tmp_path / name, *episodes, comparability_id=ident, started=started, status=status))
    (tmp_path / "broken" / "episodes").mkdir(parents=True)
    watched = WatchedRuns()
    return [listed_run(place, watched) for place in RunsFolder(tmp_path).places()]


def dots(chart: ScoreChart) -> list[tuple[str, bool]]:
    return [(dot.run.place.name, dot.is_whole) for dot in chart.dots]


def test_runs_with_one_comparability_id_are_one_chart_and_the_others_are_counted(runs: list[ListedRun]) -> None:
    charts = score_charts(runs)
    (chart,) = charts.charts
    assert chart.comparability_id == "x"
    assert dots(chart) == [("b", False), ("c", True), ("a", True)]
    assert charts.left_out == (
        "2 runs without a score or a comparability id",
        "1 run with a comparability id that no other of them has",
    )
    assert "3 runs of 1 solver, with scores from 75.0 to 100.0 per cent" in chart.words


def test_a_chart_goes_from_the_first_run_to_the_last_and_from_0_to_100_per_cent(runs: list[ListedRun]) -> None:
    (chart,) = score_charts(runs).charts
    (series,) = chart.series
    first, second, third = series.dots
    assert second.x - first.x == pytest.approx(third.x - second.x, abs=0.2)
    assert (second.y, third.y) == (chart.scores[-1].at,) * 2
    assert first.y == chart.scores[3].at
    assert series.line.count(",") == 3
    assert [tick.words for tick in chart.times] == [
        "01-01 00:00",
        "01-01 12:00",
        "01-02 00:00",
        "01-02 12:00",
        "01-03 00:00",
    ]


def test_no_run_is_no_chart() -> None:
    assert score_charts([]).charts == ()
