import json

import pytest

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.datasets.tasksets import DatasetError
from harness.papers.online_mind2web.task_set import import_online_tasks

TASK = {
    "task_id": "fb7b4f784cfde003e2548fdf4e8d6b4f_110325",
    "confirmed_task": "Open the page with an overview of “releases”",
    "website": "https://Music.test/start?x=1",
    "reference_length": 7,
    "level": "medium",
}


def written(folder, *tasks):
    file = folder / "Online_Mind2Web.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return file


def test_a_task_keeps_its_id_goal_website_length_and_level(tmp_path):
    other = {**TASK, "task_id": "b", "level": "hard", "further": "x"}
    assert main(["import", "online-mind2web", str(written(tmp_path, TASK, other)), str(tmp_path / "tasks")]) == COMPLETE
    catalog = Catalog(tmp_path / "tasks")
    assert not catalog.problems
    assert set(catalog.names()) == {TASK["task_id"], "b"}
    site = catalog.task(TASK["task_id"]).site
    assert (site.goal, site.start) == (TASK["confirmed_task"], TASK["website"])
    assert site.origins == ("https://music.test",)
    assert (site.reference_length, site.level) == (7, "medium")
    assert site.evaluators.judged
    assert site.evaluators.given == ()


def test_what_was_imported_is_counted(tmp_path, capsys):
    file = written(tmp_path, TASK, {**TASK, "task_id": "b"})
    assert main(["import", "online-mind2web", str(file), str(tmp_path / "tasks")]) == COMPLETE
    assert "2 tasks, 1 site" in capsys.readouterr().out
    assert main(["import", "online-mind2web", str(file), str(tmp_path / "tasks")]) == WRONG_USE
    assert "not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task_id": "../up"}, "cannot name a folder"),
        ({"task_id": ""}, "cannot name a folder"),
        ({"task_id": "_a"}, "cannot name a folder"),
        ({"task_id": 3}, "task_id"),
        ({"confirmed_task": " "}, "no task in words"),
        ({"confirmed_task": "buy ${x}"}, "table fills in"),
        ({"reference_length": 0}, "no number of steps"),
        ({"reference_length": True}, "reference_length"),
        ({"level": "expert"}, "level"),
        ({"website": "music.test"}, "no address"),
        ({"website": "file:///etc"}, "no address"),
        ({"website": "https://you@bank.test/"}, "no address"),
        ({"website": "https://[x"}, "no address"),
    ],
)
def test_what_is_not_understood_is_said_with_its_place_and_nothing_is_written(tmp_path, change, message):
    file = written(tmp_path, {**TASK, "task_id": "a"}, {**TASK, **change})
    with pytest.raises(DatasetError, match=f"task 2.*{message}"):
        import_online_tasks(file, tmp_path / "tasks")
    assert not (tmp_path / "tasks").exists()


@pytest.mark.parametrize("content", ["", "{}", "[]", "[1]", '[{"task_id": "a"}]'])
def test_what_is_no_list_of_tasks_is_refused(tmp_path, content):
    file = tmp_path / "tasks.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError):
        import_online_tasks(file, tmp_path / "tasks")


def test_two_tasks_cannot_have_one_folder(tmp_path):
    with pytest.raises(DatasetError, match="another task has the id"):
        import_online_tasks(written(tmp_path, TASK, {**TASK, "task_id": TASK["task_id"].upper()}), tmp_path / "tasks")
