"""The headline of a run and those of its splits with their intervals, as ``turkbench score`` shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from harness.analysis.aggregation import Groups, Rows, groups_of
from harness.analysis.estimation import Bootstraps, asked_estimates, estimates_of, headline_estimates
from harness.analysis.result_numbers import numbers
from harness.analysis.scored_run import ScoredRun
from harness.analysis.seeds import group
from harness.cli.commands.score import main
from harness.kit.statistics import clustered
from harness.reports.headline_table import headlines_table
from harness.reports.run_summary import OVERALL
from tests.analysis.made import Fields, scored

TASKS: Mapping[str, Sequence[Fields]] = {
    f"{letter} {task}": [{"s": (task + n) / 9} for n in range(4)] for task in range(5) for letter in "aB"
}
SPLITS = {name: "test" if name.startswith("a") else "train" for name in TASKS}


def groups(run: ScoredRun) -> Groups[Rows]:
    return groups_of(run.instances, run.fields)


def test_they_are_those_of_a_report(tmp_path: Path) -> None:
    run = scored(tmp_path, TASKS, splits=SPLITS)
    overall, splits = headline_estimates(groups(run))
    report = numbers(group([run])[0], []).groups.each(lambda each: pytest.approx(each.estimates.score.to_json()))
    assert overall.to_json() == report.overall
    assert {split: each.to_json() for split, each in splits.items()} == report.splits


def test_asked_for_together_or_one_by_one_they_are_the_same_and_each_size_is_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    made = clustered.resample_alike
    monkeypatch.setattr(clustered, "resample_alike", lambda samples, *how: drawn.append(samples) or made(samples, *how))
    parts = groups(scored(tmp_path, TASKS, splits=SPLITS))
    several = [parts.overall, parts.instances, parts.splits["test"]]
    bootstraps = Bootstraps({"draws": 500})
    asked = [asked_estimates(rows, bootstraps) for rows in several]
    together = [found().score.to_json() for found in asked]
    assert [len(samples) for samples in drawn] == [2, 1]
    assert together == [pytest.approx(estimates_of(rows, {"draws": 500}).score.to_json()) for rows in several]


def test_what_is_asked_after_that_is_made_too(tmp_path: Path) -> None:
    parts = groups(scored(tmp_path, TASKS, splits=SPLITS))
    bootstraps = Bootstraps({"draws": 500})
    first = asked_estimates(parts.overall, bootstraps)()
    assert asked_estimates(parts.overall, bootstraps)() == first


def test_a_single_split_is_not_repeated(tmp_path: Path) -> None:
    run = scored(tmp_path, TASKS, splits=dict.fromkeys(TASKS, "test"))
    assert headline_estimates(groups(run))[1] == {}


def test_the_command_shows_them_under_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = scored(tmp_path, TASKS, splits=SPLITS)
    main([str(run.folder)])
    told = capsys.readouterr().out
    each, _ = headline_estimates(groups(run))
    assert each.low is not None
    assert each.high is not None
    (line,) = [line for line in told.splitlines() if line.startswith(OVERALL) and " to " in line]
    assert line.split()[-5:] == [f"{100 * each.low:.1f}", "to", f"{100 * each.high:.1f}", "10", "40"]
    assert "95 % interval" in told


def last_line(run: ScoredRun) -> list[str]:
    return headlines_table(groups(run)).splitlines()[-1].removeprefix(OVERALL).split()


def test_one_task_has_a_score_and_no_interval(tmp_path: Path) -> None:
    assert last_line(scored(tmp_path, {"a": [{"s": 0.25}, {"s": 0.5}, {}]})) == ["37.5", "–", "1", "2"]


def test_nothing_has_neither(tmp_path: Path) -> None:
    assert last_line(scored(tmp_path, {})) == ["–", "–", "0", "0"]
