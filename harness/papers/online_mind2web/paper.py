"""Online-Mind2Web (Xue et al. 2025) among the papers: what ``online_mind2web.toml`` has, too."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from harness.papers.paper import Paper, PublishedRow, PublishedTable

FILE = files(__package__) / "online_mind2web.toml"
AVERAGE = "Average Agreement"
"""The name of the last line of Table 3."""


@dataclass(frozen=True)
class JudgeInputs:
    """A line of Table 1: what a judge is given.

    Attributes:
        judge: Its name.
        pictures: Whether it is given pictures.
        actions: Whether it is given the action history.
        thoughts: Whether it needs what the agent thought.
        answer: Whether it needs the final answer.
    """

    judge: str
    pictures: bool
    actions: bool
    thoughts: bool
    answer: bool


@dataclass(frozen=True)
class PublishedRate:
    """A line of Table 2, in per cent.

    Attributes:
        agent: Its name as printed.
        labels: Its name in ``human_label.json``.
        people: Its success rate by people.
        webjudge: The same by WebJudge, the mean of three predictions.
        webjudge_sd: Their standard deviation.
        agreement: How often the two agree.
        agreement_sd: The standard deviation of that.
    """

    agent: str
    labels: str
    people: float
    webjudge: float
    webjudge_sd: float
    agreement: float
    agreement_sd: float


@dataclass(frozen=True)
class PublishedAgreement:
    """A line of Table 3: how often judges agree with people on one agent, in per cent; None where it has a dash.

    Attributes:
        agent: Its name as printed, or ``AVERAGE``.
        autonomous: Autonomous evaluation.
        agenttrek: AgentTrek.
        webvoyager: WebVoyager.
        webjudge: WebJudge.
    """

    agent: str
    autonomous: float | None = None
    agenttrek: float | None = None
    webvoyager: float | None = None
    webjudge: float | None = None


def judge_inputs() -> tuple[JudgeInputs, ...]:
    """Table 1."""
    return tuple(JudgeInputs(**entry) for entry in _file()["inputs"])


def published_rates() -> tuple[PublishedRate, ...]:
    """Table 2."""
    return tuple(PublishedRate(**entry) for entry in _file()["rates"])


def published_agreement() -> tuple[PublishedAgreement, ...]:
    """Table 3, its averages last."""
    return tuple(PublishedAgreement(**entry) for entry in _file()["agreement"])


def judge_source(key: str) -> str:
    """What is said of all three: ``citation``, ``url``, ``model``, ``threshold``, ``repeats`` or ``differs_...``."""
    return str(_file()[key])


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


_SHOWN = "turkbench judge published"
_INPUTS = ("pictures", "actions", "thoughts", "answer")
_RATES = ("people", "webjudge", "webjudge_sd", "agreement", "agreement_sd")
_JUDGES = ("autonomous", "agenttrek", "webvoyager", "webjudge")


def _tables() -> tuple[PublishedTable, ...]:
    return (
        PublishedTable(
            name="table1",
            title="What judges of web agents are given",
            columns=_INPUTS,
            rows=tuple(_row(each.judge, asdict(each), _INPUTS) for each in judge_inputs()),
            command=_SHOWN,
            differs=judge_source("differs_inputs"),
        ),
        PublishedTable(
            name="table2",
            title="Success of agents by people and by WebJudge",
            measure="per cent; _sd is the standard deviation of three predictions",
            columns=_RATES,
            rows=tuple(_row(each.agent, asdict(each), _RATES) for each in published_rates()),
            command="turkbench judge people human_label.json",
            differs=judge_source("differs_rates"),
        ),
        PublishedTable(
            name="table3",
            title="How often judges agree with people",
            measure="per cent",
            columns=_JUDGES,
            rows=tuple(_row(each.agent, asdict(each), _JUDGES) for each in published_agreement()),
            command="turkbench judge people human_label.json --judged Browser_Use=webjudge.jsonl",
            differs=judge_source("differs_rates"),
        ),
    )


def _row(name: str, values: dict[str, bool | float | None], columns: tuple[str, ...]) -> PublishedRow:
    return PublishedRow(name=name, printed={each: value for each in columns if (value := values[each]) is not None})


PAPER = Paper("Online-Mind2Web", judge_source("citation"), judge_source("url"), __package__, _tables)
