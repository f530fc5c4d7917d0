from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from harness.analysis.replacement.workers import known_workers
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import pilot, replace
from tests.analysis.made import write
from tests.analysis.replacement.made_answers import answers_of, asked
from tests.task_folders import csv_text, make_task

ITEMS = 60
PEOPLE = ("ann", "bob", "cem")
PAGE = "<p>${text}</p><input type=radio name=q0 value=yes><input type=radio name=q0 value=no>"


@pytest.fixture
def tasks(tmp_path) -> Path:
    rows = [[f"text {index}", name, "30", "yes"] for index in range(ITEMS) for name in PEOPLE]
    table = csv_text(["text", "WorkerId", "WorkTimeInSeconds", "Answer.q0"], *rows)
    make_task(tmp_path / "tasks", "T", template=PAGE, table=table)
    return tmp_path / "tasks"


def played(tasks: Path, wrong: int = 0):
    """An agent that is wrong on the first items, whose pages are the longest."""
    return [
        asked(
            page.index,
            "no" if page.index < wrong else "yes",
            ["yes"] * 3,
            id=page.id,
            longest_input="x" * (100 if page.index < wrong else 10),
        )
        for page in Catalog(tasks).task("T").instances
    ]


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_the_command_says_yes_and_writes_page_numbers_and_items(tmp_path, tasks, capsys):
    run = write(tmp_path / "run", played(tasks), {"tasks_dir": str(tasks)})
    assert replace.main([str(run), "--pay", "0.12", "--tasks-dir", str(tasks)]) == COMPLETE
    printed = capsys.readouterr().out
    assert "1 of 1 field: yes." in printed
    out = tmp_path / "run_replacement"
    found = json.loads((out / "replacement.json").read_text())
    assert found["counts"] == {"yes": 1, "not yet known": 0, "no": 0}
    assert found["workers_from"] == "columns of the tasks' tables"
    assert found["costs"]["people_dollars"]["value"] == pytest.approx(0.36)
    assert found["costs"]["people_seconds"]["value"] == pytest.approx(90)
    assert found["costs"]["agent_dollars"]["value"] == 0.0
    page = (out / "replacement.html").read_text()
    assert "1 of 1 field: yes." in page
    assert [len(rows(out / name)) for name in ("to-agent.csv", "to-people.csv")] == [ITEMS, 0]


def test_what_people_are_to_do_is_a_task_without_labels_and_the_rest_a_split(tmp_path, tasks):
    run = write(tmp_path / "run", played(tasks, wrong=6), {"tasks_dir": str(tasks)})
    replace.main([str(run), "--error", "0.1", "--tasks-dir", str(tasks), "--out", str(tmp_path / "out")])
    people, agent = (rows(tmp_path / "out" / f"to-{who}.csv") for who in ("people", "agent"))
    assert {each["index"] for each in people} >= set(map(str, range(6)))
    assert 0 < len(people) < ITEMS
    served = Catalog(tmp_path / "out" / "to-people").task("T")
    assert [page.id for page in served.pages] == [each["id"] for each in people]
    assert served.columns == ()
    catalog = Catalog(tasks)
    chosen = str(tmp_path / "out" / "to-agent.csv")
    assert catalog.select(chosen, []) == ["T"]
    assert [page.id for page in catalog.instances("T", chosen)] == [each["id"] for each in agent]


def test_results_tell_who_the_workers_are(tmp_path, tasks):
    given = [
        ["1", name, str(30 + place), f"text {index}", "yes"]
        for index in range(ITEMS)
        for place, name in enumerate(PEOPLE)
    ]
    header = ["AssignmentId", "WorkerId", "WorkTimeInSeconds", "Input.text", "Answer.q0"]
    table = csv_text(header, *([str(number), *row[1:]] for number, row in enumerate(given)))
    file = tmp_path / "results.csv"
    file.write_text(table, encoding="utf-8", newline="")
    found = known_workers(answers_of(tmp_path, played(tasks)), tasks, [file], "T")
    assert set(found.names.values()) == {PEOPLE}
    assert (len(found.names), sum(found.seconds) / len(found.seconds)) == (ITEMS, 31.0)


def test_no_folder_is_opened_because_a_run_names_it(tmp_path, tasks, capsys):
    run = write(tmp_path / "run", played(tasks), {"tasks_dir": str(tasks)})
    assert replace.main([str(run), "--results", "results.csv"]) == WRONG_USE
    assert "--tasks-dir" in capsys.readouterr().err
    assert replace.main([str(run)]) == COMPLETE
    found = json.loads((tmp_path / "run_replacement" / "replacement.json").read_text())
    assert (found["workers_from"], found["costs"]["people_dollars"]["value"]) == ("", None)


def test_strangers_text_is_escaped_in_the_page(tmp_path, tasks):
    bad = [asked(index, "<script>x</script>", ["yes", "yes"]) for index in range(20)]
    run = write(tmp_path / "run", bad, {"tasks_dir": str(tasks)})
    assert replace.main([str(run)]) in {COMPLETE, INCOMPLETE}
    assert "<script" not in (tmp_path / "run_replacement" / "replacement.html").read_text()


@pytest.mark.parametrize("words", [["--pay", "-1"], ["--epsilon", "2"], ["--error", "0"]])
def test_amounts_that_make_no_sense_are_refused(tmp_path, words, capsys):
    with pytest.raises(SystemExit) as ended:
        replace.main([str(tmp_path), *words])
    assert ended.value.code == WRONG_USE
    assert words[0] in capsys.readouterr().err


def test_a_pilot_of_a_task_that_is_not_there_names_one_that_is(tasks, capsys):
    assert pilot.main(["Tt", "--tasks-dir", str(tasks), "--solver", "oracle"]) == WRONG_USE
    assert "there is no task 'Tt'" in capsys.readouterr().err


def test_a_pilot_ends_once_every_field_is_decided(tmp_path, tasks, capsys):
    out = tmp_path / "pilot"
    words = ["T", "--tasks-dir", str(tasks), "--solver", "do-nothing", "--out", str(out), "--progress", "quiet"]
    assert pilot.main(words) == COMPLETE
    looks = sorted(each.name for each in out.iterdir() if each.is_dir() and each.name.startswith("look"))
    assert looks == ["look-01", "look-02"]  # 10 and 20 of 60 items
    found = json.loads((out / "replacement.json").read_text())
    assert found["items"] == 20
    assert found["counts"]["no"] == 1
    played_items = [each["id"] for name in looks for each in rows(out / f"{name.replace('look', 'items')}.csv")]
    assert len(set(played_items)) == 20
    assert "Look 2: 20 items; 1 of 1 field decided" in capsys.readouterr().out
