"""Agents of known worth, in a browser, judged by all judges: what they did wrong is in what judges are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.judge_rates import METHODS
from benchmarks.judged_agents import choice_place, other_element, other_value, value_place
from benchmarks.judged_runs import TASKS, tasks_with_a_trap
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate
from harness.cli.commands.judge.run import main
from harness.records.directory import RunDirectory
from harness.scoring.judges.run_trajectories import read_trials
from harness.scoring.judges.saved_judgements import judged_folders, judges_beside
from harness.scoring.judges.verdict_pairs import final_state_success
from tests.models.servers import Server
from tests.scoring.judges.trials import said_by_a_judge

TASK = "Travel - Home airport in Costa Rica"


def test_there_are_twenty_tasks_in_which_a_value_and_a_choice_can_be_wrong() -> None:
    names = tasks_with_a_trap(20)
    assert len(names) == len(set(names)) == 20
    for name in names:
        trace = Catalog(TASKS).task(name).trace
        assert trace
        assert value_place(trace) is not None
        assert choice_place(trace) is not None


@pytest.mark.parametrize(
    ("value", "other"), [("2031-04-25", "2031-04-26"), ("9", "0"), ("Dunhaven", "something else"), ("a 9 b", "a 0 b")]
)
def test_another_value_is_another_one(value: str, other: str) -> None:
    assert other_value(value) == other


def test_another_element_is_of_the_same_kind() -> None:
    assert other_element("#r a[href='/x/']") == "#r a[href]:not([href='/x/'])"
    assert other_element("input[name='a'][value='b']") == "input[name='a'][value]:not([value='b'])"


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "success"), [("Faithful", True), ("CutShort", False), ("WrongItems", False)])
def test_all_judges_judge_an_agent_whose_worth_is_known(
    agent: str, success: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    run = tmp_path / "run"
    solver = [
        "--solver",
        f"benchmarks.judged_agents:{agent}",
        "--film",
        "steps",
        "--workers",
        "1",
        "--max-instances",
        "1",
    ]
    made = ["--tasks-dir", str(TASKS), "--task", TASK, "--out", str(run), "--progress", "quiet", *solver]
    assert evaluate.main(made) == COMPLETE
    (trial,) = read_trials(run).trials
    assert len(trial.trajectory.pictures) == trial.trajectory.steps + 2
    assert trial.trajectory.answer == "I have done what was asked."
    (episode,) = RunDirectory(run).episodes()
    assert final_state_success(episode) is success
    with Server(said_by_a_judge) as server:
        model = ["--preset", "gpt-4o", "--base-url", f"{server.url}/v1", "--progress", "quiet"]
        for method in METHODS:
            assert main([str(run), "--method", method, *model]) == COMPLETE
    said = {each.judge().method: each.judgements()[0].outcome for each in judged_folders(judges_beside(run))}
    assert said == {
        "webjudge": "success", "autonomous": "success", "agenttrek": "success", "webvoyager": "failure",
    }  # fmt: skip
