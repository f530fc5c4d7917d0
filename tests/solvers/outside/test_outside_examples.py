"""The examples of agents from outside, and what the documentation says that a program is given."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from packaging.version import Version

from harness.browser.devtools import Devtools
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.solvers.outside.command import variables, what_is_told
from harness.solvers.outside.outside_program import PASSED_ON
from harness.solvers.outside.page_tools import FINISH, OBSERVE
from tests.clients.forms import answered, follows_a_model, played
from tests.conftest import Show
from tests.needs import NODE, Need, needs

PROJECT = Path(__file__).parents[3]
PAGES = ("how-to/run-a-program.md", "how-to/mcp.md", "reference/program.md")
DOCS = "\n".join((PROJECT / "docs" / page).read_text(encoding="utf-8") for page in PAGES)
PYTHON_CLIENTS = ("playwright", "selenium", "browser-use", "alumnium")
PYTHONS = tuple(f"{name.replace('-', '_')}_agent" for name in PYTHON_CLIENTS)
FOLDER = PROJECT / "examples" / "node_agent"
STAGEHAND = PROJECT / "examples" / "stagehand_agent"
NODES = ("agent", "playwright", "puppeteer")
PACKAGES = Need("packages of the agent in Node", ".ci/real-clients", (FOLDER / "node_modules/puppeteer-core").is_dir)
needs_packages = needs(NODE, PACKAGES)
needs_node = needs(NODE)


def dependencies(folder: Path) -> dict[str, str]:
    """The packages that a folder in Node asks for, with their versions."""
    return json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]


def installed(client: str) -> str:
    """The version of a client in Python that the tests use; empty where it is not installed."""
    name = client.replace("-", "_")
    found = (PROJECT / ".clients" / client).glob(f"lib/python*/site-packages/{name}-*.dist-info")
    return next((each.name.removeprefix(f"{name}-").removesuffix(".dist-info") for each in found), "")


@needs_node
@needs_packages
@pytest.mark.parametrize("name", NODES)
def test_an_example_in_node_fills_in_a_form(name, tmp_path):
    assert answered(played(tmp_path, "node", str(FOLDER / f"{name}.mjs")))


@needs_node
@needs_packages
@pytest.mark.parametrize("name", NODES)
def test_an_example_in_node_enters_what_a_model_says(name, tmp_path):
    assert follows_a_model(tmp_path, "node", str(FOLDER / f"{name}.mjs"))


@pytest.mark.parametrize("name", PYTHONS)
def test_the_examples_in_python_are_python_and_named_in_the_documentation(name):
    file = PROJECT / "examples" / f"{name}.py"
    compile(file.read_text(encoding="utf-8"), file, "exec")
    assert f"`examples/{name}.py`" in DOCS


@needs_node
@pytest.mark.parametrize("name", [*NODES, "answering"])
def test_the_examples_in_node_are_javascript(name):
    assert (
        subprocess.run(["node", "--check", str(FOLDER / f"{name}.mjs")], capture_output=True, check=False).stderr == b""
    )


@pytest.mark.parametrize("name", NODES)
def test_the_examples_in_node_are_named_in_the_documentation(name):
    assert f"`examples/node_agent/{name}.mjs`" in DOCS


def test_the_examples_in_node_name_the_packages_that_they_import():
    imported = {
        package
        for file in FOLDER.glob("*.mjs")
        for package in re.findall(r'from "([^":./]+)"', file.read_text(encoding="utf-8"))
    }
    assert dependencies(FOLDER).keys() == imported


def test_the_table_of_clients_has_no_newer_versions_than_those_that_are_tested():
    rows = re.findall(r"^\| [^|]+ \| ([\d.]+) \| `devtools\.\w+` \| `([^`]+)` \|$", DOCS, re.MULTILINE)
    told = {file.removeprefix("examples/"): version for version, file in rows}
    for file, name in zip(PYTHONS, PYTHON_CLIENTS, strict=True):
        version, tested = told.pop(f"{file}.py"), installed(name)
        assert not tested or Version(version) <= Version(tested), name
    # Version 4 loads an extension into the browser, which the gate refuses.
    least = dependencies(STAGEHAND)["@browserbasehq/stagehand"]
    assert least == f"^{told.pop('stagehand_agent/agent.mjs')}"
    packages = dependencies(FOLDER)
    assert dependencies(PROJECT / "tests" / "clients" / "node").items() < packages.items()
    node = {"agent": "chrome-remote-interface", "playwright": "playwright-core", "puppeteer": "puppeteer-core"}
    assert told == {f"node_agent/{name}.mjs": packages[package] for name, package in node.items()}


def test_all_that_a_program_is_given_is_documented(show: Show):
    shown = show("<input name=a>")
    fields = tuple(shown.actions.fields())
    with Devtools(shown.browser) as devtools:
        told = what_is_told(Page(shown.url, ("a",), fields, 0), devtools, seconds=1.0, tell_fields=True)
    # The names of before are given, too, to programs that know no others.
    given = [name for name in variables(told) if name.startswith("TURKBENCH_")]
    words = [*told, *told["devtools"], *told["fields"][0], *given, *PASSED_ON, "TMPDIR"]
    assert [word for word in words if f"`{word}`" not in DOCS and f"`devtools.{word}`" not in DOCS] == []


def test_the_tools_that_are_no_actions_are_documented():
    signatures = [f"`{spec.name}({', '.join(each.name for each in spec.parameters)})`" for spec in (OBSERVE, FINISH)]
    assert [text for text in signatures if text not in DOCS] == []
    assert not {OBSERVE.name, FINISH.name} & set(ACTIONS)
