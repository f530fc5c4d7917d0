"""The public split of a demonstration is used where the data tells it, and a rule's elsewhere."""

from __future__ import annotations

import json

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.offline_eval import main as offline_eval
from harness.cli.commands.tasks.sets import main as sets
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.traces import INDEX, Traces
from tests.papers.mind2web.demonstrations.made import a_demonstration


def put(file, *numbers):
    file.parent.mkdir(parents=True, exist_ok=True)
    written([a_demonstration(number, steps=2, website=f"site {number % 3}") for number in numbers], file)


@pytest.fixture
def imported(tmp_path):
    """A folder as an import makes it of the public files."""
    put(tmp_path / "data" / "train" / "train_0.json", 0, 1, 2)
    put(tmp_path / "data" / "test_task" / "test_task_0.json", 3)
    put(tmp_path / "data" / "test_website" / "test_website_0.json", 4)
    put(tmp_path / "data" / "test_domain" / "test_domain_0.json", 5, 6)
    assert sets(["import", "mind2web", str(tmp_path / "data"), str(tmp_path / "set")]) == COMPLETE
    return tmp_path / "set"


def splits_of(path):
    read = Traces.read(path)
    return read.published, sorted(read.splits.values())


def test_an_imported_folder_has_the_public_splits_and_they_can_be_asked_for(imported, tmp_path, capsys):
    public = ["cross-domain", "cross-domain", "cross-task", "cross-website", "train", "train", "train"]
    assert splits_of(imported) == (True, public)
    assert len(Traces.read(imported, split="test").tasks) == 4
    arguments = [str(imported), "--solver", "first", "--split", "cross-domain", "--progress", "plain"]
    assert offline_eval([*arguments, "--out", str(tmp_path / "out"), "--json"]) == COMPLETE
    said = capsys.readouterr()
    assert json.loads(said.out)["whole"]["tasks"] == 2
    assert "splits: as published" in said.err


def test_a_public_file_is_of_its_split_by_its_name(tmp_path):
    put(tmp_path / "test_website_1.jsonl.gz", 1, 2)
    assert splits_of(tmp_path / "test_website_1.jsonl.gz") == (True, ["cross-website"] * 2)
    put(tmp_path / "both" / "train_0.json", 1)
    put(tmp_path / "both" / "test_domain_0.json", 2)
    assert splits_of(tmp_path / "both") == (True, ["cross-domain", "train"])


def test_where_one_has_no_public_split_the_rule_makes_all_of_them(imported, tmp_path):
    put(tmp_path / "mixed" / "test_domain_0.json", 1)
    put(tmp_path / "mixed" / "of my own.json", 2)
    assert splits_of(tmp_path / "mixed")[0] is False
    put(imported / "999999.jsonl.gz", 77)
    assert splits_of(imported)[0] is False


def test_a_split_that_the_public_files_do_not_hold_is_refused_with_those_that_they_hold(tmp_path, capsys):
    put(tmp_path / "train_0.json", 1, 2)
    arguments = [str(tmp_path / "train_0.json"), "--solver", "first", "--out", str(tmp_path / "out")]
    assert offline_eval([*arguments, "--split", "cross-task"]) == WRONG_USE
    assert "holds no step of the split cross-task to be asked; its files are of train" in capsys.readouterr().err


def test_an_index_that_says_something_else_is_refused_in_a_line(imported, tmp_path, capsys):
    index = imported / INDEX
    index.write_text(index.read_text(encoding="utf-8").replace("cross-domain", "elsewhere"), encoding="utf-8")
    assert offline_eval([str(imported), "--solver", "first", "--out", str(tmp_path / "out")]) == WRONG_USE
    assert "'elsewhere' is no split; there are train, cross-task" in capsys.readouterr().err
