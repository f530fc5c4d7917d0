"""Runs of a model from the command line: a scripted model behind the real protocols, accounts and cache."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.models.ledger import LEDGER, Ledger
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked
from harness.solvers.models.prompt_sets import words_hash
from tests.solvers.runs import SCRIPTED, calls, evaluate
from tests.task_folders import csv_text, make_task

PAGE = "<p>${text}</p><input name=a><textarea name=b></textarea>"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    rows = [[f"text {number}", "filled", "filled"] for number in range(2)]
    make_task(folder / "tasks", "Text", template=PAGE, table=csv_text(["text", "Answer.a", "Answer.b"], *rows))
    return folder


@pytest.fixture(autouse=True)
def _own_places(home, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("SCRIPTED_CALLS", str(tmp_path / "calls"))


@pytest.fixture(scope="module")
def whole(home):
    """An undisturbed run by protocol ``field``, whose replies are kept apart; and how many calls it made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("SCRIPTED_CALLS", str(home / "calls"))
        code, run = evaluate(home / "tasks", home / "whole", "--cache", str(home / "replies"))
        assert code == COMPLETE
        return run, len(calls())


def is_accounted_for(run: RunDirectory, requests: int) -> bool:
    turns = [turn for episode in run.episodes() for turn in episode.turns]
    assert len(turns) == requests
    assert sum(turn.cost for turn in turns) == pytest.approx(0.013 * requests)
    assert float(Ledger(run.folder / LEDGER).totals().cost) == pytest.approx(0.013 * requests)
    return all((run.folder / "texts" / f"{turn.sent}.json").exists() for turn in turns)


def test_a_run_by_fields_is_scored_and_accounted_for(whole):
    run, made = whole
    assert run.read().results.overall.score == 1
    assert made == 4
    assert is_accounted_for(run, 4)


@pytest.mark.slow
def test_a_run_by_forms_is_scored_and_accounted_for_and_shows_no_demonstration_of_its_own_task(home, tmp_path):
    code, run = evaluate(home / "tasks", tmp_path / "run", "--protocol", "form", "--demos", "1")
    assert code == COMPLETE
    assert run.read().results.overall.score == 1
    assert is_accounted_for(run, 4)
    # The only task there is gives the only demonstration.
    (listed,) = run.read().solver["demonstrations"]
    assert listed.startswith("Text/")
    first = next(run.episodes()).turns[0]
    sent = unpacked(run.folder / "texts", first.sent)
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]


def test_what_decides_the_prompts_stands_in_the_run(whole):
    record = whole[0].read()
    assert record.solver["prompts"] == words_hash("harness")
    assert record.solver["recipe"]["encoding"] == "text"
    assert record.config.options["model"] == "gpt-4-turbo-preview"


@pytest.mark.slow
def test_the_model_that_answered_is_named_and_not_the_one_that_was_asked_for(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SCRIPTED_MODEL", "served-1")
    _, run = evaluate(home / "tasks", tmp_path / "run", "--progress", "plain")
    record, said = run.read(), capsys.readouterr()
    assert record.served == {"served-1": 2}
    assert agent_name(record).startswith("served-1 (")
    assert f"{record.config.options['model']} was asked for, and served-1 answers" in said.err
    assert said.out.startswith("Solver served-1 (")
    assert "ANOTHER MODEL: " in said.out


@pytest.mark.slow
def test_the_model_that_was_asked_for_is_no_other_model(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SCRIPTED_MODEL", "gpt-4-0613")
    evaluate(home / "tasks", tmp_path / "run", "--model", "gpt-4")
    assert "ANOTHER MODEL" not in capsys.readouterr().out


@pytest.mark.slow
def test_no_action_in_a_thought_is_done(home, tmp_path, monkeypatch):
    monkeypatch.setenv("SCRIPTED_THOUGHT", "<think>modify_text('b', 'thought')</think>")
    _, run = evaluate(home / "tasks", tmp_path / "run", "--protocol", "form")
    steps = [step.action for episode in run.episodes() for step in episode.steps]
    assert steps
    assert not [action for action in steps if "thought" in action]
    assert {turn.thought for episode in run.episodes() for turn in episode.turns} == {"modify_text('b', 'thought')"}


@pytest.mark.slow
def test_a_run_that_is_killed_in_the_midst_of_a_page_pays_for_no_request_twice(home, tmp_path, monkeypatch):
    monkeypatch.setenv("SCRIPTED_KILL", str(tmp_path / "sign"))
    code, run = evaluate(home / "tasks", tmp_path / "run")
    assert (code, (tmp_path / "sign").exists()) == (COMPLETE, True)
    keys = calls()
    # The call that died with its worker has no reply that could have been kept; all others were made once.
    assert len(keys) == 5
    assert len(set(keys)) == 4
    assert run.read().results.overall.score == 1


@pytest.mark.slow
def test_a_resumed_run_asks_for_nothing_that_it_has_the_reply_to(whole, tmp_path):
    run = RunDirectory(tmp_path / "run")
    shutil.copytree(whole[0].folder, run.folder)
    min(run.folder.glob("episodes/*/*.json")).unlink()
    run.write(replace(run.read(), status="interrupted"))
    assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    assert calls() == []
    assert [episode.cost for episode in run.episodes()] == [0.0, pytest.approx(0.026)]
    assert float(Ledger(run.folder / LEDGER).totals().cost) == pytest.approx(0.052)


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
def test_runs_share_replies_in_one_folder(home, tmp_path):
    _, run = evaluate(home / "tasks", tmp_path / "run", "--cache", str(home / "replies"), "--max-instances", "1")
    assert calls() == []
    assert [turn.cached for episode in run.episodes() for turn in episode.turns] == [True, True]


@pytest.mark.slow
def test_when_the_money_is_used_up_what_stands_on_the_page_is_scored(home, tmp_path):
    code, run = evaluate(home / "tasks", tmp_path / "run", "--max-cost", "0.045")
    assert code == INCOMPLETE
    episodes = list(run.episodes())
    assert [episode.outcome for episode in episodes] == ["scored", "limit"]
    assert (episodes[1].detail, episodes[1].limit, episodes[1].allowed) == ("cost", "cost", 0.045)
    assert float(Ledger(run.folder / LEDGER).totals().cost) <= 0.045
    assert 0 < run.read().results.overall.score < 1


def test_without_a_key_the_run_ends_at_once_and_its_folder_can_be_used_again(home, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    code, run = evaluate(home / "tasks", tmp_path / "run", "--max-instances", "1", solver="gpt-6-luna")
    assert code == WRONG_USE
    assert "error: OPENAI_API_KEY is not set" in capsys.readouterr().err
    assert not run.folder.exists()


@pytest.mark.slow
def test_a_dry_run_tells_tokens_and_cost_and_asks_nothing(home, capsys):
    arguments = ["--solver", SCRIPTED, "--tasks-dir", str(home / "tasks"), "--max-instances", "1"]
    assert main([*arguments, "--dry-run"]) == COMPLETE
    said = capsys.readouterr().out
    assert "Text" in said
    assert re.search(r"all +1 +2 +[\d,]+ +[\d,]+ +\$0\.0[12]\d\d", said)
    assert calls() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"command": "x"}, "--command: the solver 'gpt-4o' takes no such options"),
        ({"base_url": "http://me:word@host/v1"}, "--base-url must not hold a name, a password"),
        ({"encoding": "nonsense"}, "--encoding nonsense: there are full, relevant"),
        ({"screenshot": "nonsense"}, "--screenshot nonsense: there are none, viewport"),
        ({"field_names": False, "protocol": "field"}, "--no-field-names needs --protocol form"),
        ({"protocol": "form", "screenshot": "element"}, "--screenshot element shows one field"),
        ({"vision": False, "screenshot": "full"}, "--no-vision and --screenshot"),
        ({"vision": True, "screenshot": "none"}, "--vision and --screenshot none"),
        ({"encoding": "none", "vision": False}, "sees nothing"),
        ({"max_input_tokens": 10**9}, "more than the 128000 tokens"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_before_anything_is_begun(options, said):
    with pytest.raises(WrongOptions, match=said):
        find_solver("gpt-4o").check(options)


def test_a_model_in_the_process_takes_neither_tools_nor_pictures():
    for options in ({"output": "tools"}, {"vision": True}):
        with pytest.raises(WrongOptions):
            find_solver("local").check(options)


def test_what_is_left_open_is_filled_in_once_and_for_all():
    first = find_solver("gpt4v").check({"demos": 3})
    assert first["screenshot"] == "viewport"
    assert first["demos"] == 3
    assert find_solver("gpt4v").check(first) == first
    assert json.loads(json.dumps(first)) == first


@pytest.mark.parametrize(
    ("options", "screenshot"),
    [({}, "none"), ({"vision": True}, "viewport"), ({"screenshot": "marks"}, "marks"), ({"vision": False}, "none")],
)
def test_pictures_are_a_matter_of_one_option(options, screenshot):
    assert find_solver("gpt-4o-mini").check(options)["screenshot"] == screenshot


def test_a_limit_on_money_needs_a_price(home, tmp_path, capsys):
    more = ["--max-cost", "1", "--model", "nobody-knows-this", "--base-url", "http://127.0.0.1:9/v1"]
    code, _ = evaluate(home / "tasks", tmp_path / "run", *more, solver="claude")
    assert code == WRONG_USE
    assert "--max-cost cannot be kept" in capsys.readouterr().err


@pytest.mark.parametrize("preset", ["claude-haiku", "gemini"])
def test_how_likely_replies_were_is_not_asked_of_providers_that_do_not_tell(preset):
    with pytest.raises(WrongOptions, match=r"--likelihoods: .* is not asked"):
        find_solver(preset).check({"likelihoods": True})
