"""Whole runs with ``--output computer`` from the command line: what is recorded, and what is refused."""

from __future__ import annotations

import json

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.kit.words import hash_of_words
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked
from harness.run.replaying import calls_of
from harness.solvers.models.computer.protocol import REPEATS, WORDS
from tests.models.servers import Asked, Server
from tests.solvers.models.computer.test_anthropic_computer import reply
from tests.solvers.runs import as_a_user, make_pages


def ask(number: int, name: str, **given: object) -> dict:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given, "toolset_name": "computer"}


@pytest.fixture
def tasks(tmp_path, monkeypatch):
    as_a_user(monkeypatch, tmp_path / "cache")
    make_pages(tmp_path / "tasks", 1)
    return tmp_path / "tasks"


def evaluate(tasks, script, *more: str) -> tuple[int, RunDirectory, list[Asked]]:
    out = tasks.parent / "run"
    with Server(script) as server:
        arguments = ["--solver", "claude-computer", "--base-url", server.url, "--tasks-dir", str(tasks)]
        code = main([*arguments, "--out", str(out), "--workers", "1", "--progress", "quiet", *more])
    return code, RunDirectory(out), server.requests


@pytest.mark.slow
def test_a_run_shows_pixels_alone_and_keeps_how_it_was_done(tasks):
    plan = [[ask(1, "key", text="Tab"), ask(2, "type", text="filled"), ask(3, "key", text="Tab")]]
    plan += [
        [ask(4, "type", text="filled"), ask(5, "triple_click", coordinate=[5, 790])],
        [{"type": "text", "text": "It is done."}],
    ]
    code, run, requests = evaluate(tasks, [reply(content) for content in plan])
    assert code == COMPLETE
    record = run.read()
    assert record.results.overall.score == 1
    assert record.solver["computer"] == {"safety_checks": "acknowledged", "screen": [1280, 800], "units": [1280, 800]}
    assert record.solver["prompts"] == hash_of_words(WORDS.folder)
    assert record.solver["recipe"]["dialect"] == "anthropic-20260801"
    assert (record.config.options["output"], record.config.options["encoding"]) == ("computer", "none")
    (episode,) = run.episodes()
    assert [turn.calls[0] for turn in episode.turns] == ["press('Tab')", "type('filled')", "finish()"]
    # It can be done again from what is recorded.
    assert [call.name for call in calls_of(episode)] == ["press", "type", "press", "type", "press_button"]
    # Neither the names of fields nor the page's HTML were sent.
    sent = json.dumps([{**asked.json, "messages": _without_pictures(asked.json["messages"])} for asked in requests])
    assert "<input" not in sent
    kept = unpacked(run.folder / "texts", episode.turns[1].sent)
    assert kept["messages"][2]["native"][0]["id"] == "toolu_1"


def _without_pictures(messages: list) -> list:
    text = json.dumps(messages)
    return json.loads(text) if len(text) < 10_000 else [text[:2_000]]


@pytest.mark.slow
def test_a_model_that_goes_in_circles_is_stopped(tasks):
    def script(asked: Asked):
        return reply([ask(len(asked.json["messages"]), "screenshot")])

    _, run, requests = evaluate(tasks, script)
    (episode,) = run.episodes()
    assert (episode.outcome, episode.limit) == ("limit", "repeats")
    assert len(requests) == REPEATS


@pytest.mark.slow
def test_a_reply_that_was_cut_off_is_told_and_not_taken_for_the_end(tasks):
    cut = reply([{"type": "text", "text": "I will now"}], stop="max_tokens")
    _, run, requests = evaluate(tasks, [cut, reply([{"type": "text", "text": "Done."}])])
    said = [part["text"] for part in requests[1].json["messages"][-1]["content"] if part["type"] == "text"]
    assert said[0].startswith("Your reply was not acted on. Your reply was cut off before it called a tool.")
    (episode,) = run.episodes()
    assert episode.turns[1].calls == ("finish()",)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--protocol", "field"], "--protocol field: a model that uses a computer works on the whole form"),
        (["--encoding", "full"], "--output computer shows the screen, and nothing else"),
        (["--no-vision"], "without text and pictures a model sees nothing"),
        (["--screenshot", "full"], "--output computer shows the screen, and nothing else"),
        (["--model", "my-own"], "how my-own uses a computer over the provider anthropic is not known"),
    ],
)
def test_what_does_not_go_with_it_is_refused(tasks, capsys, options, reason):
    assert (
        main(["--solver", "claude-computer", "--tasks-dir", str(tasks), "--base-url", "http://127.0.0.1:9", *options])
        == WRONG_USE
    )
    assert reason in capsys.readouterr().err
