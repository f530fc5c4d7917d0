"""Whole runs of a scripted model on the bundled shop, behind the real protocol, accounts, store and evaluators."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.cli.commands.page import prompt
from harness.models.accounts import REPLIES, ReplyCache
from harness.models.ledger import LEDGER, Ledger
from harness.models.messages import Reply, Request
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.texts import unpacked
from harness.solvers.models.prompt_sets import words_hash
from tests.solvers.models.site_task import GOAL, TASK, TRACE
from tests.solvers.runs import PRICE, USAGE, Scripted

SHOPPER = f"{__name__}:Shopper"


class ShoppingClient:
    """Presses the kettle, then what puts it into the cart, then ends; judges that it is finished where it is asked.

    Its every first reply about a page is nothing that could be done.
    """

    def __init__(self) -> None:
        self._spoilt: set[str] = set()

    def complete(self, request: Request, *, timeout: float) -> Reply:  # noqa: ARG002
        told = request.messages[-1].text
        if "You judge how far" in request.messages[0].text:
            status = "finished" if "/cart/ (shown)" in told else "doing"
            judged = {"status": status, "score": 7, "reason": "seen", "description": "it goes on"}
            return Reply(json.dumps(judged), usage=USAGE)
        page = told.partition("The page begins here.")[2]
        if page not in self._spoilt:
            self._spoilt.add(page)
            return Reply("I will press the kettle.", usage=USAGE)
        if "/cart/ (shown)" in told:
            return Reply("Thought: it is done\nAction: finish()", usage=USAGE)
        found = re.search(r'\[(\d+)\] button "Add to cart', page) or re.search(r'\[(\d+)\] link "Morrow Glass', page)
        assert found, page
        return Reply(f"Thought: next\nAction: click_element({found[1]})", usage=USAGE)


class Shopper(Scripted):
    """A preset whose model is the shopper."""

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
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sites")
    (folder / "A kettle").mkdir()
    (folder / "A kettle" / "task.json").write_text(json.dumps(TASK), encoding="utf-8")
    (folder / "A kettle" / "trace.json").write_text(json.dumps(TRACE), encoding="utf-8")
    return folder


def evaluate(tasks: Path, out: Path, *more: str) -> tuple[RunDirectory, Episode]:
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--solver", SHOPPER, "--progress", "quiet"]
    assert main([*arguments, "--workers", "1", *more]) == COMPLETE
    run = RunDirectory(out)
    (episode,) = run.episodes()
    return run, episode


@pytest.mark.slow
def test_a_scripted_model_solves_a_task_of_the_shop_and_all_of_it_is_accounted_for(tasks, tmp_path):
    run, episode = evaluate(tasks, tmp_path / "run")
    assert episode.site is not None
    assert {each.evaluator: each.score for each in episode.site.evaluations} == {"final_state": 1, "key_nodes": 1}
    assert [step.action.partition("(")[0] for step in episode.steps] == ["click_element", "click_element", "finish"]
    assert run.read().results.overall.score == 1
    assert len(episode.turns) == 6
    assert sum(bool(turn.calls) and turn.calls[0].startswith("error: ") for turn in episode.turns) == 3
    assert sum(turn.cost for turn in episode.turns) == pytest.approx(0.013 * 6)
    assert float(Ledger(run.folder / LEDGER).totals().cost) == pytest.approx(0.013 * 6)


@pytest.mark.slow
def test_what_decides_the_prompts_stands_in_the_run(tasks, tmp_path):
    record = evaluate(tasks, tmp_path / "run", "--memory", "2")[0].read()
    assert record.solver["prompts"] == words_hash("site")
    assert record.solver["recipe"]["protocol"] == "site"
    told = {"planning": "thought", "memory": 2, "reward": "none", "reference": "none", "ocr": False}
    assert record.solver["recipe"]["site"] == told
    assert {name: record.config.options[name] for name in told} == told


def requests_of(run: RunDirectory, episode: Episode) -> list[str]:
    return [json.dumps(unpacked(run.folder / "texts", turn.sent)) for turn in episode.turns]


@pytest.mark.slow
def test_the_golden_reference_reaches_the_worker_only_where_it_is_asked_for(tasks, tmp_path):
    golden = evaluate(tasks, tmp_path / "golden", "--reward", "text", "--reference", "golden")
    assert golden[0].read().config.options["reference"] == "golden"
    assert "finish" not in golden[1].steps[-1].action  # its judgement has ended it
    told = [text for text in requests_of(*golden) if "the golden way" in text]
    assert told
    assert all("You judge how far" in text for text in told)
    assert all("the site's /cart has 1 entries" in text for text in told)
    usual = evaluate(tasks, tmp_path / "usual", "--reward", "text")
    assert not [text for text in requests_of(*usual) if "the golden way" in text or "/cart has 1" in text]


@pytest.mark.slow
def test_what_a_model_would_be_sent_about_a_website_is_printed(tasks, capsys):
    asked = ["--tasks-dir", str(tasks), "--task", "A kettle", "--solver", "gpt4-text"]
    assert prompt.main(asked) == COMPLETE
    said = capsys.readouterr().out
    assert re.search(r"^==== gpt-6\.1-sol, the website: [\d,]+ tokens", said)
    assert f"Goal: {GOAL}" in said
    assert 'link "Morrow Glass Kettle' in said


@pytest.mark.slow
def test_a_run_on_websites_is_reckoned_without_asking_a_model(tasks, capsys):
    arguments = ["--tasks-dir", str(tasks), "--solver", "gpt4-text", "--dry-run", "--reward", "text"]
    assert main(arguments) == COMPLETE
    said = capsys.readouterr().out
    assert re.search(r"^A kettle +1 +10 ", said, re.MULTILINE)
    assert "Judging its own progress (--reward) comes on top" in said


def test_a_protocol_of_forms_is_refused_for_websites_in_a_line(tasks, tmp_path, capsys):
    arguments = ["--tasks-dir", str(tasks), "--out", str(tmp_path / "run"), "--solver", SHOPPER]
    assert main([*arguments, "--protocol", "form", "--prompts", "harness", "--encoding", "text"]) == WRONG_USE
    assert "--protocol form: these tasks are websites, which have --protocol site" in capsys.readouterr().err
