"""Stagehand, as strangers install it, with a model that is a script on loopback."""

from __future__ import annotations

import json
import re

import pytest

from harness.records.agent_report import AgentReport
from tests.checkout import PROJECT
from tests.clients.forms import played
from tests.models.servers import Answer, Asked, Server
from tests.needs import NODE, Need, needs
from tests.runs import sent

FOLDER = PROJECT / "examples" / "stagehand_agent"
STAGEHAND = Need("Stagehand", ".ci/real-clients", (FOLDER / "node_modules/@browserbasehq/stagehand").is_dir)
WANTED = {
    '"a"': (r"textbox", "fill", ["words"]),
    '"b"': (r"radio: one", "click", []),
    '"c"': (r"checkbox: see", "click", []),
    '"d"': (r"combobox|select", "selectOptionFromDropdown", ["X"]),
    '"e"': (r"slider", "scrollTo", ["50%"]),
}
"""What Stagehand is asked for -> the element, as it shows it, and what to do there."""


def script(asked: Asked) -> Answer:
    """A model that finds the element in what it is shown."""
    shown = asked.json["input"][-1]["content"][0]["text"]
    pattern, method, arguments = next(said for name, said in WANTED.items() if f"field {name}" in shown)
    found = re.search(rf"\[(\d+-\d+)\] (?:{pattern})", shown)
    action = found and {"elementId": found[1], "description": "it", "method": method, "arguments": arguments}
    said = json.dumps({"action": action, "twoStep": False})
    content = [{"type": "output_text", "text": said, "annotations": []}]
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
    spent = {"input_tokens": 120, "output_tokens": 30, "total_tokens": 150}
    made = {"id": "r", "object": "response", "created_at": 1, "model": "scripted", "output": [message], "usage": spent}
    return Answer(json.dumps(made).encode())


@needs(NODE, STAGEHAND)
@pytest.mark.slow
def test_its_example_fills_in_a_form_with_what_a_model_says_and_reports_its_tokens(tmp_path):
    with Server(script) as server:
        environment = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "none", "AGENT_MODEL": "scripted"}
        made = played(tmp_path, "node", str(FOLDER / "agent.mjs"), environment=environment, reach=server.url)
    assert (made.outcome, made.turns[0].finish) == ("scored", "exit 0"), made.turns
    assert sent(made) | {"e": ()} == {"a": ("words",), "b": ("1",), "c": ("on",), "d": ("x",), "e": ()}, made.turns
    asked = len(server.requests)
    assert made.agent_report == AgentReport(input_tokens=120 * asked, output_tokens=30 * asked, model="scripted")
