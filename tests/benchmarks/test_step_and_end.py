"""The agents that are held against each other step by step and live."""

from __future__ import annotations

import pytest

from benchmarks.step_and_end import AGENTS, TASKS, tasks_of
from benchmarks.stepwise_agents import RATE, Slips, SlipsAndReturns, slips
from harness.catalog import Catalog
from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.teacher_forced.step_numbers import score_step
from tests.papers.teacher_forced.made import CLICK, demonstration


def test_a_constructed_agent_slips_as_often_as_it_says_and_at_the_same_steps():
    places = [slips(f"goal {goal}", step) for goal in range(200) for step in range(10)]
    assert sum(places) / len(places) == pytest.approx(RATE, abs=0.03)
    assert places == [slips(f"goal {goal}", step) for goal in range(200) for step in range(10)]


def test_offline_the_two_that_slip_are_one_agent():
    whole = demonstration(steps=[CLICK] * 20)
    for index in range(20):
        asked = asked_step(whole, index)
        one, other = (agent.predict_with_key(asked, CLICK) for agent in (Slips(), SlipsAndReturns()))
        assert one == other
        assert score_step(CLICK, one).success == (not slips(whole.confirmed_task, index))


def test_demonstrations_are_known_by_their_goals_and_others_are_passed_over(tmp_path):
    catalog = Catalog(TASKS)
    names = catalog.names()[:4]
    goals = [task.site_of(task.instances[0]).goal for task in map(catalog.task, names)]
    made = [demonstration(f"d{number}") for number in range(4)]
    made = [type(each)(**{**vars(each), "confirmed_task": goal}) for each, goal in zip(made, goals, strict=True)]
    file = tmp_path / "traces.json"
    written([*made, demonstration("other")], file)
    assert tasks_of(file, None) == names
    assert tasks_of(file, 2) == names[::2]


def test_each_agent_has_a_name_for_both_commands():
    assert all(each.stepwise and each.live for each in AGENTS.values())
