"""Every statement of the overlay of TurkingBench against the public data, which is not part of this project."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from harness.browser.form.fields import Field
from harness.catalog import Catalog, Task
from harness.catalog.facts import Facts
from harness.catalog.overlay import ShownField, known_overlay, read_overlay
from harness.datasets.controls import declared_fields
from harness.scoring.answers.columns import ABSENT, NEVER_LABELLED, Answer, AnswerColumns
from harness.scoring.answers.scripted import later_fields
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data
from tests.samples import field

DATA = TURKINGBENCH
FILE = known_overlay("turkingbench") or Path()
SAID: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["tasks"]

pytestmark = needs(real_data("tasks"))


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(DATA / "tasks", FILE)


@lru_cache(maxsize=2)
def bare_task(name: str) -> Task:
    """A task as it is without the overlay."""
    return Catalog(DATA / "tasks").task(name)


def possible_fields(task: Task) -> Iterator[Field]:
    """The fields that a page of a task can have: those of its template, of what its script builds, of its inputs."""
    yield from declared_fields(task.template)
    for later in later_fields(task.template):
        yield from (field(column, later.kind) for column in task.columns if later.pattern.fullmatch(column))
    for value in task.instances[0].inputs.values():
        yield from declared_fields(value) if "<" in value else ()


def test_the_overlay_can_be_read_without_a_problem() -> None:
    assert read_overlay(FILE).problems == ()


def test_every_task_of_the_overlay_is_there(catalog: Catalog) -> None:
    assert sorted(set(SAID) - set(catalog.names())) == []


def test_the_overlay_applies_by_name_and_to_a_fetched_folder_by_itself(catalog: Catalog, tmp_path: Path) -> None:
    name = next(task for task, facts in SAID.items() if "content_warning" in facts)
    assert catalog.facts(name).content_warning == SAID[name]["content_warning"]
    shutil.copytree(DATA / "tasks" / name, tmp_path / "tasks" / name)
    assert Catalog(tmp_path / "tasks").facts(name).content_warning == ""
    (tmp_path / "manifest.json").write_text('{"dataset": "turkingbench"}', encoding="utf-8")
    assert Catalog(tmp_path / "tasks").facts(name).content_warning == SAID[name]["content_warning"]


def split_is_not_what_the_lists_say(_catalog: Catalog, task: str, _name: str, said: dict[str, str]) -> None:
    assert set(said) == {"is", "reason"}
    assert Catalog(DATA / "tasks").split_of(task) != said["is"]


def answer_of(read: Task, name: str, fields: list[Field]) -> Answer:
    answers = AnswerColumns(read).answers(read.instances[0], fields)
    (answer,) = (answer for answer in answers if name in {answer.name, *answer.source.columns})
    return answer


def no_answer_would_be_scored_or_missed_on_the_page(_catalog: Catalog, task: str, name: str, reason: str) -> None:
    read = bare_task(task)
    answer = answer_of(read, name, [each for each in possible_fields(read) if each.name == name])
    assert answer.told or answer.status == ABSENT, answer.status
    assert reason


def rename_is_of_a_labelled_column_and_not_found_by_rule(
    _catalog: Catalog, task: str, column: str, said: dict[str, str]
) -> None:
    read = bare_task(task)
    assert set(said) == {"is", "reason"}
    assert column in AnswerColumns(read).rules.labelled
    fields = list(possible_fields(read))
    assert said["is"] in {each.name for each in fields}
    found = {answer.name: answer.source for answer in AnswerColumns(read).answers(read.instances[0], fields)}
    assert column not in found[said["is"]].columns


def kind_is_of_a_labelled_field_that_is_hidden_or_comes_later(
    _catalog: Catalog, task: str, name: str, said: dict[str, str]
) -> None:
    read = bare_task(task)
    assert set(said) == {"is", "reason"}
    assert said["reason"]
    kinds = {each.name: each.kind for each in declared_fields(read.template)}
    assert kinds.get(name, "hidden") == "hidden"
    answer = answer_of(read, name, list(possible_fields(read)))
    assert answer.status != NEVER_LABELLED
    assert answer.kind != said["is"]


def unreachable_is_a_field_that_counts(catalog: Catalog, task: str, name: str, reason: str) -> None:
    read = catalog.task(task)
    renamed = read.facts.renames
    columns = {column for column in read.columns if fnmatchcase(renamed.get(column, column), name)}
    assert columns & AnswerColumns(read).rules.labelled
    assert name not in read.facts.not_answers
    assert reason


CHECKS: dict[str, Callable[[Catalog, str, str, Any], None]] = {
    "split": split_is_not_what_the_lists_say,
    "not_answers": no_answer_would_be_scored_or_missed_on_the_page,
    "renames": rename_is_of_a_labelled_column_and_not_found_by_rule,
    "kinds": kind_is_of_a_labelled_field_that_is_hidden_or_comes_later,
    "unreachable": unreachable_is_a_field_that_counts,
}
"""A key of the overlay -> what holds for each statement under it, whether or not there is one now."""


def statements() -> Iterator[Any]:
    """(key, task, name, what is said) for each statement that the data can bear out."""
    for task, facts in SAID.items():
        for key, said in facts.items():
            named = {"": said} if key == "split" else said
            if key in CHECKS:
                yield from (
                    pytest.param(key, task, name, each, id=f"{key} of {task}: {name}") for name, each in named.items()
                )


@pytest.mark.parametrize(("key", "task", "name", "said"), list(statements()))
def test_what_the_overlay_states_is_so_and_would_not_be_known_without_it(
    catalog: Catalog, key: str, task: str, name: str, said: Any
) -> None:
    CHECKS[key](catalog, task, name, said)


def test_the_overlay_says_nothing_that_nobody_reads() -> None:
    empty = Facts()
    assert {key for facts in SAID.values() for key in facts} <= set(vars(empty))
    assert all(facts for facts in SAID.values())
    assert all(value for facts in SAID.values() for value in facts.values())


@pytest.mark.parametrize("shown", read_overlay(FILE).demonstrations, ids=lambda each: f"{each.task}: {each.field}")
def test_what_models_were_shown_is_a_field_of_one_instance_of_the_train_split(
    catalog: Catalog, shown: ShownField
) -> None:
    if shown.task not in catalog.names() or not catalog.task(shown.task).evaluable:
        pytest.skip(f"{shown.task} is not here, or without its table")
    task = catalog.task(shown.task)
    assert task.split == "train"
    assert shown.field in {each.name for each in possible_fields(task)}
    found = [each.index for each in task.instances if any(shown.words in value for value in each.inputs.values())]
    assert len(found) == 1
