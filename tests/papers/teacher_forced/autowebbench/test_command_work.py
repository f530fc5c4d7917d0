"""The command that puts recorded steps to solvers."""

from __future__ import annotations

import json
from datetime import date

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.offline_eval import main
from harness.models import presets, service
from harness.models.providers.openai_client import OpenAIClient
from tests.models.servers import Server, openai_reply
from tests.papers.teacher_forced.autowebbench import odd_command_solvers
from tests.papers.teacher_forced.autowebbench.made import written

ODD = odd_command_solvers.__name__


@pytest.fixture
def steps(tmp_path):
    return written(tmp_path / "en" / "ind" / "test.json")


def evaluate(steps, solver, *more):
    out = steps.parent / "out"
    asked = [str(steps), "--format", "autowebbench", "--solver", solver, "--out", str(out), "--progress", "quiet"]
    return main([*asked, *map(str, more)])


def numbers(capsys):
    return json.loads(capsys.readouterr().out)


def test_the_oracle_has_everything_right_both_ways(steps, capsys):
    assert evaluate(steps, "oracle", "--json") == COMPLETE
    whole = numbers(capsys)["whole"]
    assert [whole["means"][each]["value"] for each in ("type", "element", "parameter", "success")] == [1.0] * 4
    assert [each["value"] for each in whole["script"].values()] == [1.0] * 4
    assert whole["means"]["success"]["clusters"] == 2  # two steps are of one task


def test_floors_press_an_element_of_the_page(steps, capsys):
    for solver, success in (("first", 1 / 3), ("lexical", 1 / 3)):
        assert evaluate(steps, solver, "--json", "--out", steps.parent / solver) == COMPLETE
        assert numbers(capsys)["whole"]["means"]["success"]["value"] == pytest.approx(success)
    assert evaluate(steps, "random", "--orders", 4, "--workers", 2) == COMPLETE
    said = [json.loads(line)["reply"] for line in (steps.parent / "out" / "predictions.jsonl").read_text().splitlines()]
    assert len(said) == 12
    assert set(said) <= {"click('A')", "click('B')", "click('C')", "click('AA')"}


@pytest.mark.parametrize(
    ("solver", "why"),
    [("Raises", "raised RuntimeError"), ("SaysNothing", "no reply")],
)
def test_what_a_solver_does_wrong_is_worth_nothing_and_stays_in_the_denominator(steps, capsys, solver, why):
    assert evaluate(steps, f"{ODD}:{solver}", "--json") == COMPLETE
    found = numbers(capsys)
    assert (found["whole"]["replies"], found["whole"]["unread"]) == (3, 3)
    assert found["whole"]["means"]["type"] | {"low": None, "high": None} == {
        **found["whole"]["means"]["type"], "value": 0.0, "items": 3, "low": None, "high": None,
    }  # fmt: skip
    assert found["problems"] == {why: 3}


def test_what_is_not_answered_is_missing_and_asked_again(steps, capsys):
    assert evaluate(steps, f"{ODD}:NotAlways") == INCOMPLETE
    said = capsys.readouterr()
    assert "2 replies missing" in said.out
    assert "not answered, 2 times: the provider is down" in said.err
    assert evaluate(steps, "oracle") == WRONG_USE
    assert evaluate(steps, "oracle", "--resume") == WRONG_USE
    assert "other solver" in capsys.readouterr().err


def test_what_a_model_only_thinks_of_is_not_its_command(steps, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server(lambda _: openai_reply("<think>\nclick('AA')\n</think>\nclick('C')")) as server:
        assert evaluate(steps, "gpt-4o", "--base-url", f"{server.url}/v1", "--json") == COMPLETE
    assert numbers(capsys)["whole"]["means"]["success"]["value"] == 0


def test_a_model_is_sent_the_prompt_and_what_was_paid_for_is_not_asked_again(steps, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server(lambda _: openai_reply("It helps.\nclick('AA')")) as server:
        asked = ("--base-url", f"{server.url}/v1", "--set", "without=previous")
        assert evaluate(steps, "gpt-4o", *asked, "--dry-run") == COMPLETE
        assert "3 steps: at most 3 questions" in capsys.readouterr().out
        assert not (steps.parent / "out").exists()
        assert evaluate(steps, "gpt-4o", *asked, "--json") == COMPLETE
        assert numbers(capsys)["whole"]["means"]["success"]["value"] == pytest.approx(1 / 3)
        sent = [json.loads(each.body) for each in server.requests]
        assert len(sent) == 2  # two steps have the same prompt
        assert evaluate(steps, "gpt-4o", *asked, "--resume") == COMPLETE
        assert len(server.requests) == 2
    [message] = sent[0]["messages"]
    assert message["role"] == "user"
    assert "<button[AA]|" in json.dumps(message)
    assert "HTML Segment" not in json.dumps(message)


def test_an_evaluation_goes_on_with_the_model_it_began_with_and_a_new_one_asks_what_takes_its_place(
    steps, monkeypatch, capsys
):
    def on(day):
        for module in (presets, presets):
            monkeypatch.setattr(module, "today", lambda: day)

    with Server(lambda _: openai_reply("click('AA')")) as server:
        client = OpenAIClient(f"{server.url}/v1", key="sk-test")
        monkeypatch.setattr(service, "make_client", lambda *_, **__: client)
        on(date(2027, 1, 13))
        assert evaluate(steps, "gpt-4o") == COMPLETE
        asked = len(server.requests)
        on(date(2027, 1, 14))
        assert evaluate(steps, "gpt-4o", "--resume") == WRONG_USE
        assert evaluate(steps, "gpt-4o", "--resume", "--retired-anyway") == COMPLETE
        assert {each.json["model"] for each in server.requests} == {"gpt-4o"}
        assert len(server.requests) == asked
        capsys.readouterr()
        (steps.parent / "out").rename(steps.parent / "first")
        assert evaluate(steps, "gpt-4o") == COMPLETE
        assert {each.json["model"] for each in server.requests[asked:]} == {"gpt-6-luna"}
    assert "so gpt-6-luna answers" in capsys.readouterr().err


def test_a_prompt_that_is_too_long_is_worth_nothing(steps, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert evaluate(steps, "gpt-4o", "--set", "max_input_tokens=10", "--json") == COMPLETE
    assert numbers(capsys)["problems"] == {"the prompt is too long": 3}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--clusters", "website"), "name no website"),
        (("--split", "train"), "no step of the split train"),
        (("--dry-run",), "asks no model"),
    ],
)
def test_what_is_not_for_such_steps_is_refused(steps, capsys, more, message):
    assert evaluate(steps, "first", *more) == WRONG_USE
    assert message in capsys.readouterr().err


def test_unknown_solvers_and_parts_are_told(steps, capsys):
    assert evaluate(steps, "frist") == WRONG_USE
    assert "first" in capsys.readouterr().err
    assert evaluate(steps, "gpt-4o", "--set", "without=ocr") == WRONG_USE
    assert "html, previous" in capsys.readouterr().err
    assert evaluate(steps, "json:loads") == WRONG_USE
    assert evaluate(steps, f"{ODD}:Missing") == WRONG_USE
    assert main([str(steps), "--solver", "first", "--out", str(steps.parent / "x"), "--words", "jieba"]) == WRONG_USE
    assert "--format autowebbench" in capsys.readouterr().err
