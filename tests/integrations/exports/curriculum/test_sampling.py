"""Answers of a scripted model to lessons, and the pairs that come of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.export.pairs import main
from harness.integrations.exports.curriculum.sampling import NoLessons, is_right, read_lessons
from tests.models.servers import Asked, Server, openai_reply

RIGHT, WRONG = "Thought: So.\nAction: click_element(9)", "Thought: So.\nAction: click_element(8)"


def write_lessons(file: Path, *actions: str) -> Path:
    rows = [
        {
            "messages": [
                {"role": "system", "content": "Act."},
                {"role": "user", "content": f"page {number}"},
                {"role": "assistant", "content": f"Thought: Mine.\nAction: {action}"},
            ],
            "action": action,
            "stage": "complex",
            "task": "T",
            "index": number,
            "split": "train",
            "held_out": False,
            "licence": "CC0-1.0",
        }
        for number, action in enumerate(actions)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def sample(lessons: Path, out: Path, server: Server, *more: object) -> int:
    options = ["--preset", "llama", "--base-url", f"{server.url}/v1", "--model", "m", "--samples", "3"]
    return main([*map(str, (lessons, "--out", out)), *options, *map(str, more), "--progress", "quiet"])


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (RIGHT, True),
        ("click_element(9)", True),
        ("Action: click_element(9) and then finish()", True),
        (WRONG, False),
        ("click_element(9)\nAction: click_element(8)", False),
        ("Action: hover_element(9)", False),
        ("Action: click_element(9", False),
        ("__import__('os').remove('a')", False),
        ("", False),
    ],
)
def test_an_answer_is_right_if_it_begins_with_the_action_of_the_lesson(answer, right):
    assert is_right(answer, "click_element(9)") is right


def test_an_answer_on_a_form_has_to_hold_all_actions_of_its_lesson():
    both = "modify_checkbox('a', ['x'])\nmodify_text('b', 'y')"
    assert is_right(f"I write both.\n{both}", both)
    assert not is_right("modify_checkbox('a', ['x'])", both)


def test_pairs_are_of_steps_that_are_right_sometimes(tmp_path, capsys):
    def answer(asked: Asked) -> Any:
        page, seed = asked.json["messages"][1]["content"], asked.json["seed"]
        right = {"page 0": seed == 1, "page 1": True, "page 2": False}[page]
        return openai_reply(RIGHT if right else WRONG)

    lessons = write_lessons(tmp_path / "l.jsonl", "click_element(9)", "click_element(9)", "click_element(9)")
    with Server(answer) as server:
        assert sample(lessons, tmp_path / "pairs.jsonl", server) == COMPLETE
        assert "lessons: 1 always right, 1 sometimes, 1 never" in capsys.readouterr().err
        assert sample(lessons, tmp_path / "all.jsonl", server, "--least-right", 0) == COMPLETE
    (pair,) = rows(tmp_path / "pairs.jsonl")
    assert pair["chosen"] == [{"role": "assistant", "content": "Thought: Mine.\nAction: click_element(9)"}]
    assert pair["rejected"] == [{"role": "assistant", "content": WRONG}]
    assert [each["content"] for each in pair["prompt"]] == ["Act.", "page 0"]
    assert (pair["right"], pair["samples"], pair["index"]) == (1, 3, 0)
    assert [each["index"] for each in rows(tmp_path / "all.jsonl")] == [0, 2]
    ledger = rows(tmp_path / "pairs-ledger.jsonl")
    assert [(each["right"], each["pairs"], each["repeated"], each["kept"]) for each in ledger] == [
        (1, 1, 1, True), (3, 0, 0, False), (0, 0, 2, False),
    ]  # fmt: skip
    assert [each["why"].partition(":")[0] for each in ledger] == [
        "",
        "always right",
        "right 0 times, and 1 are asked for",
    ]
    assert {each["action"] for each in ledger} == {"click_element(9)"}


def test_where_nothing_is_right_sometimes_there_is_no_pair(tmp_path, capsys):
    with Server(lambda _: openai_reply(RIGHT)) as server:
        lessons = write_lessons(tmp_path / "l.jsonl", "click_element(9)")
        assert sample(lessons, tmp_path / "pairs.jsonl", server) == INCOMPLETE
    assert "right: 3 of 3 answers, 100.0 %" in capsys.readouterr().err


def test_a_few_lessons_are_taken_from_all_over_the_file(tmp_path):
    lessons = write_lessons(tmp_path / "lessons.jsonl", *(f"click_element({number})" for number in range(10)))
    seen: list[str] = []

    def answer(asked: Asked) -> Any:
        seen.append(asked.json["messages"][-1]["content"])
        return openai_reply(WRONG)

    with Server(answer) as server:
        sample(lessons, tmp_path / "pairs.jsonl", server, "--most-lessons", 3)
    assert set(seen) == {"page 0", "page 3", "page 6"}


def test_what_is_no_lesson_is_told_by_file_and_line(tmp_path):
    (tmp_path / "l.jsonl").write_text('{"messages": []}\n', encoding="utf-8")
    with pytest.raises(NoLessons, match="line 1"):
        read_lessons(tmp_path / "l.jsonl")
    with pytest.raises(NoLessons, match="cannot be read"):
        read_lessons(tmp_path / "missing.jsonl")
    write_lessons(tmp_path / "l.jsonl", "")
    with pytest.raises(NoLessons, match="asks for an action"):
        read_lessons(tmp_path / "l.jsonl")


def test_samples_without_a_temperature_are_all_the_same(tmp_path, capsys):
    lessons = write_lessons(tmp_path / "l.jsonl", "click_element(9)")
    options = ["--out", str(tmp_path / "p.jsonl"), "--preset", "llama", "--temperature", "0"]
    assert main([str(lessons), *options]) == WRONG_USE
    assert "gives the same answer" in capsys.readouterr().err
