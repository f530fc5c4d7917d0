"""``--solver gpt4v`` from the command line to the leaderboard, on the one task of somebody's own."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands import leaderboard, report
from harness.cli.commands.evaluate import main
from harness.models import service
from harness.models.providers.openai_client import OpenAIClient
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.models.published import problems
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.solvers.models.site_task import TASK, TRACE
from tests.solvers.runs import make_pages
from tests.task_folders import csv_text, make_task

SUCCESSOR = "gpt-6.1-sol"


def answered(asked: Asked) -> Answer:
    """What the model says: it fills in the field that it is asked about."""
    last = asked.json["messages"][-1]["content"]
    text = last if isinstance(last, str) else "".join(part.get("text", "") for part in last)
    name = text.partition("\n")[0].removeprefix("Input: ")
    return openai_reply(
        f"self.actions.modify_text({name!r}, 'filled')", usage=(1_000, 100, 0), model=f"{SUCCESSOR}-2026-10-01"
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpt4v")
    make_pages(folder / "my-tasks", 1)
    table = csv_text(["text", "Answer.words"], ["a dog", "barks"])
    make_task(folder / "others", "Words", template="<p>${text}</p><input name=words>", table=table)
    return folder


@pytest.fixture(autouse=True)
def provider(home, monkeypatch):
    """Stands where OpenAI is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server(answered) as server:
        client = OpenAIClient(f"{server.url}/v1", key="sk-test", key_name="OPENAI_API_KEY")
        monkeypatch.setattr(service, "make_client", lambda *_, **__: client)
        yield server


def evaluate(home, run, *more: str) -> int:
    where = ["--tasks-dir", str(home / "my-tasks"), "--out", str(run), "--workers", "1", "--progress", "quiet"]
    return main(["--solver", "gpt4v", *where, *more])


@pytest.mark.slow
def test_the_missions_line_runs_with_the_successor_and_everything_carries_its_name(home, tmp_path, provider, capsys):
    run = RunDirectory(tmp_path / "run")
    assert evaluate(home, run.folder, "--max-cost", "1") == COMPLETE
    said, record = capsys.readouterr(), run.read()
    first, second, third = said.err.splitlines()[:3]
    assert first.startswith("gpt4v: gpt-4-vision-preview was shut down by its provider")
    assert first.endswith(f"so {SUCCESSOR} answers")
    assert second.startswith("asks as Table 4, row 26 ")
    assert second.endswith("its score is no score of the paper's")
    # The only task there is has no other to be shown: none, and the reason is told and kept.
    assert third == (
        "gpt4v: 0 of 7 demonstrations: they come from other tasks of the split 'train', and my-tasks has no other; "
        "--demos-from DIR names another set"
    )
    assert record.solver["told"] == [third]
    assert record.solver["demonstrations_shown"] == {"asked": 7, "fewest": 0, "most": 0}
    # It is asked as it is asked: two fields, each with a picture, no temperature, and at its own price.
    assert [asked.json["model"] for asked in provider.requests] == [SUCCESSOR] * 2
    assert all("temperature" not in asked.json for asked in provider.requests)
    assert all(asked.json["messages"][-1]["content"][-1]["type"] == "image_url" for asked in provider.requests)
    assert record.spent.cost == 2 * Decimal("0.003")
    assert record.config.options["model"] == SUCCESSOR
    # So is it called, wherever it is shown.
    name = f"{SUCCESSOR}-2026-10-01 (gpt4v)"
    assert said.out.startswith(f"Solver {name}")
    assert "ANOTHER MODEL" not in said.out
    assert report.main([str(run.folder), "--out", str(tmp_path / "report.html")]) == COMPLETE
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert name in page
    assert "gpt-4-vision-preview" not in page
    added = ["add", str(run.folder), "--folder", str(tmp_path / "board"), "--tasks-dir", str(home / "my-tasks")]
    assert leaderboard.main(added) == COMPLETE
    (entry,) = (tmp_path / "board").glob("*.json")
    assert json.loads(entry.read_text(encoding="utf-8"))["name"] == name


@pytest.mark.slow
def test_another_set_gives_the_demonstrations_and_going_on_has_to_agree_to_it(home, tmp_path, provider, capsys):
    run = RunDirectory(tmp_path / "run")
    assert evaluate(home, run.folder, "--demos", "1", "--demos-from", str(home / "others")) == COMPLETE
    assert "demonstrations:" not in capsys.readouterr().err
    told = run.read().solver
    assert told["demonstrations"] == ["Words/0/words"]
    assert told["demonstrations_shown"] == {"asked": 1, "fewest": 1, "most": 1}
    assert (told["demonstrations_from"]["folder"], len(told["demonstrations_from"]["sha256"])) == ("others", 64)
    assert "self.actions.modify_text('words', 'barks')" in provider.requests[0].body.decode()
    assert main(["--resume", str(run.folder), "--progress", "quiet"]) == WRONG_USE
    assert f"take demonstrations from the tasks in '{home / 'others'}'" in capsys.readouterr().err
    again = ["--resume", str(run.folder), "--demos-from", str(home / "others"), "--progress", "quiet"]
    assert main(again) == COMPLETE
    assert run.read().solver == told


def test_another_set_is_of_no_use_without_demonstrations(home, tmp_path, capsys):
    assert evaluate(home, tmp_path / "run", "--demos", "0", "--demos-from", str(home / "others")) == WRONG_USE
    assert "--demos-from: no demonstrations are asked for; give --demos, too" in capsys.readouterr().err


def _said(asked: Asked) -> str:
    """The last message, of a request that has the published shape and a picture in it."""
    assert problems(asked.json, CompletionCreateParamsNonStreaming) == []
    parts = asked.json["messages"][-1]["content"]
    assert "image_url" in {part["type"] for part in parts}
    return "".join(part.get("text", "") for part in parts)


def _fills_in(asked: Asked) -> Answer:
    name = _said(asked).partition("\n")[0].removeprefix("Input: ")
    action = {"ending": "modify_radio('ending', 'B')", "goes_on": "modify_text('goes_on', 'It went on.')"}
    return openai_reply(f"self.actions.{action.get(name, f'modify_text({name!r}, {name!r})')}", model=SUCCESSOR)


def _shops(asked: Asked) -> Answer:
    told = _said(asked)
    if "/cart/ (shown)" in told:
        return openai_reply("Thought: it is done\nAction: finish()", model=SUCCESSOR)
    found = re.search(r'\[(\d+)\] (?:button "Add to cart|link "Morrow Glass)', told)
    assert found, told
    return openai_reply(f"Thought: next\nAction: click_element({found[1]})", model=SUCCESSOR)


@pytest.mark.slow
def test_every_request_about_a_bundled_form_is_of_the_published_shape(tmp_path, provider):
    provider.answer_by(_fills_in)
    chosen = ["--task", "Who is meant", "--max-instances", "1"]
    where = ["--tasks-dir", str(PROJECT / "tasks"), "--out", str(tmp_path / "run")]
    assert main(["--solver", "gpt4v", *chosen, *where, "--workers", "1", "--progress", "quiet"]) == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert (episode.outcome, len(provider.requests)) == ("scored", 5)
    assert {"modify_radio('ending', 'B')", "modify_text('goes_on', 'It went on.')"} <= {
        step.action for step in episode.steps if step.ok
    }


@pytest.mark.slow
def test_every_request_about_a_bundled_site_is_of_the_published_shape(tmp_path, provider):
    provider.answer_by(_shops)
    (folder := tmp_path / "tasks" / "A kettle").mkdir(parents=True)
    (folder / "task.json").write_text(json.dumps(TASK), encoding="utf-8")
    (folder / "trace.json").write_text(json.dumps(TRACE), encoding="utf-8")
    where = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")]
    assert main(["--solver", "gpt4v", *where, "--workers", "1", "--progress", "quiet"]) == COMPLETE
    assert RunDirectory(tmp_path / "run").read().results.overall.score == 1
    assert len(provider.requests) == 3
