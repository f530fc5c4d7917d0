"""Splits that pick single instances, known overlays, and what the catalog keeps in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.overlay import known_overlays, overlay_file
from harness.catalog.problems import CatalogError, MalformedTask
from tests.task_folders import make_task


def pin(folder: Path, data: object, name: str = "few") -> Path:
    file = folder / "splits" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def two_tasks(folder: Path) -> dict[str, list[str]]:
    """Two tasks of two instances each; gives their ids."""
    for name in ("A", "B"):
        make_task(folder, name, table=f"text,Answer.a\r\none {name},yes\r\ntwo {name},no\r\n")
    return {name: [each.id for each in Catalog(folder).task(name).instances] for name in ("A", "B")}


def test_a_pinned_split_selects_the_tasks_and_instances_that_it_names(tmp_path: Path) -> None:
    ids = two_tasks(tmp_path)
    pin(tmp_path, {"description": "one", "tasks": {"B": ids["B"][1:]}})
    catalog = Catalog(tmp_path)
    assert catalog.select("few", []) == ["B"]
    assert [instance.id for instance in catalog.instances("B", "few")] == ids["B"][1:]
    assert catalog.instances("A", "few") == ()
    assert catalog.problems == []


@pytest.mark.parametrize("split", [None, "train"])
def test_any_other_split_has_all_instances_of_its_tasks(tmp_path: Path, split: str | None) -> None:
    ids = two_tasks(tmp_path)
    pin(tmp_path, {"tasks": {"B": []}})
    assert [instance.id for instance in Catalog(tmp_path).instances("B", split)] == ids["B"]


def test_a_task_stays_in_its_own_split_whatever_pins_it(tmp_path: Path) -> None:
    ids = two_tasks(tmp_path)
    pin(tmp_path, {"tasks": ids})
    catalog = Catalog(tmp_path)
    assert catalog.splits() == {"train": ["A", "B"]}
    assert catalog.pinned_splits() == {"few": ["A", "B"]}


def test_ids_that_are_not_there_are_one_problem_and_the_rest_is_used(tmp_path: Path) -> None:
    ids = two_tasks(tmp_path)
    file = pin(tmp_path, {"tasks": {"A": [ids["A"][0], "0123", "4567"]}})
    catalog = Catalog(tmp_path)
    for _ in range(2):
        assert [instance.id for instance in catalog.instances("A", "few")] == ids["A"][:1]
    (problem,) = catalog.problems
    assert (problem.task, problem.file, problem.column) == ("A", file, "tasks.A")
    assert problem.what == "2 of its 3 instances are not in the table: 0123, 4567"


def test_tasks_that_are_not_there_are_one_problem_and_the_rest_is_used(tmp_path: Path) -> None:
    ids = two_tasks(tmp_path)
    pin(tmp_path, {"tasks": {"A": ids["A"], "gone": ["0123"], "lost": []}})
    catalog = Catalog(tmp_path)
    assert catalog.select("few", []) == ["A"]
    (problem,) = catalog.problems
    assert problem.what == "2 of its 3 tasks are not here ('gone', 'lost'); they are skipped"


@pytest.mark.parametrize("content", ["{", "[]", {"tasks": []}, {"tasks": {"A": "0123"}}, {"tasks": {"A": [1]}}])
def test_a_pinned_split_that_cannot_be_read_is_refused(tmp_path: Path, content: object) -> None:
    two_tasks(tmp_path)
    pin(tmp_path, content)
    with pytest.raises(CatalogError, match=r"few\.json"):
        Catalog(tmp_path)


def test_an_overlay_can_pin_a_split_in_a_file_beside_it(tmp_path: Path) -> None:
    ids = two_tasks(tmp_path / "tasks")
    (tmp_path / "small.json").write_text(json.dumps({"tasks": {"A": ids["A"][:1]}}), encoding="utf-8")
    overlay = tmp_path / "overlay.json"
    overlay.write_text('{"splits": {"lite": "small.json"}, "tasks": {}}', encoding="utf-8")
    catalog = Catalog(tmp_path / "tasks", overlay)
    assert [instance.id for instance in catalog.instances("A", "lite")] == ids["A"][:1]


# Known overlays.


def test_an_overlay_is_named_by_its_task_set_or_by_its_path(tmp_path: Path) -> None:
    assert "turkingbench" in known_overlays()
    assert overlay_file("turkingbench").name == "turkingbench.overlay.json"
    assert overlay_file(str(tmp_path / "mine.json")) == tmp_path / "mine.json"


def test_an_overlay_of_ones_own_lies_over_the_one_that_it_extends(tmp_path: Path) -> None:
    known = json.loads(overlay_file("turkingbench").read_text(encoding="utf-8"))["tasks"]
    name = next(task for task, facts in known.items() if "content_warning" in facts)
    make_task(tmp_path / "tasks", name)
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"extends": "turkingbench", "tasks": {name: {"title": "Mine"}}}), encoding="utf-8")
    catalog = Catalog(tmp_path / "tasks", mine)
    facts = catalog.facts(name)
    assert (facts.title, facts.content_warning) == ("Mine", known[name]["content_warning"])
    # A part of a task set is no mistake: tasks of the known overlay that are not here are nobody's problem.
    assert not any(problem.column == "tasks" or "no task of this name" in problem.what for problem in catalog.problems)


def test_an_overlay_that_extends_what_is_not_known_is_refused(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "T")
    mine = tmp_path / "mine.json"
    mine.write_text('{"extends": "turkingbnch", "tasks": {}}', encoding="utf-8")
    with pytest.raises(CatalogError, match="no known overlay 'turkingbnch'"):
        Catalog(tmp_path / "tasks", mine)


def test_what_is_stated_with_a_reason_counts_as_without_one(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "T", table="text,Answer.b\r\none,yes\r\n")
    overlay = tmp_path / "overlay.json"
    said = {
        "split": {"is": "test", "reason": "r"},
        "renames": {"b": {"is": "a", "reason": "r"}},
        "kinds": {"c": {"is": "radio", "reason": "r"}},
    }
    overlay.write_text(json.dumps({"tasks": {"T": said}}), encoding="utf-8")
    catalog = Catalog(tmp_path / "tasks", overlay)
    facts = catalog.facts("T")
    assert (catalog.split_of("T"), facts.renames, facts.kinds) == ("test", {"b": "a"}, {"c": "radio"})
    assert catalog.problems == []


@pytest.mark.parametrize("stated", [{"is": "test"}, {"is": "test", "reason": 1}, {"is": 1, "reason": "r"}])
def test_a_statement_without_a_proper_reason_is_reported(tmp_path: Path, stated: object) -> None:
    make_task(tmp_path / "tasks", "T")
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"tasks": {"T": {"split": stated}}}), encoding="utf-8")
    catalog = Catalog(tmp_path / "tasks", overlay)
    assert catalog.split_of("T") == "train"
    assert [problem.column for problem in catalog.problems] == ["tasks.T.split"]


# Warnings on the page itself.


@pytest.mark.parametrize(
    "text", ["This HIT may contain adult\n content.", "WORKER DISCRETION is advised", "<b>Content warning</b>: war"]
)
def test_a_page_that_warns_of_its_content_has_a_content_warning(tmp_path: Path, text: str) -> None:
    make_task(tmp_path, "T", template=f"<p>{text}</p>${{text}}<input name=a>")
    catalog = Catalog(tmp_path)
    assert catalog.facts("T").content_warning.startswith("The page itself warns its readers: ")
    assert catalog.task("T").facts.content_warning == catalog.facts("T").content_warning


def test_a_stated_warning_stands_before_that_of_the_page(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="adult content ${text}", facts={"content_warning": "war"})
    assert Catalog(tmp_path).facts("T").content_warning == "war"


@pytest.mark.parametrize("template", ["<p>Adults are content.</p>${text}", None])
def test_a_page_that_warns_of_nothing_has_no_content_warning(tmp_path: Path, template: str | None) -> None:
    make_task(tmp_path, "T", template=template)
    assert Catalog(tmp_path).facts("T").content_warning == ""


# Memory.


def test_only_the_tables_that_were_asked_for_last_are_kept(tmp_path: Path) -> None:
    for number in range(20):
        make_task(tmp_path, f"T{number:02}")
    catalog = Catalog(tmp_path)
    first = catalog.task("T00")
    assert catalog.task("T00") is first
    for name in catalog.names()[1:]:
        catalog.task(name)
        assert catalog.task("T00") is first  # used all the time
    again = catalog.task("T01")
    for name in catalog.names()[2:]:
        catalog.task(name)
    assert catalog.task("T01") is not again
    assert catalog.task("T01") == again


def test_fewer_tables_are_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    make_task(tmp_path, "A")
    make_task(tmp_path, "B")
    catalog = Catalog(tmp_path, tables_kept=1)
    first = catalog.task("A")
    assert catalog.task("A") is first
    catalog.task("B")
    assert catalog.task("A") is not first


def test_a_malformed_task_stays_malformed_and_is_well_once_its_files_are(tmp_path: Path) -> None:
    folder = make_task(tmp_path, "T", table="")
    catalog = Catalog(tmp_path)
    for _ in range(2):
        with pytest.raises(MalformedTask):
            catalog.task("T")
    (folder / "batch.csv").write_text("text,Answer.a\r\none,yes\r\n", encoding="utf-8")
    assert catalog.task("T").columns == ("a",)
    assert catalog.problems == []
