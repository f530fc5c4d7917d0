"""Plans of large runs: what limits them, and that a simulation agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.analysis.load_plan import (
    CallLoad,
    EpisodeLoad,
    Means,
    PlayedRun,
    load_of,
    machines_for,
    plan_load,
    played_run,
)
from harness.analysis.load_simulation import Calibration, LoadSimulation, Step, calibrated
from harness.models.messages import Usage
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.records.results import RunTime
from harness.records.turn import Turn
from tests.samples import run_record

LOADS = [
    EpisodeLoad(1.0, (CallLoad(4.0, 900), CallLoad(3.0, 600)), 0.02),
    EpisodeLoad(2.0, (CallLoad(2.0, 500),), 0.01),
]
"""On the mean 1.5 s busy, 6 s from beginning to end, 1.5 calls, 1,000 tokens, 1.5 cents."""
MEANS = Means(machines=2, cores=4, in_flight=100)


def test_a_plan_names_what_limits_it_and_what_it_takes() -> None:
    plan = plan_load(LOADS, 8_000, MEANS)
    assert plan.rates == {"processors": pytest.approx(8 / 1.5), "episodes in flight": pytest.approx(200 / 6.0)}
    assert (plan.limit, plan.hours) == ("processors", pytest.approx(1_500 / 3_600))
    assert (plan.tokens, plan.cost) == (8_000_000, pytest.approx(120.0))
    limited = plan_load(LOADS, 8_000, replace(MEANS, tokens_per_minute=60_000, requests_per_minute=900, concurrency=9))
    assert limited.rates["tokens per minute"] == pytest.approx(1.0)
    assert limited.rates["requests per minute"] == pytest.approx(10.0)
    assert limited.rates["calls at once"] == pytest.approx(2.0)
    assert limited.limit == "tokens per minute"


def test_what_is_not_known_of_one_episode_is_not_known_of_all() -> None:
    assert plan_load([*LOADS, EpisodeLoad(1.0, (), None)], 10, MEANS).cost is None


def test_as_many_machines_are_taken_as_end_in_time_and_none_that_the_provider_keeps_waiting() -> None:
    plan = machines_for(LOADS, 8_000, MEANS, hours=0.25)
    assert plan.means.machines == 4
    assert plan.hours <= 0.25
    waits = machines_for(LOADS, 8_000, replace(MEANS, tokens_per_minute=60_000), hours=0.25)
    assert (waits.means.machines, waits.limit) == (1, "tokens per minute")


@pytest.mark.parametrize(
    "means",
    [
        MEANS,
        Means(machines=1, cores=64, in_flight=20),
        Means(machines=4, cores=16, in_flight=50, concurrency=30),
        Means(machines=4, cores=16, in_flight=50, tokens_per_minute=600_000),
        Means(machines=4, cores=16, in_flight=50, requests_per_minute=600),
    ],
)
def test_a_simulation_of_single_episodes_comes_to_what_was_planned(means: Means) -> None:
    planned = plan_load(LOADS, 4_000, means)
    simulated = LoadSimulation(means).seconds(LOADS, 4_000)
    assert 4_000 / simulated == pytest.approx(planned.rates[planned.limit], rel=0.2)
    assert LoadSimulation(means).seconds(LOADS, 40_000) == pytest.approx(10 * simulated, rel=0.1)


def test_an_episode_that_tells_no_times_is_left_out() -> None:
    turn = Turn(usage=Usage(input_tokens=90, output_tokens=10), cost=0.5, ms=2_000.0)
    timed = Episode(
        "T", 0, "id", "test", "scored", timing={"open": 500.0, "act": 250.0, "wait": 2_000.0}, turns=(turn,)
    )
    assert load_of(timed) == EpisodeLoad(0.75, (CallLoad(2.0, 100),), 0.5)
    assert load_of(replace(timed, turns=(replace(turn, cached=True),))) is None
    assert load_of(replace(timed, timing={})) is None
    assert load_of(replace(timed, outcome="harness_error")) is None


def test_a_run_whose_episodes_waited_for_each_other_is_known_by_what_they_take_alone() -> None:
    means = Means(machines=1, cores=2, in_flight=8)
    alone = EpisodeLoad(2.0, (CallLoad(1.0, 10),), None)
    span = LoadSimulation(means, Calibration(a_start=0.5)).seconds([alone], 40)
    assert span > 40, "the processors are what limits it"
    waited = replace(alone, busy=7.0)
    run = PlayedRun((waited,) * 40, tuple(0.5 * min(place, 7) for place in range(40)), span, 3.0, 8)
    assert run.a_start == pytest.approx(0.5)
    loads = calibrated(run, cores=2)
    assert loads[0].busy == pytest.approx(2.0, rel=0.01)
    again = LoadSimulation(means, Calibration.of([run])).seconds(loads, 40)
    assert again == pytest.approx(span + 3.0, rel=0.01)


def test_a_run_tells_when_its_episodes_began_and_what_it_took_around_them() -> None:
    def ended(second: int, index: int) -> Episode:
        moment = f"2026-01-01T00:00:{second:02}.000+00:00"
        return Episode(
            "T", index, str(index), "test", "scored", timing={"open": 2_000.0, "wait": 3_000.0}, ended=moment
        )

    time = RunTime(wall_seconds=20.0, pages=3, pages_per_second=0.2, model_seconds=9.0, model_told=3)
    record = run_record(config=RunConfig("test", Path("tasks"), workers=2), time=time)
    run = played_run(record, [ended(20, 0), ended(10, 1), ended(11, 2)])
    assert run is not None
    assert (run.begun, run.span, run.around, run.a_start) == ((0.0, 1.0, 10.0), 15.0, 5.0, 1.0)
    assert played_run(replace(record, resumed=("2026-01-02T00:00:00+00:00",)), [ended(20, 0)]) is None
    assert played_run(record, [replace(ended(20, 0), timing={})]) is None


def test_episodes_of_a_simulation_wait_for_what_there_is_one_of() -> None:
    def steps() -> Iterator[Step]:
        yield "driver", CallLoad(0.5, 0)
        yield "work", CallLoad(1.0, 0)

    simulation = LoadSimulation(Means(machines=10, cores=4, in_flight=4), lines={"driver": 1})
    assert simulation.play(steps() for _ in range(80)) == pytest.approx(41.0)
