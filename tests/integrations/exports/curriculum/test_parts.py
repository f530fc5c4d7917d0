"""How lessons are divided: nothing that is tested was learnt."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.integrations.exports.curriculum.building import data_card
from harness.integrations.exports.curriculum.lesson import Lesson, LessonSource
from harness.integrations.exports.curriculum.parts import (
    IN_TEST,
    OF_A_TEST_TASK,
    TWICE,
    Division,
    NotDivided,
    divided,
    division_in,
)


def lesson(task: str, answer: str = "finish()", *, split: str = "train", identical: tuple[str, ...] = ()) -> Lesson:
    where = LessonSource("run", "site", "shop", task, 0, "0" * 12, split, "CC0-1.0", identical)
    return Lesson("complex", (("system", "Act."), ("user", f"the page of {answer}")), answer, answer, "p", where)


def tasks_of(lessons: list[Lesson]) -> set[str]:
    return {each.where.task for each in lessons}


def test_without_a_share_only_tasks_of_the_train_split_are_learnt_from():
    splits = ["train", "test", "challenge", "lite"]
    found = divided([lesson(name, name, split=name) for name in splits], Division())
    assert tasks_of(found.of["train"]) == {"train"}
    assert found.tasks == {"train": "train", "test": "test", "challenge": "test", "lite": "test"}


def test_a_share_divides_the_tasks_of_each_website_and_never_a_task():
    shop = [lesson(f"shop {n}", f"press({n!r})") for n in range(10)]
    board = [replace(each, where=replace(each.where, site="board", task=f"board {n}")) for n, each in enumerate(shop)]
    found = divided([*shop, *shop, *board], Division(0.7))
    assert sum(part == "train" for task, part in found.tasks.items() if task.startswith("shop")) == 7
    assert sum(part == "train" for task, part in found.tasks.items() if task.startswith("board")) == 7
    assert not tasks_of(found.of["train"]) & tasks_of(found.of["test"])
    assert found.tasks == divided([*board[::-1], *shop[::-1]], Division(0.7)).tasks


def test_tasks_are_divided_as_another_curriculum_divides_them(tmp_path):
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps({"train": ["a", "c"], "test": ["b"]}))
    found = divided([lesson("b", "1"), lesson("a", "2", split="test")], division_in(file))
    assert (tasks_of(found.of["train"]), tasks_of(found.of["test"])) == ({"a"}, {"b"})
    with pytest.raises(NotDivided, match="no task 'new'"):
        divided([lesson("new")], division_in(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ('{"dev": ["a"]}', "is no tasks.json"),
        ('{"train": ["a"], "test": ["a"]}', "'a' is in both parts"),
    ],
)
def test_a_file_that_divides_nothing_is_refused(tmp_path, text, said):
    file = tmp_path / "tasks.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(NotDivided, match=said):
        division_in(file)


def test_a_lesson_that_a_test_task_has_too_is_not_learnt():
    found = divided([lesson("a"), lesson("b", split="test"), lesson("a", "go_back()")], Division())
    assert [each.answer for each in found.of["train"]] == ["go_back()"]
    assert found.left_out == {IN_TEST: 1}


def test_a_task_that_is_equal_to_one_of_the_test_part_is_not_learnt():
    found = divided([lesson("a", "1", identical=("b",)), lesson("b", "2", split="test")], Division())
    assert found.of["train"] == []
    assert found.left_out == {OF_A_TEST_TASK: 1}


def test_each_lesson_is_there_once():
    found = divided([lesson("a"), lesson("a"), lesson("c")], Division())
    assert [each.where.task for each in found.of["train"]] == ["a"]
    assert found.left_out == {TWICE: 2}


def test_a_lesson_comes_back_from_json():
    made = lesson("a", identical=("b",))
    assert Lesson.from_json(made.to_json()) == made


def test_the_card_says_what_is_there_and_of_which_licence():
    found = divided([lesson("a", "1"), lesson("b", "2", split="test")], Division(1.0))
    card = data_card(found, "parquet")
    assert "- config_name: complex\n  data_files:\n  - split: train\n    path: complex/train.parquet\n---" in card
    assert "| complex | train | 2 | 2 |" in card
    assert "| CC0-1.0 | 2 |" in card
    assert "1 lesson of `train` held out by the task set" in card
