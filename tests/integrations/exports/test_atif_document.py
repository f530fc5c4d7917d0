"""Episodes as trajectories of ATIF, which the format's own package reads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import atif

from harness.actions.result import ErrorCode, Step
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.export.runs import main
from harness.episode.trajectory import Trajectory
from tests.integrations.exports.made import played, write_run
from tests.integrations.exports.requests import PICTURE, PNG, SAID, reply, request
from tests.samples import episode, record


def exported(folder: Path, *episodes: Any) -> list[dict[str, Any]]:
    """The trajectories of a run with these episodes, by index."""
    run = write_run(folder / "run", *episodes)
    assert main([str(run), "--format", "atif", "--out", str(folder / "out")]) == COMPLETE
    files = sorted((folder / "out" / "run" / "T").glob("*.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def without_a_model() -> tuple[Trajectory, Any]:
    steps = (
        Step("modify_text('a', 'yes')", ok=True, message="'a' holds 'yes'", ms=3.0),
        Step("capture_screen('viewport', None)", ok=True, message="the screen", ms=9.0, image=PICTURE),
        Step("devtools('Page.navigate')", ok=False, message="refused", ms=0.0, code=ErrorCode.NOT_ALLOWED),
    )
    return Trajectory(), episode(record("a", sent=("yes",)), steps=steps, index=1)


def test_a_turn_is_a_step_with_its_actions_as_tool_calls_and_what_was_shown_before_it(tmp_path):
    (made,) = exported(tmp_path, played(SAID))
    rules, shown, first, shown_then, second = made["steps"]
    assert (rules["step_id"], rules["source"], rules["message"]) == (1, "system", "Act.")
    assert (shown["source"], shown["message"]) == ("user", "the page\n\nthe field 'a'")
    assert (shown_then["source"], shown_then["message"]) == ("user", "the page\n\nthe field 'b'")
    assert "model_name" not in made["agent"], "nobody told it"
    assert first["message"] == "modify_text('a', 'yes')"
    (call,) = first["tool_calls"]
    assert (call["function_name"], call["arguments"]) == ("modify_text", {"name": "a", "value": "yes"})
    (result,) = first["observation"]["results"]
    assert (result["source_call_id"], result["content"]) == (call["tool_call_id"], "m")
    assert first["metrics"]["cost_usd"] == 0.25
    assert second["message"] == "I do not know."
    assert "tool_calls" not in second
    assert made["final_metrics"]["total_cost_usd"] == 0.5
    assert made["final_metrics"]["extra"]["score"] == 0.5
    assert "LABEL-B" not in json.dumps(made)


def test_an_action_of_a_solver_without_a_model_is_a_step_of_its_own(tmp_path):
    (made,) = exported(tmp_path, without_a_model())
    steps = made["steps"][1:]
    assert [step["llm_call_count"] for step in steps] == [0, 0, 0]
    assert [step["tool_calls"][0]["function_name"] for step in steps] == ["modify_text", "capture_screen", "devtools"]
    shown = steps[1]["observation"]["results"][0]["content"][1]["source"]
    assert shown == {"media_type": "image/png", "path": f"images/{PICTURE}.png"}
    assert steps[2]["observation"]["results"][0]["extra"] == {"ok": False, "code": "not_allowed"}


def test_a_picture_is_a_part_beside_the_file_that_names_it_and_the_model_has_its_name(tmp_path):
    (made,) = exported(tmp_path, played([(request("the page", PNG), reply(model="m-2026"))]))
    assert made["agent"]["model_name"] == made["steps"][2]["model_name"] == "m-2026"
    text, picture = made["steps"][1]["message"]
    assert text == {"type": "text", "text": "the page"}
    assert (tmp_path / "out" / "run" / "T" / picture["source"]["path"]).read_bytes() == PNG
    assert picture["type"] == "image"
    assert ".." not in picture["source"]["path"]
    assert atif.Trajectory.model_validate(made).to_json_dict() == made


def test_the_end_of_the_work_is_a_call(tmp_path):
    act, made = played(SAID)
    ended = replace(made.turns[0], calls=(*made.turns[0].calls, "finish()"))
    (trajectory,) = exported(tmp_path, (act, replace(made, turns=(ended,))))
    write, end = trajectory["steps"][-1]["tool_calls"]
    assert (write["function_name"], end["function_name"], end["arguments"]) == ("modify_text", "finish", {})
    assert atif.Trajectory.model_validate(trajectory).to_json_dict() == trajectory


def test_the_package_of_the_format_reads_them_without_loss(tmp_path):
    for made in exported(tmp_path, played(SAID), without_a_model()):
        assert atif.Trajectory.model_validate(made).to_json_dict() == made


def test_trajectories_need_a_folder(tmp_path, capsys):
    run = write_run(tmp_path / "run", played(SAID))
    assert main([str(run), "--format", "atif"]) == WRONG_USE
    assert "--out" in capsys.readouterr().err
