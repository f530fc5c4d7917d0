"""Every statement of the overlay of TurkingBench against the public data, which is not part of this project."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from harness.answers.columns import NEVER_LABELLED, AnswerColumns
from harness.answers.scripted import later_fields
from harness.catalog import Catalog, Task
from harness.catalog.facts import Facts
from harness.catalog.overlay import known_overlay, read_overlay
from harness.datasets.controls import declared_fields
from harness.page.fields import Field
from tests.samples import field

DATA = Path(os.environ.get("TURKINGBENCH_DIR") or Path(__file__).resolve().parents[3] / "shared" / "turkingbench")
FILE = known_overlay("turkingbench") or Path()
SAID: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["tasks"]

pytestmark = pytest.mark.skipif(
    not (DATA / "tasks").is_dir(), reason=f"no tasks in {DATA}; set TURKINGBENCH_DIR to the benchmark's folder"
)


def statements(key: str) -> list[Any]:
    """(task, name, what is said) for each entry under a key that holds a map."""
    return [
        pytest.param(task, name, said, id=f"{task}: {name}")
        for task, facts in SAID.items()
        for name, said in facts.get(key, {}).items()
    ]


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


@pytest.mark.parametrize(
    ("task", "facts"), [pytest.param(task, facts, id=task) for task, facts in SAID.items() if "split" in facts]
)
def test_a_stated_split_is_not_what_the_lists_say_anyway(task: str, facts: dict[str, Any]) -> None:
    assert set(facts["split"]) == {"is", "reason"}
    assert Catalog(DATA / "tasks").split_of(task) != facts["split"]["is"]


@pytest.mark.parametrize(("task", "name", "reason"), statements("not_answers"))
def test_what_is_declared_no_answer_would_be_scored_otherwise(task: str, name: str, reason: str) -> None:
    read = bare_task(task)
    fields = [each for each in possible_fields(read) if each.name == name]
    answers = AnswerColumns(read).answers(read.instances[0], fields)
    (answer,) = (answer for answer in answers if name in {answer.name, *answer.source.columns})
    assert answer.told, answer.status
    assert reason


@pytest.mark.parametrize(("task", "column", "said"), statements("renames"))
def test_a_renamed_column_is_labelled_and_its_field_is_on_the_page_and_not_found_by_rule(
    task: str, column: str, said: dict[str, str]
) -> None:
    read = bare_task(task)
    assert set(said) == {"is", "reason"}
    assert column in AnswerColumns(read).rules.labelled
    fields = list(possible_fields(read))
    assert said["is"] in {each.name for each in fields}
    found = {answer.name: answer.source for answer in AnswerColumns(read).answers(read.instances[0], fields)}
    assert column not in found[said["is"]].columns


@pytest.mark.parametrize(("task", "name", "said"), statements("kinds"))
def test_a_declared_kind_is_of_a_labelled_field_that_is_hidden_or_comes_later(
    task: str, name: str, said: dict[str, str]
) -> None:
    read = bare_task(task)
    assert set(said) == {"is", "reason"}
    assert said["reason"]
    kinds = {each.name: each.kind for each in declared_fields(read.template)}
    assert kinds.get(name, "hidden") == "hidden"
    (answer,) = (
        answer
        for answer in AnswerColumns(read).answers(read.instances[0], list(possible_fields(read)))
        if name in {answer.name, *answer.source.columns}
    )
    assert answer.status != NEVER_LABELLED
    assert answer.kind != said["is"]


@pytest.mark.parametrize(("task", "name", "reason"), statements("unreachable"))
def test_what_cannot_be_reached_is_a_field_that_counts(catalog: Catalog, task: str, name: str, reason: str) -> None:
    read = catalog.task(task)
    renamed = read.facts.renames
    columns = {column for column in read.columns if fnmatchcase(renamed.get(column, column), name)}
    assert columns & AnswerColumns(read).rules.labelled
    assert name not in read.facts.not_answers
    assert reason


def test_the_overlay_says_nothing_that_nobody_reads() -> None:
    empty = Facts()
    assert {key for facts in SAID.values() for key in facts} <= set(vars(empty))
    assert all(facts for facts in SAID.values())
    assert all(value for facts in SAID.values() for value in facts.values())
