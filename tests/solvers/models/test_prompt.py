"""What is sent: the parts of prompts, the command that prints them, and the commands of the paper's table."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.page import prompt
from harness.episode.library import ACTIONS
from harness.kit.words import hash_of_words
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES
from harness.solvers.models.prompting import WORDS, Prompter, offered, say
from harness.solvers.models.recipe import Recipe
from tests.task_folders import csv_text, make_task

PROJECT = Path(__file__).parents[3]
PAGE = "<p>${text}</p><input name=a><input type=radio name=b value=1>"
SOURCES = "\n".join(
    file.read_text(encoding="utf-8")
    for folder in ("solvers", "scoring", "papers", "integrations")
    for file in (PROJECT / "harness" / folder).rglob("*.py")
)
PARTS = WORDS.folder
ALL_PARTS = sorted(each for folder in (PROJECT / "harness").rglob("prompts") for each in folder.rglob("*.md"))


@pytest.mark.parametrize("file", ALL_PARTS, ids=lambda file: str(file.relative_to(PROJECT / "harness").with_suffix("")))
def test_every_part_is_used_and_its_folder_is_documented(file):
    name = file.stem
    made = {"field_rules", "form_rules", *(f"picture_{mode}" for mode in MODES)}
    # Judges of trajectories name a pair of parts at once: what they are, and what they are asked.
    pair = name.removesuffix("_role").removesuffix("_request") if "judges" in file.parts else name
    assert name in made or f'"{name}"' in SOURCES or f'"{pair}"' in SOURCES
    documented = (PROJECT / "docs" / "reference" / "prompts.md").read_text(encoding="utf-8")
    assert any(f"`{folder}`" in documented for folder in file.relative_to(PROJECT / "harness").parents)


def test_every_picture_has_its_legend():
    assert all((PARTS / f"picture_{mode}.md").exists() for mode in MODES if mode != "none")


def test_a_name_in_a_value_is_not_filled_in():
    assert say("field_request", page="${field} $page", field="'a'") == "${field} $page\n\nThe name of the field: 'a'"


def test_the_hash_changes_with_the_words(tmp_path):
    shutil.copytree(PARTS, tmp_path / "same")
    shutil.copytree(PARTS, tmp_path / "changed")
    (tmp_path / "changed" / "role.md").write_text("You are somebody else.\n", encoding="utf-8")
    assert hash_of_words(PARTS) == hash_of_words(tmp_path / "same") != hash_of_words(tmp_path / "changed")


@pytest.mark.parametrize("protocol", ["field", "form"])
def test_who_calls_tools_is_told_of_nothing_below_that_is_not_there(protocol):
    def system(output: str) -> str:
        return Prompter(Recipe("m", protocol=protocol, output=output), ACTIONS).system(0).text

    assert "below" in system("text")
    assert "below" not in system("tools")
    assert "through your tools" in system("tools")


def names(**recipe) -> set[str]:
    return set(offered(Recipe("m", **recipe), ACTIONS))


def test_points_are_offered_where_a_picture_of_the_screen_is_shown():
    assert "click" not in names()
    assert "click" not in names(protocol="form", screenshot="full")
    assert {"click", "drag"} <= names(screenshot="viewport") & names(protocol="form", screenshot="marks")


def test_elements_are_pressed_by_number_where_numbers_are_shown():
    numbered = {each for each in ENCODINGS if "click_element" in names(encoding=each)}
    assert numbered == {"simplified", "axtree", "text"}
    assert "click_element" in names(encoding="full", screenshot="marks")


def test_a_model_that_is_held_to_a_grammar_is_told_of_what_the_grammar_admits():
    writing = {"modify_text", "modify_radio", "modify_checkbox", "modify_select", "modify_range"}
    assert names(grammar=True, encoding="text") == writing
    assert names(grammar=True, protocol="form") == {*writing, "finish"}


def test_the_rules_hold_the_actions_as_text_or_leave_them_to_the_tools():
    for output, told in (("text", True), ("tools", False)):
        prompter = Prompter(Recipe("m", protocol="form", output=output), ACTIONS)
        assert ("finish()\n" in prompter.system(0).text) is told
        assert [tool["name"] for tool in prompter.tools] == ([] if told else list(prompter.specs))


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a", "Answer.b"], ["first dog", "x", "1"], ["second dog", "y", "1"])
    make_task(folder, "Text", template=PAGE, table=table)
    return folder


@pytest.fixture(scope="module")
def printed(tasks, tmp_path_factory):
    """What the command prints."""
    cache = tmp_path_factory.mktemp("cache")

    def run(capsys, *more: str, code: int = COMPLETE) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(cache))
            assert prompt.main(["--tasks-dir", str(tasks), "--task", "Text", "--demos", "0", *more]) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    return run


@pytest.mark.slow
def test_exactly_what_would_be_sent_is_printed_with_its_tokens(printed, capsys):
    said = printed(
        capsys,
        "--solver",
        "gpt4-text",
        "--prompts",
        "harness",
        "--row",
        "1",
        "--encoding",
        "simplified",
        "--field",
        "a",
    )
    assert said.count("==== gpt-6.1-sol, field ") == 1
    assert re.search(r"field 'a': [\d,]+ tokens \(", said)
    assert "second dog" in said
    assert "first dog" not in said
    assert say("role") in said


@pytest.mark.slow
def test_as_json_it_is_the_request_itself(printed, capsys, tmp_path):
    more = ["--solver", "gpt-4o", "--protocol", "form", "--output", "tools", "--screenshot", "viewport", "--json"]
    record = json.loads(printed(capsys, *more, "--images", str(tmp_path)))
    request = record["request"]
    assert record["tokens"] > 500
    assert request["tools"][-1]["name"] == "finish"
    (image,) = [part for message in request["messages"] for part in message["parts"] if part["type"] == "image"]
    assert (tmp_path / f"{image['sha256']}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--solver", "oracle"), "the solver 'oracle' takes no such options"),
        (("--solver", "gpt4-text", "--row", "9"), "there is no instance 9: 'Text' has the instances 0 to 1"),
        (("--solver", "gpt4-text", "--field", "zz"), "fields that can be asked about: a, b"),
        (("--solver", "gpt4-txt"), "Did you mean 'gpt4-text'"),
    ],
)
def test_wrong_use_is_told(printed, capsys, more, said):
    assert said in printed(capsys, *more, code=WRONG_USE)


def test_a_solver_without_a_model_has_no_prompt(tasks, capsys):
    assert prompt.main(["--tasks-dir", str(tasks), "--task", "Text", "--solver", "do-nothing"]) == WRONG_USE
    assert "the solver 'do-nothing' asks no model" in capsys.readouterr().err
