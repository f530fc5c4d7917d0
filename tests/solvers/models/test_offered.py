"""Whatever the table of sets of prompts offers works from the command line, and its rehearsal asks the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.commands.page import prompt
from harness.episode.action_sets import ACTION_SETS
from harness.records.directory import RunDirectory
from harness.solvers.models import prompt_sets
from harness.solvers.models.prompt_sets import PROMPT_SETS
from tests.checkout import PROJECT
from tests.models.scripted_model import FORM, SITE, ScriptedModel
from tests.models.servers import Server

TASKS = {"form": ("--task", FORM), "site": ("--tasks-dir", str(PROJECT / "tasks" / "_sites"), "--task", SITE)}


SETS = [(name, PROMPT_SETS[name]) for kind in TASKS for name in prompt_sets.offered(kind)]


def offered() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Kinds of task and ways to be asked: each protocol and output of a set of prompts, and each of its action sets.

    A model that acts by the page's own tools is in ``tests/sites/test_page_tools.py``.
    """
    for name, row in SETS:
        for actions in (each for each in row.actions if each != "page-tools"):
            for protocol in row.protocols:
                for output in row.outputs:
                    if actions == row.actions[0] or (protocol, output) == (row.protocols[0], row.outputs[0]):
                        yield row.kind, (name, actions, protocol, output)


def test_the_page_of_systems_tells_what_is_offered():
    def row(name: str) -> str:
        of = PROMPT_SETS[name]
        cells = (", ".join(f"`{each}`" for each in cell) for cell in (of.actions, of.protocols, of.outputs))
        return f"| `{name}` | {of.kind} | {' | '.join(cells)} |"

    page = (PROJECT / "docs" / "reference" / "systems.md").read_text(encoding="utf-8")
    assert [name for name, _ in SETS if not name.endswith("-original") and row(name) not in page] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "way"), list(offered()), ids=lambda part: part if isinstance(part, str) else "-".join(part)
)
def test_what_is_offered_works_and_its_rehearsal_shows_the_first_request(kind, way, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    options = dict(zip(("--prompts", "--actions", "--protocol", "--output"), way, strict=True))
    asked = [*TASKS[kind], "--solver", "gpt-4o", "--no-vision", *(word for pair in options.items() for word in pair)]
    with Server(ScriptedModel()) as server:
        asked += ["--base-url", f"{server.url}/v1"]
        episode = played(tmp_path / "run", *asked)
        sent, count = server.requests[0].json, len(server.requests)
        capsys.readouterr()
        assert prompt.main([*asked, "--row", str(episode.index), "--json"]) == COMPLETE
        assert len(server.requests) == count
    rehearsed = json.loads(capsys.readouterr().out.splitlines()[0])["request"]
    assert [each["text"] for each in texts(rehearsed["messages"])] == [each["text"] for each in texts(sent["messages"])]
    assert bool(sent.get("tools")) is (options["--output"] == "tools")
    assert (episode.outcome, [step.message for step in episode.steps if not step.ok]) == ("scored", [])
    if kind == "form":
        assert {field.name: field.sent for field in episode.fields}["sentiment"] == ("positive",)
    else:
        assert [step.action.partition("(")[0] for step in episode.steps] == ["click_element", "finish"]


def played(out: Path, *asked: str):
    """The one episode of a run."""
    assert evaluate.main([*asked, "--max-instances", "1", "--progress", "quiet", "--out", str(out)]) == COMPLETE
    (episode,) = RunDirectory.open(out).episodes()
    return episode


def texts(messages: list[dict]) -> Iterator[dict]:
    for message in messages:
        content = message.get("parts", message.get("content"))
        for part in [{"text": content}] if isinstance(content, str) else content:
            if "text" in part:
                yield part


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", [("--prompts", "autowebglm"), ("--actions", "autowebglm"), ("--prompts", "webcanvas")]
)
def test_one_option_is_enough_since_the_set_of_prompts_decides_the_rest(given, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server(ScriptedModel()) as server:
        asked = [*TASKS["site"], "--solver", "gpt-4o", "--no-vision", *given, "--base-url", f"{server.url}/v1"]
        assert played(tmp_path / "run", *asked).outcome == "scored"
    config = RunDirectory.open(tmp_path / "run").read().config
    row = PROMPT_SETS[config.options["prompts"]]
    assert config.options["prompts"] == given[1]
    assert (config.options["encoding"], config.options["output"]) == (row.encoding, "text")
    assert config.actions == ("autowebglm" if given[1] == "autowebglm" else None)


REFUSED = [(row.kind, name, actions) for name, row in SETS for actions in ACTION_SETS if actions not in row.actions]


@pytest.mark.parametrize(("kind", "prompts", "actions"), REFUSED)
def test_actions_that_a_set_does_not_tell_of_are_refused_in_a_line_that_says_what_goes_together(
    kind, prompts, actions, tmp_path, capsys
):
    asked = [*TASKS[kind], "--solver", "gpt-4o", "--prompts", prompts, "--actions", actions]
    for command in (prompt.main, lambda words: evaluate.main([*words, "--out", str(tmp_path / "run")])):
        assert command(asked) == WRONG_USE
        (said,) = capsys.readouterr().err.splitlines()
        assert "for websites" in said or f"--actions {PROMPT_SETS[prompts].actions[0]}" in said
