"""Episodes in the Agent Data Protocol, and as a folder that Hugging Face's ``datasets`` loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.actions.result import Step
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.export.runs import main
from harness.episode.trajectory import Trajectory
from harness.kit.rows import split_name
from tests.integrations.exports.made import played, write_run
from tests.integrations.exports.requests import PICTURE, SAID
from tests.needs import extra
from tests.samples import episode, record


def exported(folder: Path, *episodes: Any) -> list[dict[str, Any]]:
    run = write_run(folder / "run", *episodes)
    assert main([str(run), "--format", "adp", "--out", str(folder / "out.jsonl")]) == COMPLETE
    return [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]


def check(made: dict[str, Any]) -> None:
    """What the protocol's own classes check of a trajectory, schema 1.5.0."""
    keys = {
        "api_action": {"function", "kwargs", "tool_call_id", "description", "reasoning_content"},
        "message_action": {"content", "reasoning_content"},
        "text_observation": {"content", "source", "tool_call_id"},
        "image_observation": {"content", "source"},
    }
    asked, answered = [], []
    for each in made["content"]:
        assert set(each) - {"class_"} <= keys[each["class_"]]
        assert each.get("source", "user") in ("user", "agent", "environment")
        if "tool_call_id" in each:
            is_action = each["class_"] == "api_action"
            (asked if is_action else answered).append(each["tool_call_id"])
            assert is_action or each["tool_call_id"] in asked
    assert sorted(asked) == sorted(answered) == sorted(set(asked))


def test_what_was_shown_done_and_given_stands_in_one_list(tmp_path):
    (made,) = exported(tmp_path, played(SAID))
    check(made)
    assert (made["schema_version"], made["id"]) == ("1.5.0", "run/T/0")
    assert [each["class_"] for each in made["content"]] == [
        "text_observation", "text_observation", "api_action", "text_observation", "text_observation", "message_action",
    ]  # fmt: skip
    asked, seen, act, gave, _, said = made["content"]
    assert (asked["source"], seen["source"]) == ("user", "environment")
    assert seen["content"] == "the page\n\nthe field 'a'"
    assert (act["function"], act["kwargs"]) == ("modify_text", {"name": "a", "value": "yes"})
    assert (act["description"], gave["content"]) == ("modify_text('a', 'yes')", "m")
    assert said["content"] == "I do not know."
    assert (made["details"]["score"], made["details"]["held_out"]) == (0.5, False)
    assert "LABEL-B" not in json.dumps(made)


def test_a_solver_without_a_model_has_actions_alone_and_pictures_by_their_paths(tmp_path):
    steps = (
        Step("modify_text('a', 'yes')", ok=True, message="'a' holds 'yes'", ms=3.0),
        Step("capture_screen('viewport', None)", ok=True, message="the screen", ms=9.0, image=PICTURE),
    )
    (made,) = exported(tmp_path, (Trajectory(), episode(record("a", sent=("yes",)), steps=steps)))
    check(made)
    assert [each["function"] for each in made["content"] if each["class_"] == "api_action"] == [
        "modify_text", "capture_screen",
    ]  # fmt: skip
    assert made["content"][-1]["content"] == f"run/images/{PICTURE}.png"


def dataset(folder: Path) -> Path:
    pytest.importorskip("pyarrow", reason=extra("export"))
    run = write_run(folder / "run", played(SAID), played(SAID, index=1, split="test-hard"))
    assert main([str(run), "--format", "datasets", "--out", str(folder / "out")]) == COMPLETE
    return folder / "out"


def test_a_folder_has_a_file_a_table_and_split_and_a_card_that_names_them(tmp_path):
    out = dataset(tmp_path)
    card = (out / "README.md").read_text(encoding="utf-8")
    for table in ("episodes", "fields", "steps", "turns"):
        for split in ("train", "test_hard"):
            assert f"path: data/{table}/{split}.parquet" in card
            assert (out / "data" / table / f"{split}.parquet").exists()
    assert card.startswith("---\nconfigs:\n- config_name: episodes\n")
    assert "held_out" in card


def test_a_table_without_rows_is_no_configuration(tmp_path):
    pytest.importorskip("pyarrow", reason=extra("export"))
    run = write_run(tmp_path / "run", (Trajectory(), episode(record("a", sent=("yes",)))))
    assert main([str(run), "--format", "datasets", "--out", str(tmp_path / "out")]) == COMPLETE
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "config_name: episodes" in card
    assert "config_name: turns" not in card


def test_the_library_loads_it(tmp_path):
    datasets = pytest.importorskip("datasets", reason=extra("training"))
    out = dataset(tmp_path)
    for table in ("episodes", "fields", "steps", "turns"):
        found = datasets.load_dataset(str(out), table, cache_dir=str(tmp_path / "cache"))
        assert {name: part.num_rows > 0 for name, part in found.items()} == {"train": True, "test_hard": True}
    assert found["test_hard"][0]["held_out"] is True


def test_names_of_splits_are_such_as_the_library_takes():
    assert [split_name(each) for each in ("train", "test-hard", "", "§")] == [
        "train",
        "test_hard",
        "unnamed",
        "unnamed",
    ]


def test_it_needs_a_folder(tmp_path, capsys):
    run = write_run(tmp_path / "run", played(SAID))
    assert main([str(run), "--format", "datasets"]) == WRONG_USE
    assert "--out" in capsys.readouterr().err
