"""What agents say that they have spent, summed up."""

from __future__ import annotations

import json
import shlex
import sys

from harness.cli.exit_codes import COMPLETE
from harness.evaluate import main
from harness.run.reported_spending import ReportedSpending
from harness.runlog.agent_report import AgentReport
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


def test_a_run_shows_what_its_programs_report_while_it_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make_task(tmp_path / "tasks", "Plain", template="<input name=a>", table=csv_text(["x", "Answer.a"], ["1", "y"]))
    said = json.dumps({"agent_report": {"input_tokens": 7, "output_tokens": 1}})
    program = shlex.join([sys.executable, "-c", f"print({said!r})"])
    places = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--progress", "json"]
    assert main(["--solver", "command", "--command", program, "--workers", "1", *places]) == COMPLETE
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert [line["spent"] for line in lines if "spent" in line][-1] == {
        "tokens": 8, "max_tokens": None, "cost": None, "max_cost": None, "reported": True,
    }  # fmt: skip
