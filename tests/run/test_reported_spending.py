"""What agents say that they have spent, summed up."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.evaluate import main
from harness.records.agent_report import AgentReport, ReportedTotals
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run.reported_spending import ReportedSpending
from tests.task_folders import csv_text, make_task


def spending(*reports: AgentReport) -> ReportedSpending:
    made = ReportedSpending()
    for report in reports:
        made.add(report)
    return made


def test_what_all_agents_report_is_summed_up_and_marked_as_reported():
    told = spending(
        AgentReport(input_tokens=1000, output_tokens=20, cost=0.5), AgentReport(input_tokens=1, output_tokens=0, cost=1)
    )
    assert (told.tokens_in_words(), told.cost_in_words()) == ("1,021 tokens reported", "$1.50 reported")
    assert told.record() == {"tokens": 1021, "max_tokens": None, "cost": 1.5, "max_cost": None, "reported": True}


def test_what_no_agent_reports_is_unknown():
    told = spending(AgentReport(input_tokens=5), AgentReport())
    assert (told.tokens_in_words(), told.cost_in_words()) == ("tokens unknown", "cost unknown")
    assert (told.record()["tokens"], told.record()["cost"]) == (None, None)


def test_a_sum_without_what_some_do_not_report_says_of_how_many_it_is():
    told = spending(AgentReport(input_tokens=1, output_tokens=0, cost=1), AgentReport())
    assert told.tokens_in_words() == "1 token reported (1 of 2 episodes)"
    assert told.cost_in_words() == "$1.00 reported (1 of 2 episodes)"
    assert (told.record()["tokens"], told.record()["cost"]) == (None, None)


def test_what_an_agent_took_for_an_attempt_that_was_lost_is_unknown():
    report = AgentReport(input_tokens=7, output_tokens=1, cost=1)
    one = Episode("T", 0, "0" * 12, "train", "scored", agent_report=report)
    assert one.reported == report
    assert replace(one, attempts=2, lost_turns=None).reported == AgentReport()
    assert replace(one, agent_report=None, lost_turns=None).reported is None


@pytest.mark.slow
def test_a_run_shows_and_keeps_what_its_programs_report(tmp_path, capsys):
    make_task(tmp_path / "tasks", "Plain", template="<input name=a>", table=csv_text(["x", "Answer.a"], ["1", "y"]))
    said = json.dumps({"agent_report": {"input_tokens": 7, "output_tokens": 1}})
    program = shlex.join([sys.executable, "-c", f"print({said!r})"])
    places = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--progress", "json"]
    assert main(["--solver", "command", "--command", program, "--workers", "1", *places]) == COMPLETE
    found = capsys.readouterr()
    assert "Spent, as the agents say: 8 tokens reported, cost unknown." in found.out
    lines = [json.loads(line) for line in found.err.splitlines() if line.startswith("{")]
    assert [line["spent"] for line in lines if "spent" in line][-1] == {
        "tokens": 8, "max_tokens": None, "cost": None, "max_cost": None, "reported": True,
    }  # fmt: skip
    told = ReportedTotals(episodes=1, input_tokens=7, output_tokens=1, tokens_told=1)
    assert RunDirectory(tmp_path / "run").read().reported == told
