"""The examples of agents from outside, and what docs/agents-from-outside.md says that a program is given."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.browser.devtools import Devtools
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.solvers.outside.command import variables, what_is_told
from harness.solvers.outside.outside_program import PASSED_ON
from harness.solvers.outside.page_tools import FINISH, OBSERVE
from tests.clients.forms import answered, played
from tests.conftest import Show

PROJECT = Path(__file__).parents[3]
DOCS = (PROJECT / "docs" / "agents-from-outside.md").read_text(encoding="utf-8")
PYTHONS = ("playwright_agent", "selenium_agent", "browser_use_agent")
NODE = PROJECT / "examples" / "node_agent"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")


@needs_node
@pytest.mark.skipif(not (NODE / "node_modules").is_dir(), reason="npm install --prefix examples/node_agent was not run")
def test_the_example_in_node_fills_in_a_form(tmp_path):
    assert answered(played(tmp_path, "node", str(NODE / "agent.mjs")))


@pytest.mark.parametrize("name", PYTHONS)
def test_the_examples_in_python_are_python_and_named_in_the_documentation(name):
    file = PROJECT / "examples" / f"{name}.py"
    compile(file.read_text(encoding="utf-8"), file, "exec")
    assert f"`examples/{name}.py`" in DOCS


@needs_node
def test_the_example_in_node_is_javascript():
    assert subprocess.run(["node", "--check", str(NODE / "agent.mjs")], capture_output=True, check=False).stderr == b""


def test_the_example_in_node_names_the_packages_that_it_imports():
    imported = set(re.findall(r'from "([^":]+)"', (NODE / "agent.mjs").read_text(encoding="utf-8")))
    assert set(json.loads((NODE / "package.json").read_text(encoding="utf-8"))["dependencies"]) == imported


def test_all_that_a_program_is_given_is_documented(show: Show):
    shown = show("<input name=a>")
    fields = tuple(shown.actions.fields())
    with Devtools(shown.browser) as devtools:
        told = what_is_told(Page(shown.url, ("a",), fields, 0), devtools, seconds=1.0, tell_fields=True)
    words = [*told, *told["devtools"], *told["fields"][0], *variables(told), *PASSED_ON, "TMPDIR"]
    assert [word for word in words if f"`{word}`" not in DOCS and f"`devtools.{word}`" not in DOCS] == []


def test_the_tools_that_are_no_actions_are_documented():
    signatures = [f"`{spec.name}({', '.join(each.name for each in spec.parameters)})`" for spec in (OBSERVE, FINISH)]
    assert [text for text in signatures if text not in DOCS] == []
    assert not {OBSERVE.name, FINISH.name} & set(ACTIONS)
