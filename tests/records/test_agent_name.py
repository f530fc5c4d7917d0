"""Who is credited for a run: the model that answered, or the program that worked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.records.agent_name import agent_name, other_models, program_name, told_of_other_models
from tests.samples import run_record


def named(solver: str, served: tuple[str, ...] = (), **options: object) -> str:
    record = run_record()
    config = replace(record.config, solver=solver, options=options)
    return agent_name(replace(record, config=config, served=dict.fromkeys(served, 1)))


def test_the_model_that_answered_is_named_and_not_the_one_that_was_asked_for():
    assert named("gpt4-text", ("qwen3-8b",), model="gpt-4") == "qwen3-8b (gpt4-text)"


def test_all_models_that_answered_are_named():
    assert named("gpt4-text", ("b", "a"), model="gpt-4") == "a + b (gpt4-text)"


def test_before_any_answered_the_one_that_is_asked_for_is_named():
    assert named("gpt4-text", model="gpt-4") == "gpt-4 (gpt4-text)"
    assert named("local", model="/models/llama.gguf") == "llama.gguf (local)"


def test_of_a_loop_with_tools_the_model_is_named_and_not_its_preset():
    assert named("mcp", model="gpt-4o", model_id="gpt-6-luna") == "gpt-6-luna (mcp)"


def test_a_solver_that_is_called_as_its_model_is_named_once():
    assert named("gpt-4o", ("gpt-4o",), model="gpt-4o") == "gpt-4o"


def test_a_program_is_named():
    assert named("command", command="python agents/mine.py --fast") == "mine.py (command)"
    assert named("command", ("m-1",), command="python agents/mine.py") == "m-1 (command)"


def test_a_baseline_is_its_name():
    assert named("do-nothing") == "do-nothing"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("./bot", "bot"),
        ("python3 -m agents.browser -v", "agents.browser"),
        ("uv run agent --x 'a b'", "agent"),
        ("'/my agents/a.sh'", "a.sh"),
        ("python", "python"),
        ("'open", ""),
    ],
)
def test_the_program_of_a_command_is_found_behind_what_starts_it(command, name):
    assert program_name(command) == name


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4", "gpt-4-0613"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("gemini-1.5-pro", "gemini-1.5-pro-002"),
        ("meta-llama/Llama-3", "llama-3"),
        ("qwen3:8b", "qwen3"),
        ("/models/tiny.gguf", "tiny"),
        ("", "anything"),
    ],
)
def test_a_version_of_a_model_is_that_model(asked, served):
    assert other_models(asked, [served]) == []


@pytest.mark.parametrize(("asked", "served"), [("gpt-4o", "gpt-4o-mini"), ("gpt-4", "gpt-4o"), ("gpt-4", "qwen3-8b")])
def test_another_model_is_noticed(asked, served):
    assert other_models(asked, [asked, served]) == [served]


def test_a_reader_is_told_of_another_model():
    record = run_record()
    record = replace(record, config=replace(record.config, options={"model": "gpt-4"}), served={"gpt-4": 1, "qwen3": 2})
    assert told_of_other_models(record).startswith("gpt-4 was asked for, and qwen3 answered")
    assert told_of_other_models(replace(record, served={"gpt-4": 3})) == ""
