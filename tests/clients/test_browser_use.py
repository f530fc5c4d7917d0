"""browser-use, as strangers install it, with a model that is a script on loopback."""

from __future__ import annotations

import json
import re
from typing import Any

from harness.records.agent_report import AgentReport
from tests.checkout import PROJECT
from tests.clients.environments import client, python_of
from tests.clients.forms import played
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.needs import needs
from tests.runs import sent

STATE = re.compile(r"<browser_state>.*</browser_state>", re.DOTALL)
WANTED = {
    r"name=a\b": lambda number: {"input": {"index": number, "text": "words"}},
    r"name=b value=1\b": lambda number: {"click": {"index": number}},
    r"name=c\b": lambda number: {"click": {"index": number}},
    r"name=d\b": lambda number: {"select_dropdown": {"index": number, "text": "X"}},
}
"""What a line of the page as browser-use shows it has in it -> the action on the element of that line."""
OUTSIDE = {"ANONYMIZED_TELEMETRY": "false", "BROWSER_USE_VERSION_CHECK": "false", "BROWSER_USE_CLOUD_SYNC": "false"}
"""Nobody outside of this machine is asked or told anything."""


class Script:
    """A model that fills in one field a turn, by the numbers that it is shown, and is done then."""

    def __init__(self) -> None:
        self.turns = 0

    def __call__(self, asked: Asked) -> Answer:
        wanted = list(WANTED.items())[self.turns : self.turns + 1]
        self.turns += 1
        actions = [make(number_of(pattern, shown(asked.json))) for pattern, make in wanted]
        return reply(actions or [{"done": {"text": "All is filled in.", "success": True}}])


def shown(request: dict[str, Any]) -> str:
    """The page as the model is shown it."""
    content = request["messages"][-1]["content"]
    parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
    found = STATE.search("\n".join(parts))
    assert found
    return found[0]


def number_of(pattern: str, state: str) -> int:
    lines = [line for line in state.splitlines() if re.search(pattern, line)]
    found = re.search(r"\[(\d+)\]<(?:input|select)", lines[0])
    assert found
    return int(found[1])


def reply(actions: list[dict[str, Any]]) -> Answer:
    thought = {"thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": ""}
    return openai_reply(json.dumps({**thought, "action": actions}), usage=(120, 30, 0))


@needs(client("browser-use"))
def test_its_example_fills_in_a_form_with_what_a_model_says(tmp_path):
    script = Script()
    with Server(script) as server:
        environment = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "none",
            "AGENT_MODEL": "scripted",
            **OUTSIDE,
        }
        program = PROJECT / "examples" / "browser_use_agent.py"
        command = (str(python_of("browser-use")), str(program))
        made = played(tmp_path / "tasks", *command, environment=environment, reach=server.url)
    assert (made.outcome, made.turns[0].finish) == ("scored", "exit 0"), made.turns
    assert sent(made) == {"a": ("words",), "b": ("1",), "c": ("on",), "d": ("x",), "e": ("5",)}
    assert script.turns == len(WANTED) + 1
    assert "All is filled in." in made.turns[0].reply
    turns = script.turns
    assert made.agent_report == AgentReport(input_tokens=120 * turns, output_tokens=30 * turns, model="scripted")
    assert "Failed to resolve" not in made.turns[0].note  # a look-up of something outside
