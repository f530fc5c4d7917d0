"""Which episodes stand when a run is gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.records.budgets import Budgets, is_final
from harness.records.config import Limits, RunConfig
from tests.samples import episode

CONFIG = RunConfig(
    "gpt-4o",
    Path("tasks"),
    options={"max_cost": 5.0, "max_tokens": 1_000},
    limits=Limits(max_steps=10, max_seconds=60.0),
)


def ended(limit: str, allowed: float | None):
    return episode(outcome="limit", detail=limit, limit=limit, allowed=allowed)


@pytest.mark.parametrize(
    ("made", "final"),
    [
        (episode(), True),
        (episode(outcome="agent_error"), True),
        (episode(outcome="unscored"), True),
        (episode(outcome="harness_error"), False),
        (ended("steps", 10), True),
        (ended("time", 60.0), True),
        (ended("time", 30.0), False),
        (ended("cost", 5.0), True),
        (ended("cost", 1.0), False),
        (ended("tokens", 1_000), True),
        (ended("tokens", 999), False),
        (ended("repeats", None), True),
        (ended("a solver's own", None), True),
        # Before limits were kept, the detail said which, and not how high it was.
        (episode(outcome="limit", detail="cost"), False),
        (episode(outcome="limit", detail="tokens"), False),
        (episode(outcome="limit", detail="steps"), True),
        (episode(outcome="limit", detail="time: nothing but killing its process ended it"), True),
    ],
)
def test_an_episode_stands_unless_it_has_no_score_or_its_limit_was_raised_since(made, final):
    assert is_final(made, CONFIG) is final


def test_without_a_limit_what_one_ended_is_played_again():
    assert not is_final(ended("cost", 5.0), replace(CONFIG, options={}))


def test_budgets_are_put_into_a_run_and_found_there_again():
    budgets = Budgets(max_cost=None, max_tokens=7, max_seconds=9.0, concurrency=2)
    config = budgets.put_into(CONFIG)
    assert Budgets.of(config) == budgets
    assert config.options == {"max_tokens": 7, "concurrency": 2}
    assert config.limits == Limits(max_steps=10, max_seconds=9.0)
