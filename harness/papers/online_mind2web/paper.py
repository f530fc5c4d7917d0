"""Online-Mind2Web (Xue et al. 2025) among the papers: what ``online_mind2web.toml`` has, too."""

from __future__ import annotations

from dataclasses import asdict

from harness.papers.online_mind2web.judge_tables import (
    judge_inputs,
    judge_source,
    published_agreement,
    published_rates,
)
from harness.papers.paper import Paper, PublishedRow, PublishedTable

_SHOWN = "python -m harness judge published"
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
            title="Success of agents by people and by WebJudge, and how often the two agree",
            measure="per cent; _sd is the standard deviation of three predictions",
            columns=_RATES,
            rows=tuple(_row(each.agent, asdict(each), _RATES) for each in published_rates()),
            command="python -m harness judge people human_label.json",
            differs=judge_source("differs_rates"),
        ),
        PublishedTable(
            name="table3",
            title="How often judges agree with people",
            measure="per cent",
            columns=_JUDGES,
            rows=tuple(_row(each.agent, asdict(each), _JUDGES) for each in published_agreement()),
            command="python -m harness judge people human_label.json --judged Browser_Use=webjudge.jsonl",
            differs=judge_source("differs_rates"),
        ),
    )


def _row(name: str, values: dict[str, bool | float | None], columns: tuple[str, ...]) -> PublishedRow:
    return PublishedRow(name=name, printed={each: value for each in columns if (value := values[each]) is not None})


PAPER = Paper("Online-Mind2Web", judge_source("citation"), judge_source("url"), __package__, _tables)
