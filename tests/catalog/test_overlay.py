from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from harness.catalog.facts import KINDS, Facts, read_facts, read_task_json
from harness.catalog.overlay import read_overlay
from harness.catalog.problems import CatalogError, Problem

EVERYTHING = {
    "title": "News",
    "description": "Sort the news.",
    "split": "test",
    "licence": "CC0-1.0",
    "content_warning": "violence",
    "not_answers": {"started": "a timestamp"},
    "renames": {"situation_0": "situation-0"},
    "kinds": {"box": "text"},
    "known_issues": ["one image is gone"],
    "unreachable": {"box": "the page cuts it off"},
}


def overlay_file(folder: Path, data: object) -> Path:
    file = folder / "overlay.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def test_every_key_of_a_task_json_arrives(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps(EVERYTHING), encoding="utf-8")
    read = read_task_json(file, "T")
    assert read.facts == Facts(**{**EVERYTHING, "known_issues": ("one image is gone",)})
    assert (read.problems, read.readable) == ((), True)


def test_a_task_without_task_json_has_no_facts_and_no_problem(tmp_path: Path) -> None:
    read = read_task_json(tmp_path / "task.json", "T")
    assert (read.facts, read.problems, read.readable) == (Facts(), (), True)


def test_a_byte_order_mark_in_task_json_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_bytes(b'\xef\xbb\xbf{"title": "x"}')
    assert read_task_json(file, "T").facts.title == "x"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "not JSON: Expecting value at line 1, column 1"),
        (b'{\n "title": }', "not JSON: Expecting value at line 2, column 11"),
        (b'{"title": "\xff"}', "byte 11 is not UTF-8"),
        (b"[" * 100_000, "not JSON that can be read: nested too deeply"),
    ],
)
def test_a_task_json_that_cannot_be_read_says_where(tmp_path: Path, content: bytes, what: str) -> None:
    file = tmp_path / "task.json"
    file.write_bytes(content)
    read = read_task_json(file, "T")
    assert not read.readable
    assert [(problem.task, problem.file, problem.what) for problem in read.problems] == [("T", file, what)]


def test_a_task_json_that_is_no_map_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text("[]", encoding="utf-8")
    read = read_task_json(file, "T")
    assert not read.readable
    assert [problem.what for problem in read.problems] == ["a list where a map of facts is wanted"]


def test_an_unknown_key_is_reported_with_the_key_that_may_be_meant(tmp_path: Path) -> None:
    facts, problems = read_facts({"titel": "x", "split": "test"}, "T", tmp_path / "task.json")
    assert facts == {"split": "test"}
    assert [str(problem) for problem in problems] == [
        f"{tmp_path / 'task.json'}, key titel: unknown key, not used. Perhaps 'title' is meant."
    ]


def test_an_unknown_key_like_no_other_is_reported_with_all_keys(tmp_path: Path) -> None:
    _, (problem,) = read_facts({"xyz": 1}, "T", tmp_path / "task.json")
    assert problem.remedy == f"Known keys are {', '.join(EVERYTHING)}"


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("title", 3, "a number where text is wanted"),
        ("description", None, "null where text is wanted"),
        ("split", " ", "the split has no name"),
        ("licence", True, "true or false where text is wanted"),
        ("content_warning", ["x"], "a list where text is wanted"),
        ("not_answers", ["x"], "a list where a map of names to texts is wanted"),
        ("not_answers", {"x": 1}, "the value under 'x' is a number where text is wanted"),
        ("renames", "x", "text where a map of names to texts is wanted"),
        ("kinds", {"x": "slider"}, "'x' has the unknown kind 'slider'"),
        ("known_issues", "x", "text where a list of texts is wanted"),
        ("known_issues", [1], "item 1 is a number where text is wanted"),
    ],
)
def test_a_value_of_the_wrong_type_is_reported_and_the_rest_used(
    tmp_path: Path, key: str, value: object, what: str
) -> None:
    good = {"title": "x"} if key != "title" else {"licence": "x"}
    facts, problems = read_facts({**good, key: value}, "T", tmp_path / "task.json")
    assert facts == good
    assert [(problem.column, problem.what) for problem in problems] == [(key, f"{what}, not used")]


def test_an_overlay_wins_key_by_key_and_maps_merge() -> None:
    own = Facts(title="a", licence="b", not_answers={"x": "1", "y": "2"}, known_issues=("old",))
    over = own.under({"title": "c", "not_answers": {"y": "3", "z": "4"}, "known_issues": ("new",)})
    assert over == Facts(title="c", licence="b", not_answers={"x": "1", "y": "3", "z": "4"}, known_issues=("new",))


def test_an_overlay_tells_facts_by_task(tmp_path: Path) -> None:
    data = {"description": "Facts about others' tasks", "tasks": {"A [1]": {"split": "test"}, "B": {}}}
    overlay = read_overlay(overlay_file(tmp_path, data))
    assert overlay.tasks == {"A [1]": {"split": "test"}, "B": {}}
    assert overlay.problems == ()


def test_a_wrong_key_in_an_overlay_is_reported_with_its_path(tmp_path: Path) -> None:
    file = overlay_file(tmp_path, {"version": 1, "tasks": {"A": {"kind": {}}, "B": 3}})
    overlay = read_overlay(file)
    assert overlay.tasks == {"A": {}, "B": {}}
    assert [(problem.task, problem.column) for problem in overlay.problems] == [
        ("", "version"),
        ("A", "tasks.A.kind"),
        ("B", "tasks.B"),
    ]


def test_an_overlay_entry_for_no_task_is_a_problem(tmp_path: Path) -> None:
    file = overlay_file(tmp_path, {"tasks": {"Storys": {}, "Goal": {}}})
    assert read_overlay(file).unknown(["Goal", "Story"]) == [
        Problem("Storys", file, None, "tasks.Storys", "there is no task of this name", "Perhaps 'Story' is meant")
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "not JSON"), ("[]", 'no map "tasks"'), ({"tasks": []}, 'no map "tasks"')],
)
def test_an_overlay_that_says_nothing_usable_is_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(CatalogError, match=message):
        read_overlay(overlay_file(tmp_path, content))


SHOWN = {"task": "T", "words": "a dog", "field": "mood"}


def test_an_overlay_names_what_was_shown_to_models_in_order(tmp_path: Path) -> None:
    data = {"tasks": {}, "demonstrations": [SHOWN, {**SHOWN, "field": "why"}]}
    overlay = read_overlay(overlay_file(tmp_path, data))
    assert [each.field for each in overlay.demonstrations] == ["mood", "why"]
    assert overlay.problems == ()


@pytest.mark.parametrize(
    "entry",
    ["T", {"task": "T"}, {**SHOWN, "row": "1"}, {**SHOWN, "words": ""}, {**SHOWN, "field": 1}, None],
    ids=["a text", "keys missing", "a key too many", "empty", "no text", "nothing"],
)
def test_what_names_no_field_of_an_instance_is_refused(tmp_path: Path, entry: Any) -> None:
    with pytest.raises(CatalogError, match=r"key demonstrations: .* Write a list of maps with the keys task, words"):
        read_overlay(overlay_file(tmp_path, {"tasks": {}, "demonstrations": [SHOWN, entry]}))


def test_what_an_overlay_shows_comes_before_what_it_extends(tmp_path: Path) -> None:
    base = read_overlay(overlay_file(tmp_path, {"extends": "turkingbench", "tasks": {}})).demonstrations
    assert len(base) == 9
    mine = {"extends": "turkingbench", "tasks": {}, "demonstrations": [SHOWN]}
    assert [each.task for each in read_overlay(overlay_file(tmp_path, mine)).demonstrations] == ["T"]


def test_an_overlay_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"nothing\.json cannot be read"):
        read_overlay(tmp_path / "nothing.json")


# The documentation

GUIDE = (Path(__file__).parents[2] / "docs" / "reference" / "task-folder.md").read_text(encoding="utf-8")


def documented_json() -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]


def test_the_documented_task_json_shows_every_key_and_is_valid(tmp_path: Path) -> None:
    example = documented_json()[0]
    facts, problems = read_facts(example, "T", tmp_path / "task.json")
    assert problems == []
    assert list(facts) == list(example) == [one.name for one in fields(Facts)]


def test_the_documented_table_of_keys_is_complete() -> None:
    section = GUIDE.partition("| key | holds | meaning |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [one.name for one in fields(Facts)]
    assert all(f"`{kind}`" in section for kind in KINDS)


def test_the_documented_overlay_is_valid(tmp_path: Path) -> None:
    assert read_overlay(overlay_file(tmp_path, documented_json()[1])).problems == ()
