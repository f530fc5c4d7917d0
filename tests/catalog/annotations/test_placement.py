from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.annotations.placement import place_all, place_answers
from harness.catalog.annotations.results_file import BadResults, GivenAnswers
from tests.task_folders import csv_text, make_task

TABLE = csv_text(["text", "more", "Answer.a"], ["one", "x", "1"], ["one", "y", "1"], ["two", "x", "2"])


@pytest.fixture
def catalog(tmp_path) -> Catalog:
    make_task(tmp_path, "T", template="${text} ${more}<input name=a>", table=TABLE)
    make_task(tmp_path, "Broken", template="${text}", table="other,Answer.a\r\n1,2\r\n")
    return Catalog(tmp_path)


def given(worker: str = "ann", row: int = 1, task: str = "T", **inputs: str) -> GivenAnswers:
    return GivenAnswers(Path("results.csv"), row, task, worker, inputs, {"a": "1"})


def test_answers_belong_to_the_instance_with_their_inputs_wherever_it_stands_in_the_table(catalog):
    first, second = given(text="two", more="x"), given("bob", 2, text="one", more="y")
    placed = place_answers(catalog.task("T"), [first, second])
    assert placed.by_index == {1: (second,), 2: (first,)}


def test_inputs_that_the_page_does_not_show_do_not_count(catalog):
    assert place_answers(catalog.task("T"), [given(text="one", more="x", unused="z")]).by_index.keys() == {0}


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"text": "three", "more": "x"}, "row 1, column Input.text: no instance of 'T' has the inputs of this row"),
        ({"text": "two", "more": "y"}, "row 1, column Input.more: no instance of 'T' has the inputs of this row"),
        ({"text": "one"}, "there is no column Input.more"),
    ],
)
def test_a_row_of_no_instance_is_refused_with_its_column(catalog, inputs, said):
    with pytest.raises(BadResults) as refused:
        place_answers(catalog.task("T"), [given(**inputs)])
    assert said in str(refused.value)


def test_two_rows_of_one_person_for_one_instance_are_refused(catalog):
    rows = [given(text="two", more="x"), given("bob", 2, text="two", more="x"), given(row=3, text="two", more="x")]
    with pytest.raises(BadResults, match=r"row 3: 'ann' answered instance 2 of 'T' already \(results.csv, row 1\)"):
        place_answers(catalog.task("T"), rows)


@pytest.mark.parametrize(("task", "said"), [("U", "there is no task 'U'"), ("Broken", "'Broken' cannot be used")])
def test_a_task_that_is_not_there_or_cannot_be_used_is_named(catalog, task, said):
    with pytest.raises(BadResults, match=said):
        place_all(catalog, {task: [given(task=task)]})
