"""The rules for hidden fields on the public data of TurkingBench, which is not part of this project."""

from __future__ import annotations

import json

import pytest

from harness.catalog import Catalog
from harness.scoring.answers.columns import AnswerColumns
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data
from tests.samples import field

DATA = TURKINGBENCH
pytestmark = needs(real_data("task_facts.json"))

NOT_ANSWERS = [
    ("Commonsense Morality - Text Label Validate-Collect", "ee"),
    ("Human evaluation - gentle vs canary", "ee"),
    ("Image captioning", "ee"),
    ("Newyorker_joke_explain_quality", "ee"),
    ("BiSECT Human Evaluation", "start_timestamp"),
    ("BiSECT Human Evaluation", "end_timestamp"),
    ("Winogrande (object)", "qid"),
    ("NLI for GenGen", "concept_1"),
    ("ATOMIC - Event Sequences", "Event2"),
    ("Essential Terms in Questions 2", "SPANS2"),
]
ANSWERS = [(f"BiSECT {name} Evaluation", f"fluency-{n}") for name in ("Human", "Multilingual") for n in range(1, 6)]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(DATA / "tasks")


@pytest.fixture(scope="module")
def hidden() -> set[tuple[str, str]]:
    tasks = json.loads((DATA / "task_facts.json").read_text(encoding="utf-8"))
    return {
        (task["task"], each["name"]) for task in tasks for each in task.get("fields") or () if each["type"] == "hidden"
    }


def status(catalog: Catalog, name: str, column: str) -> str:
    task = catalog.task(name)
    answers = AnswerColumns(task).answers(task.instances[0], [field(column, "hidden")])
    return next(answer.status for answer in answers if answer.name == column)


@pytest.mark.parametrize(("name", "column"), NOT_ANSWERS)
def test_what_the_page_writes_by_itself_is_not_an_answer(catalog, hidden, name, column):
    assert (name, column) in hidden
    assert status(catalog, name, column).startswith("not an answer: ")


@pytest.mark.parametrize(("name", "column"), ANSWERS)
def test_what_a_slider_writes_is_an_answer(catalog, hidden, name, column):
    assert (name, column) in hidden
    assert status(catalog, name, column) == "scored"


def test_a_sentence_number_repeats_its_input(catalog, hidden):
    names = [name for name, column in hidden if column == "SENTENCEID"]
    assert names
    for name in names:
        assert status(catalog, name, "SENTENCEID") == "not an answer: repeats the input 'NUMBER'"
