"""Pages as tasks of Inspect. ``.ci/extras inspect`` runs this where Inspect is installed."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.adapters.plain import FORM, leaving_nothing, make_plain
from tests.needs import extra

pytest.importorskip("inspect_ai", reason=extra("inspect"))

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import generate

from harness.integrations.adapters.inspect import forms, sites
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from tests.checkout import PROJECT
from tests.integrations.adapters.inspect_way import called, evaluated, mock, theirs, written
from tests.integrations.adapters.parity import Scripted
from tests.models.servers import Server, openai_reply
from tests.run.processes import marked, needs_proc
from tests.runs import stage
from tests.site_tasks import ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

pytestmark = [
    needs_proc,
    # Inspect's own: what it uses of tenacity, and streams that it leaves to the garbage collector.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Of a task of two instances; in the end no process and no temporary file is left of what played them."""
    folder = tmp_path_factory.mktemp("inspect")
    with leaving_nothing(folder) as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("MINE_API_KEY", "none")
        make_plain(folder / "tasks")
        yield folder


def plain(folder: Path, *replies: ModelOutput, **options: object) -> EvalLog:
    """The log of the task's first instance, or of those that the options choose."""
    settings = {"tasks_dir": str(folder / "tasks"), "pages": 1, "max_turns": 4}
    return evaluated(forms(**settings), mock(replies), **{"limit": 1, **options})


def only(log: EvalLog) -> EvalSample:
    assert log.status == "success", log.error
    (sample,) = log.samples or ()
    return sample


def value(sample: EvalSample) -> dict[str, float]:
    assert sample.scores
    return sample.scores["page_score"].as_dict()


def test_an_agent_of_inspect_s_fills_in_the_form_and_has_our_score(folder):
    sample = only(plain(folder, called("modify_text", {"name": "a", "value": "violet"}), called("finish")))
    assert (value(sample)["score"], value(sample)["ceiling"]) == (0.5, 1.0)
    assert sample.scores["page_score"].metadata["fields"] == {"a": 1.0, "b": 0.0}
    assert (sample.id, sample.metadata, sample.target) == ("Plain.0", {"task": "Plain", "row": 0}, "")
    assert [message.role for message in sample.messages] == ["system", "user", *["assistant", "tool"] * 2]


def test_no_label_is_in_what_an_agent_or_the_log_is_given(folder):
    log = plain(folder, called("modify_radio", {"name": "b", "value": "2"}), called("get_html"), called("finish"))
    assert "one" in log.model_dump_json()
    assert "violet" not in log.model_dump_json()
    assert "Answer.a" not in log.model_dump_json()


def test_an_action_may_be_a_text_and_what_cannot_be_done_is_an_error_of_the_tool(folder):
    replies = [written("Hm."), called("modify_text", {"name": "c", "value": "x"}), written("modify_radio('b', '1')")]
    sample = only(plain(folder, *replies, called("finish")))
    said = [(message.text, getattr(message, "error", None)) for message in sample.messages[3::2]]
    assert said[0] == ("There is no action in this text.", None)
    assert "no field of this name" in said[1][1].message
    assert value(sample)["score"] == 0.5


def test_the_last_reply_that_is_allowed_ends_in_a_score_of_the_form_as_it_stands(folder):
    sample = only(plain(folder, *[called("modify_radio", {"name": "b", "value": "1"})] * 4))
    assert (sample.limit, value(sample)["score"]) == (None, 0.5)


def test_a_picture_is_shown_to_the_model(folder):
    sample = only(plain(folder, called("capture_screen"), called("finish")))
    assert [part.type for part in sample.messages[3].content] == ["text", "image"]


def test_another_solver_has_the_page_s_messages_and_tools(folder):
    sample = only(plain(folder, called("finish"), written("Done."), solver=generate()))
    assert value(sample)["score"] == 0.0
    assert sample.messages[-1].text == "Done."


def test_the_mean_over_tasks_is_that_of_a_run_of_ours_and_samples_wait_for_the_browser(folder):
    make_task(folder / "two", "A", template=FORM, table=csv_text(["text", "Answer.b"], ["x", "1"], ["y", "1"]))
    make_task(folder / "two", "B", template=FORM, table=csv_text(["text", "Answer.b"], ["x", "2"]))
    seen: list[int] = []

    def reply(messages, *_):
        seen.append(sum("harness.cli.commands.stage_process" in line for line in marked(folder)))
        first = messages[-1].role == "user"
        return called("modify_radio", {"name": "b", "value": "1"}) if first else called("finish")

    log = evaluated(forms(tasks_dir=str(folder / "two"), pages=1), mock(reply))
    assert log.status == "success", log.error
    scores = {score.name: score.metrics for score in log.results.scores}
    assert scores["score"]["mean_over_tasks"].value == 0.5  # of 1, 1 and 0: not two thirds
    assert scores["ceiling"]["mean_over_tasks"].value == 1.0
    assert scores["score"]["interval_over_tasks_low"].value < 0.5 < scores["score"]["interval_over_tasks_high"].value
    assert set(seen) == {1}


def test_an_openai_style_server_may_be_the_model(folder):
    pytest.importorskip("openai", reason=extra("openai"))
    choose = openai_reply(tool_calls=[("modify_radio", {"name": "b", "value": "1"})])
    task = forms(tasks_dir=str(folder / "tasks"), pages=1)
    with Server([choose, openai_reply(tool_calls=[("finish", {})])]) as server:
        log = evaluated(task, "openai-api/mine/scripted", model_base_url=f"{server.url}/v1", limit=1)
    assert value(only(log))["score"] == 0.5
    offered = {tool["function"]["name"] for tool in server.requests[0].json["tools"]}
    assert {"modify_text", "observe", "finish"} <= offered


def test_a_website_has_a_goal_and_an_end(folder):
    make_site_task(folder / "sites", "Account")
    replies = [called("goto", {"url": ACCOUNT}), called("finish")]
    sample = only(evaluated(sites(tasks_dir=str(folder / "sites")), mock(replies)))
    assert "Open your account." in sample.messages[0].text
    assert (value(sample)["score"], math.isnan(value(sample)["constant"])) == (1.0, True)


def test_a_sample_whose_model_fails_is_an_error_and_has_no_score(folder):
    log = plain(folder)
    assert log.status == "error"
    assert not log.samples[0].scores


def test_instances_that_are_not_there_are_said_in_a_line(folder):
    with pytest.raises(UserError, match="Fancy"):
        forms(task="Fancy", tasks_dir=str(folder / "tasks"))


def test_inspect_finds_the_tasks_of_an_installed_copy_by_its_entry_point(folder):
    pytest.importorskip("openai", reason=extra("openai"))
    site = folder / "site-packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--disable-pip-version-check", "--target", site, PROJECT], check=True)
    where = ["-T", f"tasks_dir={folder / 'tasks'}", "--limit", "1", "--log-dir", str(folder / "logs")]
    with Server([openai_reply(tool_calls=[("finish", {})])]) as server:
        model = ["--model", "openai-api/mine/scripted", "--model-base-url", f"{server.url}/v1", "--display", "none"]
        done = subprocess.run(
            [sys.executable, "-m", "inspect_ai", "eval", "turkbench/forms", *model, *where],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = (folder / "logs").glob("*.eval")
    log = read_eval_log(str(file))
    assert log.eval.task == "turkbench/forms"
    assert value(only(log))["score"] == 0.0
    assert json.loads(log.model_dump_json())["eval"]["task_args"]["tasks_dir"] == str(folder / "tasks")


@pytest.mark.usefixtures("folder")
def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours():
    with stage(BUNDLED_TASKS) as ours:
        assert theirs("Emergency messages", 1) == ours.score("Emergency messages", Scripted(), 1).score


def test_the_extra_brings_the_client_that_the_first_command_of_the_page_asks_with():
    page = (PROJECT / "docs" / "how-to" / "other-frameworks.md").read_text(encoding="utf-8")
    (model, *_) = re.findall(r"^inspect eval \S+ --model (\S+)", page, re.MULTILINE)
    assert get_model(model, api_key="none").name == model.partition("/")[2]
