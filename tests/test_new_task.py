"""A new task to start from: it has every kind of field, and nothing is wrong with it."""

from __future__ import annotations

import json
import sys

import pytest

from harness.catalog.kinds import KINDS
from harness.cli.commands.tasks import new as new_task
from harness.kit.files.installation import to_type
from oracle.check.__main__ import main as check


@pytest.fixture(autouse=True)
def _called_as_itself(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["new_task"])


@pytest.mark.slow
def test_the_example_passes_the_check_without_a_word_and_has_every_kind_of_field(tmp_path, capsys):
    assert new_task.main([str(tmp_path / "tasks" / "Film reviews")]) == 0
    said = capsys.readouterr().out
    assert to_type("tasks check", "--tasks-dir", tmp_path / "tasks", "--task", "Film reviews") in said
    arguments = ["--tasks-dir", str(tmp_path / "tasks"), "--workers", "1", "--progress", "quiet"]
    assert check([*arguments, "--out", str(tmp_path / "check")]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first == "train: 22 of 22 scored fields at their ceiling"
    file = tmp_path / "check" / "run" / "episodes" / "Film%20reviews" / "0.json"
    kinds = {field["kind"] for field in json.loads(file.read_text())["fields"]}
    assert kinds == {*KINDS} - {"hidden"}  # the hidden one is scored as what its script stands for


@pytest.mark.parametrize("name", ["there", "there/template.html"])
def test_a_folder_in_use_is_left_alone(tmp_path, capsys, name):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "template.html").write_text("mine")
    assert new_task.main([str(tmp_path / name)]) == 2
    assert "is not empty; give a new folder" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["template.html"]
    assert (tmp_path / "there" / "template.html").read_text() == "mine"


@pytest.mark.parametrize("name", ["_mine", ".mine", "splits"])
def test_a_name_that_no_task_can_have_is_refused(tmp_path, capsys, name):
    assert new_task.main([str(tmp_path / name)]) == 2
    assert "give another name" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert new_task.main([str(tmp_path / "file" / "task")]) == 2
    assert "file" in capsys.readouterr().err
