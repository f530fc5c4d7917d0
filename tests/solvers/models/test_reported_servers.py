"""What servers answered that people reported: each is run by the command, and has the outcome that is right.

A scenario is a file with a function ``reply(number, request, path, headers)``, which answers as the server did.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.evaluate import main
from harness.models import service
from harness.models.messages import Usage
from harness.models.retry import RetryPolicy
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from tests.checkout import CASES
from tests.models.servers import Answer, Asked, Server, answer
from tests.needs import cases, needs
from tests.solvers.runs import as_a_user

FOLDER = CASES / "models"
REVIEW = ("--solver", "gpt-6-luna", "--no-vision", "--task", "Sentiment of reviews", "--max-instances", "1")
POSITIVE = {"sentiment": ("positive",), "reason": ("",)}


@dataclass(frozen=True)
class Reported:
    """A scenario, and what is right.

    Attributes:
        name: Its folder.
        options: How it is run.
        sent: What the page sends, of each instance.
        notes: Words that stand in the notes of the turns.
        results: Words that stand in what actions gave.
        usage: Of the whole episode; None if it is of no concern.
        path: Behind the server's address.
        said: Words that stand under the tables of the run.
        more: What else is right of an episode.
    """

    name: str
    options: tuple[str, ...] = REVIEW
    sent: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: POSITIVE)
    notes: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    usage: Usage | None = None
    path: str = "/v1"
    said: str = ""
    more: Callable[[Episode], bool] = lambda _: True


def _of_case(name: str) -> tuple[str, ...]:
    return ("--tasks-dir", str(FOLDER / name / "tasks"))


SCENARIOS = [
    Reported("01-xai-reasoning-tokens", usage=Usage(1000, 2010)),
    # The action that was done is told as done, the other as refused: neither takes the other's place.
    Reported("02-duplicate-call-ids", results=("'sentiment' holds 'positive'", "'purple'")),
    Reported("03-missing-call-ids", sent={**POSITIVE, "mentions_price": ("on",)}),
    Reported("04-empty-assistant", more=lambda each: each.turns[0].thought == "I should choose positive."),
    Reported("05-harmony-tool-names", more=lambda each: len(each.turns) == 4 and all(step.ok for step in each.steps)),
    Reported("06-reasoning-must-go-back", more=lambda each: each.turns[0].thought == "The writer sounds happy."),
    Reported("07-system-role", notes=("no system role", "no tool was called")),
    Reported("08-choice-error-200", notes=("asked again, since", "connection reset")),
    Reported("09-lone-surrogate", sent={"sentiment": ("positive",), "reason": ("smile \ufffd here",)}),
    Reported(
        "10-thought-dialects",
        ("--solver", "llama-3.3", *REVIEW[3:5], "--max-instances", "9"),
        more=lambda each: "LEAKED" not in str(each.steps) and each.turns[0].reply.startswith("modify_radio"),
    ),
    Reported(
        "11-tall-page-claude",
        ("--solver", "claude", "--screenshot", "full", *_of_case("11-tall-page-claude")),
        sent={"feeling": (), "reason": ("",)},
        notes=("1 of 1 pictures made smaller, to the 8,000 pixels a side",),
        path="",
    ),
    Reported(
        "12-gemini-malformed",
        ("--solver", "gemini", *REVIEW[2:]),
        notes=("Malformed function call: print(default_api.modify_radio(",),
        path="",
    ),
    Reported(
        "18-autocomplete-dates",
        ("--solver", "llama-3.3", *_of_case("18-autocomplete-dates")),
        sent={
            "born": ("1990-03-05",),
            "arrival": ("2026-07-01T14:30",),
            "controlled": ("red",),
            "state": ("red",),
            "query": ("",),
            "country": ("",),
        },
        results=("'query' holds '', not 'Norway': the page does not take it",),
    ),
    Reported(
        "19-silent-truncation",
        ("--solver", "llama-3.3", "--task", "Scoring essays by a long guide", "--max-instances", "1"),
        sent={"claim": ()},
        notes=("has cut the prompt", "num_ctx"),
        said="CUT: of 1 of these calls the server read a part of the prompt alone",
    ),
]


@needs(cases("models"))
def test_every_scenario_has_a_right_outcome():
    assert {each.name for each in SCENARIOS} == {file.parent.name for file in FOLDER.glob("*/scenario.py")}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*sizes.txt")  # scenarios leave the file open that they note sizes in
@needs(cases("models"))
@pytest.mark.parametrize("reported", SCENARIOS, ids=lambda each: each.name)
def test_a_server_that_was_reported_is_understood(reported, tmp_path, monkeypatch, capsys):
    as_a_user(monkeypatch, tmp_path / "cache")
    monkeypatch.setenv("MODEL_API_KEY", "test")
    monkeypatch.setattr(service, "RetryPolicy", lambda seed: RetryPolicy(base=0.0, seed=seed))
    monkeypatch.chdir(tmp_path)
    reply = runpy.run_path(str(FOLDER / reported.name / "scenario.py"))["reply"]
    with Server(_script(reply)) as server:
        where = ["--base-url", f"{server.url}{reported.path}", "--out", "run", "--workers", "1", "--progress", "quiet"]
        code = main([*reported.options, *where])
    said = capsys.readouterr()
    assert code == COMPLETE, "".join(said)
    assert reported.said in said.out
    episodes = list(RunDirectory(tmp_path / "run").episodes())
    assert episodes
    for each in episodes:
        sent = {record.name: record.sent for record in each.fields}
        assert reported.sent.items() <= sent.items()
        notes, results = "\n".join(turn.note for turn in each.turns), "\n".join(step.message for step in each.steps)
        assert [words for words in reported.notes if words not in notes] == []
        assert [words for words in reported.results if words not in results] == []
        assert reported.usage in (None, each.usage)
        assert reported.more(each)


def _script(reply: Callable[[int, Any, str, Mapping[str, str]], Any]) -> Callable[[Asked], Answer]:
    asked: list[Asked] = []

    def script(each: Asked) -> Answer:
        asked.append(each)
        told = reply(len(asked) - 1, each.json, each.path, each.headers)
        status, headers, body = told if isinstance(told, tuple) else (200, {}, told)
        return Answer(body, status, headers) if isinstance(body, bytes) else answer(body, status, headers)

    return script
