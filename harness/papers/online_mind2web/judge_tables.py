"""Tables 1 to 3 of the Online-Mind2Web paper, as ``online_mind2web.toml`` has them: what judges need, how they fare."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

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
