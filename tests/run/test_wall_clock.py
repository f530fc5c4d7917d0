"""How long a run is at work, over sittings that ended and sittings that were killed."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records.results import RunTime
from harness.records.run_record import RunRecord
from harness.run.episode_totals import WallClock
from tests import samples


def record(seconds: float | None, **values: Any) -> RunRecord:
    time = RunTime(wall_seconds=seconds, pages=0, pages_per_second=None, model_seconds=None, model_told=0)
    return samples.run_record(**{"time": time, "started": "2026-01-31T12:00:00+00:00", **values})


def test_a_sitting_adds_to_what_earlier_ones_took() -> None:
    clock = WallClock.after(record(30.0, ended="2026-01-31T12:00:40+00:00"), "2026-01-31T12:00:39+00:00")
    assert clock.seconds == 30.0
    with clock:
        assert clock.seconds == 30.0
    assert clock.seconds is not None
    assert clock.seconds >= 30.0


def test_a_sitting_that_was_killed_counts_until_its_last_page() -> None:
    assert WallClock.after(record(0.0), "2026-01-31T12:00:12.500+00:00").seconds == 12.5
    again = record(12.5, resumed=("2026-01-31T13:00:00+00:00",))
    assert WallClock.after(again, "2026-01-31T13:00:05+00:00").seconds == 17.5


@pytest.mark.parametrize("last_page", ["", "2026-01-31T12:00:12+00:00"], ids=["no page", "an earlier page"])
def test_a_sitting_that_was_killed_before_its_first_page_adds_nothing(last_page: str) -> None:
    assert WallClock.after(record(12.5, resumed=("2026-01-31T13:00:00+00:00",)), last_page).seconds == 12.5


@pytest.mark.parametrize(
    ("before", "last_page"),
    [
        (samples.run_record(time=None), "2026-01-31T12:00:12+00:00"),
        (record(None), "2026-01-31T12:00:12+00:00"),
        (record(0.0), "yesterday"),
        (record(0.0), "2026-01-31T12:00:12"),
    ],
    ids=["an older version", "unknown before", "no time", "a time of nowhere"],
)
def test_what_is_not_known_of_one_sitting_is_not_known_of_all(before: RunRecord, last_page: str) -> None:
    clock = WallClock.after(before, last_page)
    with clock:
        pass
    assert clock.seconds is None
