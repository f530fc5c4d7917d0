"""The catalog and the page template against the public data of TurkingBench."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from harness.catalog import Catalog, Task
from harness.catalog.template import instantiate, render
from harness.catalog.template.wrapping import FORM_END, FORM_START, SCRIPT, SUBMIT
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data

DATA = TURKINGBENCH

pytestmark = needs(real_data("tasks", "task_facts.json"))

SPLITS = {"test_easy": "test", "test_hard": "challenge", "subjective": "subjective", "train": "train"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(DATA / "tasks")


@pytest.fixture(scope="module")
def facts() -> dict[str, dict[str, Any]]:
    """What was measured in a browser of each task, by name."""
    return {entry["task"]: entry for entry in json.loads((DATA / "task_facts.json").read_text(encoding="utf-8"))}


@pytest.fixture(scope="module")
def tasks(catalog: Catalog, facts: dict[str, dict[str, Any]]) -> list[Task]:
    """The tasks that were measured; a folder may hold more."""
    return [catalog.task(name) for name in catalog.names() if name in facts]


@pytest.mark.slow
def test_every_folder_is_a_task_and_none_is_malformed(catalog: Catalog, facts: dict[str, dict[str, Any]]) -> None:
    folders = {folder.name for folder in (DATA / "tasks").iterdir() if folder.is_dir()}
    assert set(catalog.names()) == folders >= set(facts)
    lists, tableless = catalog.check()
    assert (lists.file.name, lists.task) == ("splits", "")
    assert tableless.what.startswith("6 tasks have no batch.csv")


def test_tasks_are_in_the_splits_of_the_benchmark(tasks: list[Task], facts: dict[str, dict[str, Any]]) -> None:
    assert {task.name: task.split for task in tasks} == {name: SPLITS[fact["split"]] for name, fact in facts.items()}


def test_rows_are_grouped_into_the_instances_that_were_counted(
    tasks: list[Task], facts: dict[str, dict[str, Any]]
) -> None:
    found = {
        task.name: (len(task.instances), sum(len(instance.rows) for instance in task.instances))
        for task in tasks
        if task.evaluable
    }
    wanted = {
        name: (fact["instances_by_template_vars"], fact["rows"]) for name, fact in facts.items() if fact["has_csv"]
    }
    assert found == wanted


def test_original_rows_are_those_that_were_counted(tasks: list[Task], facts: dict[str, dict[str, Any]]) -> None:
    for task in tasks:
        if task.evaluable:
            aliases = sorted(alias for instance in task.instances for alias in instance.aliases)
            assert sorted(set(aliases)) == list(range(facts[task.name]["instances"])), task.name
            assert len(aliases) == len(set(aliases)), task.name


def test_variables_are_those_that_were_found(tasks: list[Task], facts: dict[str, dict[str, Any]]) -> None:
    assert {task.name: set(task.variables) for task in tasks} == {
        name: set(fact["variables"]) for name, fact in facts.items()
    }


def test_ids_and_indices_tell_the_instances_of_a_task_apart(tasks: list[Task]) -> None:
    for task in tasks:
        assert [instance.index for instance in task.instances] == list(range(len(task.instances)))
        assert len({instance.id for instance in task.instances}) == len(task.instances), task.name


@pytest.mark.slow
def test_the_first_and_the_last_page_of_each_task_are_filled_in_and_wrapped(
    tasks: list[Task], facts: dict[str, dict[str, Any]]
) -> None:
    for task in tasks:
        for inputs in [task.instances[0].inputs, task.instances[-1].inputs] if task.evaluable else [{}]:
            page = render(task.template, inputs)
            assert (FORM_START in page) is (facts[task.name]["template"]["forms"] == 0), task.name
            assert page.count(SCRIPT) == 1, task.name
            assert {"assignmentId", "hitId", "workerId"} <= set(re.findall(r"""name=["'](\w+)""", page)), task.name
            assert without_forms_end(instantiate(task.template, inputs)) in unwrapped(page), task.name


def unwrapped(page: str) -> str:
    """Return a page without what wrapping adds; all ends of forms go, since they cannot be told apart."""
    for text in (SCRIPT, FORM_START, SUBMIT):
        page = page.replace(text, "", 1)
    hidden = r'<input type="hidden" name="(assignment|hit|worker)Id"( id="\1Id")? value="\1">'
    return without_forms_end(re.sub(hidden, "", page))


def without_forms_end(page: str) -> str:
    return page.replace(FORM_END, "")


def test_duplicate_folders_are_found(catalog: Catalog) -> None:
    splits = [{catalog.split_of(name) for name in group} for group in catalog.duplicates()]
    assert splits == [{"train", "test"}]


@pytest.mark.slow
def test_recorded_labels_are_the_cells_of_the_row_number_that_they_name(
    catalog: Catalog, facts: dict[str, dict[str, Any]]
) -> None:
    renamed = {fact["old_name_in_logs"]: name for name, fact in facts.items() if fact["old_name_in_logs"]}
    files = sorted((DATA / "recorded").glob("*.jsonl"))
    records = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert records
    for record in records:
        task = catalog.task(renamed.get(record["task"], record["task"]))
        number, field = record["row_number"], record["field"]
        (instance,) = (instance for instance in task.instances if number in instance.aliases)
        gold = ["" if label is None else str(label) for label in record["gold"]]
        assert list(instance.labels[field]) == gold, (task.name, number, field)
