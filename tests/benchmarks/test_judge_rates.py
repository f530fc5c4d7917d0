"""The table of judges' rates with a scripted judge: what that says, and that the way ends in the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import judge_rates
from benchmarks.judged_runs import TASKS
from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate

TASK = "Travel - Home airport in Costa Rica"
STEP = '<input "Name"> -> TYPE: quiet'


@pytest.mark.parametrize(
    ("role", "asked", "said"),
    [
        ("You read a task", "", "1. What"),
        ("You look at one picture", "", "Score: 3"),
        ("", "\n".join([STEP] * judge_rates.LEAST), "Status: success"),
        ("", STEP, "Status: failure"),
        ("in capitals", "", "SUCCESS"),
        ("in capitals", STEP, "NOT SUCCESS"),
    ],
)
def test_the_scripted_judge_goes_by_the_number_of_actions_that_it_is_told_of(role, asked, said):
    assert said in judge_rates.scripted_reply(role, asked)


@pytest.mark.slow
def test_all_judges_get_a_line_of_rates_against_the_state_of_the_sites(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr(judge_rates, "AGENTS", ("Faithful", "CutShort"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    for agent in judge_rates.AGENTS:
        solver = (
            f"--solver benchmarks.judged_agents:{agent} --film steps --workers 1 --max-instances 1 --progress quiet"
        )
        made = ["--tasks-dir", str(TASKS), "--task", TASK, "--out", str(tmp_path / agent), *solver.split()]
        assert evaluate.main(made) == COMPLETE
    capsys.readouterr()
    assert judge_rates.main([str(tmp_path)]) == 0
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    rows = {line[0]: line for line in lines if line and line[0] in judge_rates.METHODS}
    assert list(rows) == list(judge_rates.METHODS)
    assert {row[1] for row in rows.values()} == {"2"}
    assert {row[2] for row in rows.values()} == {"0"}
    # WebVoyager is told of no actions, and so takes both for done.
    assert rows["webvoyager"][3] == "50.0"
