"""The command that evaluates step by step."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.offline_eval import main
from harness.papers.mind2web.demonstrations.mind2web_file import written
from tests.models.servers import Server, openai_reply
from tests.papers.teacher_forced.made import CLICK, TYPE, demonstration

ODD = "tests.papers.teacher_forced.odd_solvers"


@pytest.fixture
def traces(tmp_path):
    file = tmp_path / "traces.jsonl"
    written((demonstration(f"d{number}") for number in range(4)), file)
    return file


def evaluate(traces, solver, *more):
    out = traces.parent / "out"
    return main([str(traces), "--solver", solver, "--out", str(out), "--progress", "quiet", *map(str, more)])


def lines(traces):
    return (traces.parent / "out" / "predictions.jsonl").read_text().splitlines()


def test_the_oracle_has_everything_right(traces, capsys):
    assert evaluate(traces, "oracle") == COMPLETE
    assert "macro, over tasks      4     12         100.0   100.0         100.0" in capsys.readouterr().out


def test_the_numbers_can_be_had_as_json(traces, capsys):
    assert evaluate(traces, "first", "--json", "--orders", 2) == COMPLETE
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["whole"]["steps"] == 12
    assert numbers["spread"]["step_success"]["values"] == [0.0, 0.0]


@pytest.mark.slow
def test_an_evaluation_that_was_killed_is_gone_on_with_and_asks_nothing_twice(traces):
    command = [sys.executable, "-m", "harness", "offline-eval", str(traces), "--solver", f"{ODD}:DiesOnce"]
    command += ["--out", str(traces.parent / "out"), "--resume", "--progress", "quiet"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == -signal.SIGKILL
    before = lines(traces)
    assert len(before) == 2
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (COMPLETE, "")
    after = lines(traces)
    assert after[:2] == before
    places = [(json.loads(line)["task"], json.loads(line)["step"]) for line in after]
    assert len(places) == len(set(places)) == 12


def test_a_folder_is_not_written_over(traces, capsys):
    assert evaluate(traces, "first") == COMPLETE
    assert evaluate(traces, "first") == WRONG_USE
    assert "--resume" in capsys.readouterr().err
    assert evaluate(traces, "first", "--resume") == COMPLETE
    assert evaluate(traces, "lexical", "--resume") == WRONG_USE
    assert "other solver" in capsys.readouterr().err


def test_a_name_that_was_written_wrongly_leaves_nothing_that_is_in_the_way(traces):
    assert evaluate(traces, "frist") == WRONG_USE
    assert evaluate(traces, "first") == COMPLETE


def test_what_is_not_answered_is_told_and_the_exit_code_says_so(traces, capsys):
    assert evaluate(traces, f"{ODD}:NotAlways") == INCOMPLETE
    said = capsys.readouterr()
    assert "4 predictions missing; 4 tasks left out of all numbers" in said.out
    assert "not answered, 4 times: the page could not be shown" in said.err


def test_a_provider_that_has_gone_ends_it_and_what_there_is_is_kept(traces, capsys):
    assert evaluate(traces, f"{ODD}:Gone") == INCOMPLETE
    assert "--resume" in capsys.readouterr().err
    assert len(lines(traces)) == 1


def test_traces_that_are_none_are_refused(traces, tmp_path, capsys):
    (tmp_path / "none.json").write_text("{}")
    assert evaluate(tmp_path / "none.json", "first") == WRONG_USE
    assert evaluate(tmp_path / "missing.json", "first") == WRONG_USE
    assert evaluate(traces, "first", "--split", "cross-website") == WRONG_USE
    assert "no step of the split cross-website" in capsys.readouterr().err


@pytest.mark.slow
def test_a_model_that_solves_sites_is_asked_step_by_step_and_its_thoughts_are_no_answers(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    file = tmp_path / "traces.json"
    written([demonstration(steps=[TYPE, CLICK])], file)

    def reply(asked):
        text = json.dumps(asked.json)
        is_first = "done already" not in text
        action = "fill(2, 'New Lisbon')" if is_first else "click_element(4)"
        return openai_reply(f"<think>\nAction: click_element(1)\n</think>\nThought: it helps.\nAction: {action}")

    with Server(reply) as server:
        asked = ("--base-url", f"{server.url}/v1", "--set", "output=text", "--set", "vision=false")
        assert evaluate(file, "page:gpt-4o", *asked) == COMPLETE, capsys.readouterr().err
        assert len(server.requests) == 2
        assert evaluate(file, "page:gpt-4o", *asked, "--resume") == COMPLETE
        assert len(server.requests) == 2
    first, second = (json.loads(line) for line in lines(file))
    assert (first["backend_node_id"], first["op"], first["value"]) == ("6", "TYPE", "New Lisbon")
    assert (second["backend_node_id"], second["element"]) == ("10", True)
    assert "Buy the lamp" in json.dumps(server.requests[0].json)
    assert (tmp_path / "out" / "replies").is_dir()


@pytest.mark.slow
def test_a_dry_run_tells_what_it_takes_and_asks_and_writes_nothing(traces, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server([]) as server:
        more = ("--base-url", f"{server.url}/v1", "--set", "vision=false", "--orders", 2, "--limit", 1, "--dry-run")
        assert evaluate(traces, "page:gpt-4o", *more) == COMPLETE
        assert server.requests == []
    assert "6 steps: at most 6 questions" in capsys.readouterr().out
    assert not (traces.parent / "out").exists()
    for solver in ("first", "page:search"):
        assert evaluate(traces, solver, "--dry-run") == WRONG_USE
        assert "asks no model" in capsys.readouterr().err


@pytest.mark.slow
def test_a_limit_that_leaves_no_room_for_a_call_ends_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    file = tmp_path / "traces.json"
    written([demonstration(steps=[CLICK])], file)
    with Server([]) as server:
        asked = ("--base-url", f"{server.url}/v1", "--max-tokens", 10)
        assert evaluate(file, "page:gpt-4o", *asked) == INCOMPLETE
        assert server.requests == []
    assert "leaves no room" in capsys.readouterr().err
