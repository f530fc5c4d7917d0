"""Alumnium, as strangers install it, with a model that is a script on loopback."""

from __future__ import annotations

import json
import re

import pytest

from harness.records.agent_report import AgentReport
from tests.checkout import PROJECT
from tests.clients.environments import client, python_of
from tests.clients.forms import played
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.needs import needs
from tests.runs import sent

WANTED = {
    "type words": (r"<textbox", "TypeTool", {"text": "words"}),
    "click one": (r'<radio name="one"', "ClickTool", {}),
    "click see": (r'<checkbox name="see"', "ClickTool", {}),
    "click X": (r'<option name="X"', "ClickTool", {}),
    "drag slider": (r"<slider", "DragSliderTool", {"value": 9}),
}
"""A step that the model plans -> the element, as Alumnium shows it, its tool and what else that takes."""


def script(asked: Asked) -> Answer:
    """A model that plans these steps, and finds the element of each in what it is shown."""
    if "tools" not in asked.json:
        return openai_reply(json.dumps({"explanation": "All is planned.", "actions": list(WANTED)}), usage=(120, 30, 0))
    shown = asked.json["messages"][-1]["content"]
    pattern, tool, arguments = next(said for step, said in WANTED.items() if f"Step: {step}\n" in shown)
    found = re.search(rf"{pattern}[^>]* id=(\d+)|{pattern} id=(\d+)", shown)
    assert found
    return openai_reply("", [(tool, {"id": int(found[1] or found[2]), **arguments})], usage=(120, 30, 0))


@needs(client("alumnium"))
@pytest.mark.slow
def test_its_example_fills_in_a_form_with_what_a_model_says_and_reports_its_tokens(tmp_path):
    program = PROJECT / "examples" / "alumnium_agent.py"
    with Server(script) as server:
        environment = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "none", "AGENT_MODEL": "scripted"}
        command = (str(python_of("alumnium")), str(program))
        made = played(tmp_path, *command, environment=environment, reach=server.url)
    assert (made.outcome, made.turns[0].finish) == ("scored", "exit 0"), made.turns
    assert sent(made) == {"a": ("words",), "b": ("1",), "c": ("on",), "d": ("x",), "e": ("9",)}, made.turns
    assert "All is planned." in made.turns[0].reply
    asked = len(server.requests)
    assert asked == len(WANTED) + 1
    assert made.agent_report == AgentReport(input_tokens=120 * asked, output_tokens=30 * asked, model="scripted")
