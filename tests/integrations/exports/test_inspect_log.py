"""Runs as logs of Inspect, which Inspect's own reader takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from harness.actions.result import ErrorCode, Step
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.export.runs import main
from harness.episode.trajectory import Trajectory
from harness.records.episode import Episode
from tests.integrations.exports.made import played, write_run
from tests.integrations.exports.requests import PICTURE, PNG, SAID, reply, request
from tests.needs import extra
from tests.samples import episode, record

Played = tuple[Trajectory, Episode]


def exported(folder: Path, *episodes: Played) -> Path:
    """The log of a run with these episodes."""
    run = write_run(folder / "run", *episodes)
    assert main([str(run), "--format", "inspect", "--out", str(folder / "out")]) == COMPLETE
    return folder / "out" / "run.eval"


def member(log: Path, name: str) -> Any:
    with ZipFile(log) as archive:
        return json.loads(archive.read(name))


def without_a_model() -> Played:
    steps = (
        Step("modify_text('a', 'yes')", ok=True, message="'a' holds 'yes'", ms=3.0),
        Step("capture_screen('viewport', None)", ok=True, message="the screen", ms=9.0, image=PICTURE),
        Step("devtools('Page.navigate')", ok=False, message="refused", ms=0.0, code=ErrorCode.NOT_ALLOWED),
    )
    act = Trajectory()
    act.images[PICTURE] = PNG
    return act, episode(record("a", sent=("yes",)), steps=steps, index=1)


def test_a_turn_is_what_was_shown_the_reply_with_its_actions_and_what_they_gave(tmp_path):
    sample = member(exported(tmp_path, played(SAID)), "samples/T.0_epoch_1.json")
    roles = [message["role"] for message in sample["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user", "assistant"]
    assert sample["messages"][1]["content"] == "the page\n\nthe field 'a'"
    (call,) = sample["messages"][2]["tool_calls"]
    assert (call["function"], call["arguments"]) == ("modify_text", {"name": "a", "value": "yes"})
    assert (sample["messages"][3]["tool_call_id"], sample["messages"][3]["content"]) == (call["id"], "m")
    assert sample["scores"]["page_score"]["value"]["score"] == 0.5
    assert sample["model_usage"]["unknown"] == {
        "input_tokens": 20,
        "output_tokens": 10,
        "total_tokens": 30,
        "input_tokens_cache_read": 4,
    }


def test_labels_are_left_out(tmp_path):
    with ZipFile(exported(tmp_path, played(SAID))) as archive:
        assert not any(b"LABEL-B" in archive.read(name) for name in archive.namelist())


def test_an_action_that_failed_is_an_error_and_a_picture_stands_in_its_sample(tmp_path):
    sample = member(exported(tmp_path, without_a_model()), "samples/T.1_epoch_1.json")
    assert [message["role"] for message in sample["messages"]] == ["user", "assistant", "tool", "tool", "tool"]
    assert sample["messages"][4]["error"]["message"] == "refused"
    address = sample["messages"][3]["content"][1]["image"]
    assert sample["attachments"][address.removeprefix("attachment://")].startswith("data:image/png;base64,")


def test_the_header_has_the_mean_over_tasks_of_what_is_known(tmp_path):
    lost = (Trajectory(), episode(index=2, outcome="harness_error", detail="the browser died", submission=None))
    log = exported(tmp_path, played(SAID), played(SAID, index=1), lost)
    results = member(log, "header.json")["results"]
    score = {each["name"]: each for each in results["scores"]}["score"]
    assert (score["scored_samples"], score["unscored_samples"]) == (2, 1)
    assert score["metrics"]["mean_over_tasks"]["value"] == 0.5
    assert (results["total_samples"], results["completed_samples"]) == (3, 2)


def test_inspect_reads_it(tmp_path):
    reader = pytest.importorskip("inspect_ai.log", reason=extra("inspect"))
    lost = (Trajectory(), episode(index=2, outcome="harness_error", detail="the browser died", submission=None))
    cut = (Trajectory(), episode(record("a"), index=3, outcome="limit", detail="time", limit="time", allowed=300.0))
    seen = [(request("the page", PNG), reply(model="m"))]
    log = exported(tmp_path, played(seen), without_a_model(), lost, cut)
    read = reader.read_eval_log(str(log), resolve_attachments=True)
    assert (read.status, read.eval.task, read.eval.model) == ("success", "turkbench/forms", "m")
    first, second, third, fourth = read.samples
    assert [part.type for part in first.messages[1].content] == ["text", "image"]
    assert first.messages[1].content[1].image.startswith("data:image/png;base64,")
    assert second.messages[4].error.message == "refused"
    assert third.error.message == "the browser died"
    assert (fourth.limit.type, fourth.limit.limit) == ("time", 300.0)
    summaries = reader.read_eval_log_sample_summaries(str(log))
    assert [summary.id for summary in summaries] == ["T.0", "T.1", "T.2", "T.3"]
    assert reader.read_eval_log_sample(str(log), "T.0", 1).scores["page_score"].value["score"] == 0.5
    assert reader.list_eval_logs(str(log.parent))[0].task


def test_a_run_without_episodes_that_are_wanted_has_an_empty_log(tmp_path):
    run = write_run(tmp_path / "run", played(SAID))
    main([str(run), "--format", "inspect", "--out", str(tmp_path / "out"), "--min-score", "1"])
    header = member(tmp_path / "out" / "run.eval", "header.json")
    assert [each["metrics"] for each in header["results"]["scores"]] == [{}, {}, {}, {}]


def test_logs_need_a_folder_and_pictures_that_are_there(tmp_path, capsys):
    run = write_run(tmp_path / "run", without_a_model())
    assert main([str(run), "--format", "inspect"]) == WRONG_USE
    assert "--out" in capsys.readouterr().err
    (run / "images" / f"{PICTURE}.png").unlink()
    assert main([str(run), "--format", "inspect", "--out", str(tmp_path / "out")]) == WRONG_USE
    assert f"{PICTURE}.png cannot be read" in capsys.readouterr().err
    assert not list((tmp_path / "out").iterdir())
