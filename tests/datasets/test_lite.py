from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.overlay import known_overlay
from harness.cli.commands.tasks.lite import main
from harness.datasets.lite.choosing import Candidate, candidates, choose
from harness.scoring.answers.columns import is_answered
from tests.checkout import PROJECT, TURKINGBENCH
from tests.needs import needs, real_data
from tests.task_folders import make_task

DATA = TURKINGBENCH


def candidate(task: str, id_: str, kind: str = "text", difficulty: str = "hard", fields: str = "few") -> Candidate:
    return Candidate(task, "train", id_, kind, difficulty, fields)


def names(chosen: list[Candidate]) -> list[tuple[str, str]]:
    return [(each.task, each.id) for each in chosen]


# The choice.


def test_every_task_gives_an_instance_whatever_the_size() -> None:
    found = [candidate(task, id_) for task in "ABC" for id_ in "12"]
    assert names(choose(found, 1)) == [("A", "1"), ("B", "1"), ("C", "1")]


def test_what_is_rare_so_far_comes_next() -> None:
    found = [candidate("A", "1"), candidate("A", "2"), candidate("A", "3", "radio"), candidate("B", "1")]
    assert names(choose(found, 3)) == [("A", "1"), ("A", "3"), ("B", "1")]


def test_no_task_gives_much_more_than_the_others() -> None:
    found = [candidate("A", f"{n}") for n in range(12)] + [candidate("B", f"{n}", "radio") for n in range(12)]
    assert Counter(each.task for each in choose(found, 10)) == {"A": 5, "B": 5}


def test_the_choice_does_not_depend_on_the_order_of_the_candidates_of_different_tasks() -> None:
    found = [candidate(task, id_, kind) for task in "AB" for id_ in "123" for kind in ("text",)]
    assert choose(found, 4) == choose(found[3:] + found[:3], 4)


def test_there_are_no_more_than_there_are_candidates() -> None:
    assert len(choose([candidate("A", "1"), candidate("A", "2")], 9)) == 2


# The candidates.


def test_tasks_with_a_warning_and_pages_with_remote_pictures_are_no_candidates(tmp_path: Path) -> None:
    make_task(tmp_path, "fine")
    make_task(tmp_path, "warns", facts={"content_warning": "war"})
    make_task(tmp_path, "pictures", template='${text}<img src="https://example.org/a.png"><input name=a>')
    make_task(tmp_path, "no table", table=None)
    make_task(tmp_path, "malformed", table="")
    assert [each.task for each in candidates(Catalog(tmp_path))] == ["fine"]


def test_of_identical_tasks_the_one_outside_the_training_split_is_a_candidate(tmp_path: Path) -> None:
    for name in ("A", "B", "C"):
        make_task(tmp_path, name)
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "test.txt").write_text("B\n", encoding="utf-8")
    assert [each.task for each in candidates(Catalog(tmp_path))] == ["B"]


def test_an_instance_is_described_by_kind_difficulty_and_number_of_fields(tmp_path: Path) -> None:
    choice = '<input type="radio" name="a" value="y"><input type="radio" name="a" value="n">'
    rows = "".join(f"text {n},{'y' if n < 9 else 'n'}\r\n" for n in range(10)) + "empty,\r\n"
    make_task(tmp_path, "T", template="${text}" + choice, table=f"text,Answer.a\r\n{rows}")
    found = list(candidates(Catalog(tmp_path)))
    assert len(found) == 10
    assert Counter((each.kind, each.difficulty, each.fields) for each in found) == {
        ("radio", "easy", "few"): 9,
        ("radio", "hard", "few"): 1,
    }


# The splits that were made.


def test_the_bundled_lite_split_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tasks-dir", str(PROJECT / "tasks"), "--size", "40"]) == 0
    assert capsys.readouterr().out == (PROJECT / "tasks" / "splits" / "lite.json").read_text(encoding="utf-8")


def test_a_folder_that_is_not_there_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tasks-dir", str(tmp_path / "nothing")]) == 2
    assert "nothing is not a folder" in capsys.readouterr().err


@pytest.mark.slow
@needs(real_data("tasks"))
def test_the_lite_split_of_turkingbench_is_there_and_can_be_scored() -> None:
    catalog = Catalog(DATA / "tasks", known_overlay("turkingbench"))
    chosen = catalog.select("lite", [])
    instances = [instance for name in chosen for instance in catalog.instances(name, "lite")]
    assert len(instances) == 200
    assert all(map(is_answered, instances))
    assert not [name for name in chosen if catalog.facts(name).content_warning]
    assert {catalog.split_of(name) for name in chosen} == {"train", "test", "challenge", "subjective"}
    assert not [problem for problem in catalog.problems if problem.file.name == "turkingbench.lite.json"]


def test_the_lite_split_of_turkingbench_holds_names_and_ids_alone() -> None:
    file = PROJECT / "harness" / "catalog" / "overlays" / "turkingbench.lite.json"
    tasks = json.loads(file.read_text(encoding="utf-8"))["tasks"]
    ids = [id_ for of_task in tasks.values() for id_ in of_task]
    assert all(len(id_) == 12 and int(id_, 16) >= 0 for id_ in ids)
