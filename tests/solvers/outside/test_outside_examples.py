"""The examples of agents from outside, and what docs/agents-from-outside.md says that a program is given."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.browser.devtools import Devtools
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.runlog.episode import Episode
from harness.solvers.outside.command import CommandSolver, variables, what_is_told
from harness.solvers.outside.outside_program import PASSED_ON
from harness.solvers.outside.page_tools import FINISH, OBSERVE
from tests.conftest import Show
from tests.runs import sent, stage
from tests.task_folders import csv_text, make_task

PROJECT = Path(__file__).parents[3]
DOCS = (PROJECT / "docs" / "agents-from-outside.md").read_text(encoding="utf-8")
PYTHON = PROJECT / "examples" / "playwright_agent.py"
NODE = PROJECT / "examples" / "node_agent"
FORM = """<p>Some words of ${text}</p><input name=a>
<label><input type=radio name=b value=1>one</label><label><input type=radio name=b value=2>two</label>
<label><input type=checkbox name=c>see</label>
<select name=d><option value="">choose<option value=x>X</select><input type=range name=e min=2 max=9 value=5>"""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")


def played(folder: Path, *command: str) -> Episode:
    columns = [f"Answer.{name}" for name in "abcde"]
    make_task(folder, "Form", template=FORM, table=csv_text(["text", *columns], ["x", "w", "1", "on", "x", "2"]))
    with stage(folder) as at:
        return at.play("Form", CommandSolver(list(command), {}, tell_fields=True))


def answered(made: Episode) -> bool:
    assert (made.outcome, made.turns[0].note) == ("scored", ""), made.turns
    values = sent(made)
    assert "words" in values.pop("a")[0]
    return values == {"b": ("1",), "c": ("on",), "d": ("x",), "e": ("2",)}


@pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="Playwright is not installed")
def test_the_example_with_playwright_fills_in_a_form(tmp_path):
    assert answered(played(tmp_path, sys.executable, str(PYTHON)))


@needs_node
@pytest.mark.skipif(not (NODE / "node_modules").is_dir(), reason="npm install --prefix examples/node_agent was not run")
def test_the_example_in_node_fills_in_a_form(tmp_path):
    assert answered(played(tmp_path, "node", str(NODE / "agent.mjs")))


def test_the_example_with_playwright_is_python():
    compile(PYTHON.read_text(encoding="utf-8"), PYTHON, "exec")


@needs_node
def test_the_example_in_node_is_javascript():
    assert subprocess.run(["node", "--check", str(NODE / "agent.mjs")], capture_output=True, check=False).stderr == b""


def test_the_example_in_node_names_the_packages_that_it_imports():
    imported = set(re.findall(r'from "([^":]+)"', (NODE / "agent.mjs").read_text(encoding="utf-8")))
    assert set(json.loads((NODE / "package.json").read_text(encoding="utf-8"))["dependencies"]) == imported


def test_all_that_a_program_is_given_is_documented(show: Show):
    shown = show("<input name=a>")
    fields = tuple(shown.actions.fields())
    told = what_is_told(Page(shown.url, ("a",), fields, 0), Devtools(shown.browser), seconds=1.0, tell_fields=True)
    words = [*told, *told["devtools"], *told["fields"][0], *variables(told), *PASSED_ON, "TMPDIR"]
    assert [word for word in words if f"`{word}`" not in DOCS and f"`devtools.{word}`" not in DOCS] == []


def test_the_tools_that_are_no_actions_are_documented():
    signatures = [f"`{spec.name}({', '.join(each.name for each in spec.parameters)})`" for spec in (OBSERVE, FINISH)]
    assert [text for text in signatures if text not in DOCS] == []
    assert not {OBSERVE.name, FINISH.name} & set(ACTIONS)
