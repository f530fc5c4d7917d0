"""A form with every native kind of field, and what the examples of agents make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from harness.browser.box.box import Box
from harness.browser.box.isolation import Isolation, settled, why_not
from harness.records.agent_report import AgentReport
from harness.records.episode import Episode
from harness.solvers.outside.command import CommandSolver
from tests.checkout import PROJECT
from tests.models.servers import Server, openai_reply
from tests.runs import sent, stage
from tests.task_folders import csv_text, make_task

FORM = """<p>Some words of ${text}</p><input name=a>
<label><input type=radio name=b value=1>one</label><label><input type=radio name=b value=2>two</label>
<label><input type=checkbox name=c>see</label>
<select name=d><option value="">choose<option value=x>X</select><input type=range name=e min=2 max=9 value=5>"""

SAID = {"a": "a model's own", "b": "2", "c": "on", "d": "x", "e": "7"}
"""What the scripted model of the examples says."""


def make_form(folder: Path) -> None:
    """A task folder with the task ``Form``, whose one instance has these labels."""
    columns = [f"Answer.{name}" for name in "abcde"]
    make_task(folder, "Form", template=FORM, table=csv_text(["text", *columns], ["x", "w", "1", "on", "x", "2"]))


def played(folder: Path, *command: str, environment: Mapping[str, str] | None = None, reach: str = "") -> Episode:
    """The episode of a program from outside on the form, in the box that it has by default.

    Args:
        folder: Where the form is made.
        command: The program and its arguments.
        environment: Variables for it.
        reach: The address of a server that it is to reach.
    """
    make_form(folder)
    shown = {} if why_not("box") else {"isolate_read": [str(PROJECT / "harness"), str(PROJECT / "turkbench.py")]}
    hosts = {"allow_host": [urlsplit(reach).netloc]} if reach and shown else {}
    box = Box(Isolation.of(settled({**shown, **hosts})))
    with stage(folder) as at:
        return at.play("Form", CommandSolver(list(command), environment or {}, tell_fields=True, box=box))


def answered(made: Episode) -> bool:
    """Whether an example has filled in all of the form."""
    assert (made.outcome, made.turns[0].note) == ("scored", ""), made.turns
    values = sent(made)
    assert "words" in values.pop("a")[0]
    return values == {"b": ("1",), "c": ("on",), "d": ("x",), "e": ("2",)}


def follows_a_model(folder: Path, *command: str) -> bool:
    """Whether an example shows a model page and fields, enters what the model says, and reports what it took."""
    with Server([openai_reply(json.dumps(SAID), usage=(120, 30, 0))]) as server:
        environment = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "none",
            "AGENT_MODEL": "scripted",
        }
        made = played(folder, *command, environment=environment, reach=server.url)
    assert (made.outcome, made.turns[0].note) == ("scored", ""), made.turns
    (asked,) = server.requests
    prompt = asked.json["messages"][0]["content"]
    assert "Some words of x" in prompt
    assert all(f'"{name}"' in prompt for name in SAID)
    assert made.agent_report == AgentReport(input_tokens=120, output_tokens=30, model="scripted")
    return sent(made) == {name: (value,) for name, value in SAID.items()}
