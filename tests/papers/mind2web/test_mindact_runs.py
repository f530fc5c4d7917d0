"""MindAct live on the bundled shop, with a scripted model behind the real accounts, desk and evaluators."""

from __future__ import annotations

import json
import re

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.models.accounts import REPLIES, ReplyCache
from harness.models.ledger import LEDGER, Ledger
from harness.models.messages import Reply, Request
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from harness.papers.mind2web.mindact_solver import MindActSolver
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked
from tests.solvers.models.site_task import TASK, TRACE
from tests.solvers.runs import PRICE, USAGE

SHOPPER = f"{__name__}:Shopper"
OPTION = re.compile(r"^(\w)\. (.*)$", re.MULTILINE)


class ShoppingClient:
    """Searches for a kettle, opens it, puts it into the cart, and then rejects all."""

    def complete(self, request: Request, *, timeout: float) -> Reply:  # noqa: ARG002
        told = request.messages[-1].text
        options = {words: label for label, words in OPTION.findall(told.partition("Which of these")[2])}

        def choose(text: str, more: str = "Action: CLICK") -> Reply:
            label = next((label for words, label in options.items() if text in words), None)
            return Reply("Answer: A" if label is None else f"Answer: {label}\n{more}", usage=USAGE)

        done = told.partition("Done so far")[2].partition("</done>")[0]
        if "Add to cart" in done:
            return choose("nothing like it")
        if "Morrow Glass" in done:
            return choose("Add to cart")
        if "-> CLICK" in done:
            return choose("Morrow Glass")
        return choose('type="search"', "Action: CLICK" if "TYPE: kettle" in done else "Action: TYPE\nValue: kettle")


class Shopper(MindActSolver):
    """MindAct whose model is the shopper."""

    @classmethod
    def asks(cls, name, options) -> None:
        """Nobody beyond this process."""

    @classmethod
    def make_service(cls, setup, preset) -> ModelService:
        return ModelService(
            ShoppingClient,
            price=PRICE,
            tokens=tokens_for(preset.model),
            ledger=Ledger(setup.folder / LEDGER),
            cache=ReplyCache(setup.folder / REPLIES, "shopper"),
        )


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    (folder / "A kettle").mkdir()
    (folder / "A kettle" / "task.json").write_text(json.dumps({**TASK, "start": "http://shop.test/"}), encoding="utf-8")
    trace = {**TRACE, "start": "http://shop.test/"}
    (folder / "A kettle" / "trace.json").write_text(json.dumps(trace), encoding="utf-8")
    return folder


def evaluate(tasks, out, *more):
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--progress", "quiet", "--workers", "1"]
    return main([*arguments, "--solver", SHOPPER, "--preset", "gpt-4o", *more])


@pytest.mark.slow
def test_mindact_works_on_a_site_with_the_questions_that_it_is_asked_offline(tasks, tmp_path):
    assert evaluate(tasks, tmp_path / "run") == COMPLETE
    run = RunDirectory(tmp_path / "run")
    (episode,) = run.episodes()
    assert [step.action.partition("(")[0] for step in episode.steps] == [
        "fill",
        "fill_search",
        "click_element",
        "click_element",
    ]
    assert {each.evaluator: each.score for each in episode.site.evaluations}["final_state"] == 1
    record = run.read()
    assert len(record.solver["prompts"]) == 64
    assert (record.config.options["preset"], record.config.options["ranker"]) == ("gpt-4o", "lexical")
    asked = [json.dumps(unpacked(run.folder / "texts", turn.sent)) for turn in episode.turns]
    assert all("None of these" in each for each in asked)
    assert Ledger(run.folder / LEDGER).totals().calls == len({turn.sent for turn in episode.turns})
    *done, last = [turn for turn in episode.turns if turn.calls]
    assert [turn.steps[1] - turn.steps[0] for turn in done] == [1, 1, 1, 1]
    assert last.calls == ("finish()",), "whoever rejects all elements has answered, and ends the episode"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--encoding", "axtree"], "--encoding: the solver"),
        (["--ranker", "best"], "unknown ranker 'best'"),
        (["--preset", "no-such"], "no-such"),
    ],
)
def test_what_it_does_not_take_is_refused_in_a_line(tasks, tmp_path, capsys, more, words):
    assert evaluate(tasks, tmp_path / "run", *more) == WRONG_USE
    assert words in capsys.readouterr().err


def test_without_a_model_it_says_how_one_is_named(tasks, tmp_path, capsys):
    out = ["--tasks-dir", str(tasks), "--out", str(tmp_path / "run"), "--progress", "quiet"]
    assert main([*out, "--solver", "mindact"]) == WRONG_USE
    assert "the solver 'mindact' asks a model: give --preset NAME" in capsys.readouterr().err
    assert main([*out, "--solver", "gpt-4o", "--ranker", "lexical"]) == WRONG_USE
    assert "--ranker: the solver 'gpt-4o' takes no such options" in capsys.readouterr().err
