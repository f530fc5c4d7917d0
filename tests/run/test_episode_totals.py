"""What all episodes of a run together tell beside its scores, whoever has counted which part of them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from harness.records.agent_report import AgentReport, ReportedTotals
from harness.records.episode import Episode
from harness.records.results import RunTime
from harness.records.turn import Turn
from harness.run.episode_totals import EpisodeTotals
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode

EPISODES = [
    episode(index=0, page="p0", agent_report=AgentReport(input_tokens=7, output_tokens=1, cost=0.1, model="a-model")),
    episode(index=1, page="p1", agent_report=AgentReport(cost=0.2), missing_media=("http://far/1.png",)),
    episode(
        index=2, outcome="agent_error", detail="gave up", turns=(Turn(ms=1500.0),), missing_media=("http://far/2.png",)
    ),
    episode(index=3, outcome="limit", limit="cost", missing_assets=("http://far/a.js", "http://far/a.js")),
    episode(task="U", index=0, agent_report=AgentReport(input_tokens=3), missing_media=("http://far/3.png",)),
    episode(task="U", index=1, outcome="agent_error", detail="gave up", missing_assets=("http://far/a.js",)),
    episode(task="U", index=2, page="p2", agent_report=AgentReport(input_tokens=5, output_tokens=2, model="another")),
]


def counted(episodes: list[Episode]) -> EpisodeTotals:
    totals = EpisodeTotals(Path("run"))
    for each in episodes:
        totals.see(score_episode(each, PROFILES["standard"]))
    return totals


def told(totals: EpisodeTotals) -> tuple[Any, ...]:
    counts = (totals.outcomes, totals.served, totals.out_of_budget, totals.unjudged, totals.lacking_assets)
    lists = (totals.pages, totals.endings.found(), totals.found())
    return *counts, *lists, totals.reported, totals.time(2.0), totals.outside("mirror", {})


def test_episodes_are_counted_by_what_they_met_and_what_was_said_of_them() -> None:
    totals = counted(EPISODES)
    assert totals.outcomes == {"scored": 4, "agent_error": 2, "limit": 1}
    assert totals.served == {"a-model": 1, "another": 1}
    assert totals.out_of_budget == {"cost": 1}
    assert [digest for _, _, digest in totals.pages] == ["p0", "p1", "p2"]
    assert totals.reported == ReportedTotals(
        episodes=4, input_tokens=12, output_tokens=3, tokens_told=2, cost=0.3, cost_told=2
    )
    outside = totals.outside("mirror", {})
    assert outside.tasks_without_their_media == {"T": (1, 2), "U": (0,)}
    assert outside.missing_assets == {"http://far/a.js": 2}
    assert totals.lacking_assets == 2


@pytest.mark.parametrize("cut", range(len(EPISODES) + 1))
def test_what_others_have_counted_is_taken_in_as_if_it_had_been_counted_here(cut: int) -> None:
    totals = counted(EPISODES[:cut])
    totals.merge(pickle.loads(pickle.dumps(counted(EPISODES[cut:]))))  # noqa: S301 - our own
    assert told(totals) == told(counted(EPISODES))


def test_waiting_for_a_model_is_added_up_over_the_pages_that_tell_of_it() -> None:
    turns = (Turn(ms=250.0), Turn(ms=750.0))
    told = episode(turns=turns, lost_turns=(Turn(ms=500.0),))
    lost = episode(index=1, turns=turns, lost_turns=None)
    outside = episode(index=2, turns=turns, agent_report=AgentReport())
    no_page = episode(index=3, outcome="harness_error")
    time = counted([told, lost, outside, no_page]).time(2.0)
    assert time == RunTime(wall_seconds=2.0, pages=3, pages_per_second=1.5, model_seconds=1.5, model_told=1)


def test_how_long_a_run_took_is_not_known_where_nothing_tells_it() -> None:
    time = counted([episode()]).time(None)
    assert time == RunTime(wall_seconds=None, pages=1, pages_per_second=None, model_seconds=None, model_told=0)
