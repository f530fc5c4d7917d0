"""SeeAct live on the bundled shop and on a bundled form, with a scripted model that is shown the page's picture."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.cli.commands.offline_eval import main as offline_eval
from harness.models.accounts import REPLIES, ReplyCache
from harness.models.ledger import LEDGER, Ledger
from harness.models.messages import Reply, Request
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.seeact.seeact_solver import FORM_TASK, SeeActSolver, seeact_prompts_hash
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked
from tests.checkout import PROJECT
from tests.papers.mind2web.mindact.pages import demonstrations
from tests.solvers.models.site_task import TASK, TRACE
from tests.solvers.runs import PRICE, USAGE

OPTION = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
PNG = b"\x89PNG"


class SeeingClient:
    """Says what is next when it is shown a picture, and finds it by its words when it is asked which element it is."""

    WAY = (
        ("search: kettle", 'type="search"', "Action: TYPE\nValue: kettle"),
        ("Enter", 'type="search"', "Action: CLICK"),
        ("the kettle", "Morrow Glass", "Action: CLICK"),
        ("the button", "Add to cart", "Action: CLICK"),
    )

    def complete(self, request: Request, *, timeout: float) -> Reply:  # noqa: ARG002
        (picture,) = request.messages[1].images
        assert picture.png.startswith(PNG)
        told = request.messages[1].text.partition("<done>\n")[2].partition("\n</done>")[0]
        done = 0 if told == "(nothing)" else len(told.splitlines())
        if len(request.messages) == 2:
            return Reply(f"Next is {self.WAY[done][0]}." if done < len(self.WAY) else "The task is done.", usage=USAGE)
        if request.messages[2].text == "The task is done.":
            return Reply("Answer: 0", usage=USAGE)
        _, words, action = self.WAY[done]
        label = next(label for label, shown in OPTION.findall(request.messages[-1].text) if words in shown)
        return Reply(f"Answer: {label}\n{action}", usage=USAGE)


class FormClient(SeeingClient):
    """The same on a form: a radio button, a text and the button that sends it."""

    WAY = (
        ("the button of a positive opinion", "> positive", "Action: CLICK"),
        ("the reason", "<textarea", "Action: TYPE\nValue: It praises."),
        ("to send it", 'type="submit"', "Action: CLICK"),
    )


class LinkClient(SeeingClient):
    """Presses the link that the task names."""

    WAY = (("the link of the task", "shop thing", "Action: CLICK"),)


def seeing(client):
    class Seeing(SeeActSolver):
        """SeeAct whose model is scripted."""

        @classmethod
        def asks(cls, name, options) -> None:
            """Nobody beyond this process."""

        @classmethod
        def make_service(cls, setup, preset) -> ModelService:
            return ModelService(
                client,
                price=PRICE,
                tokens=tokens_for(preset.model),
                ledger=Ledger(setup.folder / LEDGER),
                cache=ReplyCache(setup.folder / REPLIES, "seeing"),
            )

    return Seeing


Shopper = seeing(SeeingClient)
Filler = seeing(FormClient)
Reader = seeing(LinkClient)


def evaluate(tasks, out, solver, *more):
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--progress", "quiet", "--workers", "1"]
    return main([*arguments, "--solver", solver, *more])


@pytest.mark.slow
def test_it_works_on_a_site_by_a_picture_and_the_element_that_was_meant(tmp_path):
    folder = tmp_path / "sites"
    (folder / "A kettle").mkdir(parents=True)
    (folder / "A kettle" / "task.json").write_text(json.dumps({**TASK, "start": "http://shop.test/"}), encoding="utf-8")
    trace = {**TRACE, "start": "http://shop.test/"}
    (folder / "A kettle" / "trace.json").write_text(json.dumps(trace), encoding="utf-8")

    assert evaluate(folder, tmp_path / "run", f"{__name__}:Shopper", "--preset", "gpt-4o") == COMPLETE

    run = RunDirectory(tmp_path / "run")
    (episode,) = run.episodes()
    names = ["fill", "fill_search", "click_element", "click_element"]
    assert [step.action.partition("(")[0] for step in episode.steps] == names
    assert {each.evaluator: each.score for each in episode.site.evaluations}["final_state"] == 1
    assert run.read().solver["prompts"] == seeact_prompts_hash()
    assert [turn.calls for turn in episode.turns][-1] == ("finish()",)
    asked = [json.dumps(unpacked(run.folder / "texts", turn.sent)) for turn in episode.turns]
    assert ["Which of these elements" in each for each in asked] == [False, True] * 5


@pytest.mark.slow
def test_it_fills_in_a_form_and_sends_it(tmp_path):
    form = ["--task", "Sentiment of reviews", "--max-instances", "1", "--preset", "gpt-4o"]
    assert evaluate(PROJECT / "tasks", tmp_path / "run", f"{__name__}:Filler", *form) == COMPLETE

    run = RunDirectory(tmp_path / "run")
    (episode,) = run.episodes()
    names = ["click_element", "modify_text", "click_element"]
    assert [step.action.partition("(")[0] for step in episode.steps] == names
    sent = episode.submission.values
    assert {name: list(sent[name]) for name in ("sentiment", "reason")} == {
        "sentiment": ["positive"],
        "reason": ["It praises."],
    }
    assert episode.submission.via == "solver"
    asked = [json.dumps(unpacked(run.folder / "texts", turn.sent)) for turn in episode.turns]
    assert all(FORM_TASK in each for each in asked)


@pytest.mark.slow
def test_pages_of_demonstrations_are_shown_to_it_in_a_browser(tmp_path):
    (demonstration, *_) = demonstrations(("shop",), 1)
    first = replace(demonstration, steps=demonstration.steps[:1], action_reprs=demonstration.action_reprs[:1])
    written([first], tmp_path / "traces.jsonl")
    out = ["--preset", "gpt-4o", "--out", str(tmp_path / "out"), "--progress", "quiet"]
    assert offline_eval([str(tmp_path / "traces.jsonl"), "--solver", f"page:{__name__}:Reader", *out]) == COMPLETE
    kept = json.loads((tmp_path / "out" / "predictions.jsonl").read_text(encoding="utf-8"))
    assert (kept["element"], kept["op"], kept["problem"]) == (True, "CLICK", "")


def test_a_model_that_sees_no_pictures_is_refused_in_a_line(tmp_path, capsys):
    assert evaluate(PROJECT / "tasks", tmp_path / "run", "seeact", "--preset", "gpt4-text") == WRONG_USE
    assert "the solver 'seeact' shows pictures, and --preset gpt4-text is shown none" in capsys.readouterr().err
