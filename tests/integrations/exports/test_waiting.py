"""Waiting for a model's provider does not use up a solver's time, and ends all the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from harness.actions.result import Step
from harness.episode import trajectory as recording
from harness.episode.clock import Overdue, run_within
from harness.episode.trajectory import LONGEST_WAIT_SECONDS, LimitReached, Trajectory
from harness.records.config import Limits


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Iterator[Clock]:
    made = Clock()
    monkeypatch.setattr(recording, "time", made)
    return made


@pytest.fixture
def act():
    return Trajectory(Limits(1, 10.0))


def test_time_in_which_a_solver_waits_does_not_count(act, clock):
    clock.now += 9
    with act.waiting():
        clock.now += 600
    act.check_limits()
    assert (act.waited(), act.wait_ms) == (600.0, 600_000.0)
    clock.now += 2
    with pytest.raises(LimitReached, match="limit of time"):
        act.check_limits()
    assert act.limit == "time"


def test_a_wait_that_fails_does_not_count_either(act, clock):
    def fails() -> None:
        with act.waiting():
            clock.now += 600
            raise ConnectionError

    with pytest.raises(ConnectionError):
        fails()
    act.check_limits()


def test_a_wait_inside_a_wait_counts_once(act, clock):
    with act.waiting():
        clock.now += 3
        with act.waiting():
            clock.now += 4
        clock.now += 5
    assert act.waited() == 12.0


def test_a_wait_that_is_under_way_is_known_from_outside(act, clock):
    with act.waiting():
        clock.now += 7
        assert act.waited() == 7.0


def test_of_a_wait_without_end_only_so_much_is_excused(act, clock):
    with act.waiting():
        clock.now += 10 * LONGEST_WAIT_SECONDS
        assert act.waited() == LONGEST_WAIT_SECONDS
    with pytest.raises(LimitReached, match="limit of time"):
        act.check_limits()


@pytest.mark.parametrize("limit", ["steps", "time"])
def test_nobody_waits_for_an_answer_that_cannot_be_used(act, clock, limit):
    if limit == "steps":
        act.steps.append(Step("maximize()", True, "", 0.0))
    else:
        clock.now += 11
    asked = []
    with pytest.raises(LimitReached, match=f"limit of {limit}"), act.waiting():
        asked.append("a model")
    assert (asked, act.limit) == ([], limit)


def test_a_limit_that_was_reached_stays_reached(act):
    with pytest.raises(LimitReached, match="limit of tokens"):
        act.stop_at("tokens")
    with pytest.raises(LimitReached, match="limit of tokens"):
        act.check_limits()


def test_the_deadline_of_a_function_is_put_off_while_it_is_excused():
    excused = iter([0.1, 0.3, 0.3])
    told: list[float] = []
    go_on = threading.Event()

    def longer(seconds: float) -> None:
        told.append(seconds)
        if len(told) == 2:
            go_on.set()

    run_within(0.01, go_on.wait, excused=lambda: next(excused), on_longer=longer)  # type: ignore[arg-type]
    assert told == pytest.approx([0.1, 0.2])


def test_a_function_that_is_excused_no_longer_is_overdue():
    told: list[float] = []

    def loop() -> None:
        while True:
            pass

    with pytest.raises(Overdue):
        run_within(0.01, loop, excused=lambda: 0.06, on_longer=told.append)
    assert told == [0.06]
