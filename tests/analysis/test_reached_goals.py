"""Runs on websites compared: by site, by level, and by the goals that each reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.analysis.comparison import Comparison, compare
from harness.analysis.scored_run import read_scored
from harness.analysis.seeds import group
from harness.kit.text import aligned
from harness.reports.comparison_text import comparison_text
from tests.analysis.made import write
from tests.analysis.site_episodes import on_site
from tests.samples import episode, record

LEVELS = ("easy", "hard")


def compared(folder: Path, first: Mapping[str, float | None], second: Mapping[str, float | None]) -> Comparison:
    """Two runs whose tasks have these scores; every second task is hard."""
    runs = []
    for name, scores in {"a": first, "b": second}.items():
        played = [
            on_site({"answer": score}, task=task, level=LEVELS[place % 2], id=f"{place:012x}")
            for place, (task, score) in enumerate(scores.items())
        ]
        runs.append(read_scored(write(folder / name, played, {"solver": name})))
    (found,) = compare(group(runs), draws=50)
    return found


def test_goals_are_counted_by_who_reached_them(tmp_path):
    first = dict(zip("ABCDEFGH", (1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5), strict=True))
    second = dict(zip("ABCDEFGH", (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5), strict=True))
    goals = compared(tmp_path, first, second).goals
    assert goals
    assert (goals.both, goals.only_first, goals.only_second, goals.neither, goals.unknown) == (2, 2, 1, 3, 0)
    assert goals.p_by_task == 1.0


def test_levels_and_sites_are_means_over_their_tasks(tmp_path):
    found = compared(tmp_path, {"A": 1.0, "B": 1.0, "C": 0.0}, {"A": 0.0, "B": 1.0, "C": 0.5})
    assert {name: (each.first, each.second) for name, each in found.levels.items()} == {
        "easy": (0.5, 0.25),
        "hard": (1.0, 1.0),
    }
    assert list(found.sites) == ["not said"]


def test_text_tells_of_goals_in_place_of_fields(tmp_path):
    words = comparison_text(compared(tmp_path, {"A": 1.0}, {"A": 0.0}), aligned, 5)
    assert "Goals reached on websites: both 0, only a 1, only b 0, neither 0." in words
    assert "level easy" in words
    assert "Fields that are right" not in words


def test_forms_have_no_goals_and_no_levels(tmp_path):
    runs = []
    for name in "ab":
        played = [episode(record("x", sent=("yes",)))]
        runs.append(read_scored(write(tmp_path / name, played, {"solver": name})))
    (found,) = compare(group(runs), draws=50)
    assert (found.goals, found.sites, found.levels) == (None, {}, {})
    assert "Fields that are right" in comparison_text(found, aligned, 5)
