"""What an agent from outside reports of its own tokens, cost and steps: in a line, or in an object."""

from __future__ import annotations

import json

import pytest

from harness.models.keys import redact
from harness.records.agent_report import AgentReport
from harness.solvers.outside.agent_reports import check_report, read_report


def line(**said: object) -> str:
    return json.dumps({"agent_report": said})


def test_the_last_report_counts():
    output = "\n".join(("begun", line(steps=1), "more", line(steps=2, cost=0.5), "done"))
    assert read_report(output) == (AgentReport(steps=2, cost=0.5), "")


@pytest.mark.parametrize("output", ["", "the agent_report: none", '["agent_report"]', '{"a": "agent_report"}'])
def test_without_a_report_nothing_is_known(output):
    assert read_report(output) == (AgentReport(), "")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"input_tokens": -1}, "input_tokens"),
        ({"input_tokens": 1.5}, "input_tokens"),
        ({"output_tokens": True}, "output_tokens"),
        ({"output_tokens": 10**15}, "output_tokens"),
        ({"cost": -0.1}, "cost"),
        ({"cost": "1"}, "cost"),
        ({"cost": float("nan")}, "no JSON"),
        ({"cost": float("inf")}, "no JSON"),
        ({"steps": 10**9}, "steps"),
        ({"model": 3}, "model"),
        ({"model": "m" * 1000}, "model"),
        ({"tokens": 3}, "it has no 'tokens', but input_tokens"),
    ],
)
def test_what_cannot_be_true_does_not_count(said, why):
    report, refusal = read_report(line(**said))
    assert report == AgentReport()
    assert refusal.startswith("the agent's report does not count: ")
    assert why in refusal


@pytest.mark.parametrize("said", ["3", '"x"', "null", "[1]"])
def test_a_report_that_is_no_object_does_not_count(said):
    report, refusal = read_report(f'{{"agent_report": {said}}}')
    assert report == AgentReport()
    assert refusal


def test_a_name_of_a_model_is_one_line():
    report, _ = read_report(line(model=" a\n b "))
    assert report.model == redact("a b")


@pytest.mark.parametrize(
    "said", [{"cost": float("nan")}, {"cost": float("inf")}, {"x" * 9_999: 1}, {3: 4}, [[[]]] * 99]
)
def test_what_is_no_report_does_not_count_whatever_it_is(said):
    report, refusal = check_report(said)
    assert report == AgentReport()
    assert refusal.startswith("the agent's report does not count: ")
    assert len(refusal) < 300
