"""Who is credited for a run: the model that answered, or the program that worked."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from harness.records.agent_name import agent_name, other_models, program_name, told_of_other_models
from tests.samples import run_record


@pytest.mark.parametrize(
    ("solver", "served", "options", "name"),
    [
        # The models that answered, and not the one that was asked for, unless none has answered yet.
        ("gpt4-text", ("qwen3-8b",), {"model": "gpt-4"}, "qwen3-8b (gpt4-text)"),
        ("gpt4-text", ("b", "a"), {"model": "gpt-4"}, "a + b (gpt4-text)"),
        ("gpt4-text", (), {"model": "gpt-4"}, "gpt-4 (gpt4-text)"),
        ("local", (), {"model": "/models/llama.gguf"}, "llama.gguf (local)"),
        # Of a loop with tools the model, and not its preset; of a solver that is called as its model the one name.
        ("mcp", (), {"model": "gpt-4o", "model_id": "gpt-6-luna"}, "gpt-6-luna (mcp)"),
        ("gpt-4o", ("gpt-4o",), {"model": "gpt-4o"}, "gpt-4o"),
        ("command", (), {"command": "python agents/mine.py --fast"}, "mine.py (command)"),
        ("command", ("m-1",), {"command": "python agents/mine.py"}, "m-1 (command)"),
        ("do-nothing", (), {}, "do-nothing"),
    ],
)
def test_an_agent_is_named_by_the_model_that_answered_or_its_program(solver, served, options, name):
    record = run_record()
    config = replace(record.config, solver=solver, options=options)
    assert agent_name(replace(record, config=config, served=dict.fromkeys(served, 1))) == name


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
        ("tiny-instruct", "tiny-instruct.Q4_1"),
        ("org/tiny-instruct", "tiny-instruct-q4_k_m.gguf"),
        ("", "anything"),
    ],
)
def test_a_version_of_a_model_is_that_model(asked, served):
    assert other_models(asked, [served]) == []


@pytest.mark.parametrize(
    ("asked", "served"),
    [("gpt-4o", "gpt-4o-mini"), ("gpt-4", "gpt-4o"), ("gpt-4", "qwen3-8b"), ("tiny.Q8_0", "tiny.Q4_1")],
)
def test_another_model_is_noticed(asked, served):
    assert other_models(asked, [asked, served]) == [served]


def test_a_reader_is_told_of_another_model():
    record = run_record()
    record = replace(record, config=replace(record.config, options={"model": "gpt-4"}), served={"gpt-4": 1, "qwen3": 2})
    assert {"gpt-4", "qwen3"} <= set(re.findall(r"[\w-]+", told_of_other_models(record)))
    assert told_of_other_models(replace(record, served={"gpt-4": 3})) == ""
