"""The official library of the Model Context Protocol as the client, in our version of it and in the one before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.kit.files.installation import own_version
from harness.records.agent_report import AgentReport
from harness.records.directory import RunDirectory
from harness.solvers.outside.assistant import CONFIG, AssistantSolver
from tests.checkout import PROJECT
from tests.clients.environments import client, python_of
from tests.clients.forms import make_form
from tests.clients.mcp_agent import SPENT
from tests.needs import needs
from tests.runs import sent, stage

AGENT = str(PROJECT / "tests" / "clients" / "mcp_agent.py")
PYTHONS = [
    pytest.param(sys.executable, id="2"),
    pytest.param(str(python_of("mcp")), id="1", marks=needs(client("mcp"))),
]


def texts(call: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in call["content"] if part["type"] == "text")


def check(said: dict[str, Any]) -> None:
    """What the client was told is what the protocol and the documentation promise."""
    assert said["serverInfo"] == {"name": "page", "version": own_version()}
    assert "'a'" in said["instructions"]
    assert [resource["uri"] for resource in said["resources"]] == ["page://fields"]
    tools = {tool["name"]: tool for tool in said["tools"]}
    assert tools["observe"]["annotations"]["readOnlyHint"]
    assert tools["finish"]["annotations"]["destructiveHint"]
    assert "axtree" in tools["observe"]["inputSchema"]["properties"]["encoding"]["enum"]
    looked, no_encoding, no_field, wrote, finished, late = said["calls"]
    assert [part["type"] for part in looked["content"]] == ["image", "text"]
    assert "Some words of x" in texts(looked)
    assert [call["isError"] for call in said["calls"]] == [False, True, True, False, False, True]
    assert "'encoding' must be one of none, full" in texts(no_encoding)
    assert "the fields are 'a', 'b', 'c', 'd', 'e'" in texts(no_field)
    assert "'a' holds 'w'" in texts(wrote)
    assert "is over" in texts(finished)
    assert "is over" in texts(late)


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
def test_an_assistant_works_on_one_page_that_it_starts_itself(python, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make_form(tmp_path / "tasks")
    arguments = ["-m", "harness", "page", "mcp", "--task", "Form", "--tasks-dir", str(tmp_path / "tasks")]
    page = {
        "command": sys.executable,
        "args": [*arguments, "--out", str(tmp_path / "run")],
        "env": {"PYTHONPATH": str(PROJECT)},
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"page": page}}), encoding="utf-8")
    command = [python, AGENT, str(config), "w"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    assert ended.returncode == 0, ended.stderr
    check(json.loads(ended.stdout))
    (made,) = RunDirectory.open(tmp_path / "run").episodes()
    assert (made.outcome, sent(made)["a"], made.agent_report) == ("scored", ("w",), AgentReport(**SPENT))


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
def test_an_assistant_is_the_agent_of_a_run(python, tmp_path):
    make_form(tmp_path)
    with stage(Path(tmp_path)) as at:
        made = at.play("Form", AssistantSolver([python, AGENT, CONFIG, "w"], {}, tell_fields=True))
    assert (made.outcome, sent(made)["a"], made.agent_report) == ("scored", ("w",), AgentReport(**SPENT)), made.turns[
        -1
    ]
    assert [turn.calls[0].partition("(")[0] for turn in made.turns[:-1] if "error" not in turn.calls[0]] == [
        "observe",
        "modify_text",
        "modify_text",
        "finish",
    ]
