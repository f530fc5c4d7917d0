"""Pages as an environment of verifiers. ``.ci/extras verifiers`` runs this where verifiers is installed."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.command_lines import command_lines
from tests.integrations.adapters.plain import leaving_nothing, make_plain
from tests.needs import extra

pytest.importorskip("verifiers", reason=extra("verifiers"))

from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from tests.integrations.adapters.parity import Scripted
from tests.integrations.adapters.verifiers_way import calls, environment, episodes, model, theirs
from tests.models.servers import Asked, failure, openai_reply
from tests.run.processes import marked, needs_proc
from tests.runs import stage

pytestmark = needs_proc
DOCS = PROJECT / "docs" / "how-to" / "other-frameworks.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Of a task of two instances; in the end no process and no temporary file is left of what played them."""
    folder = tmp_path_factory.mktemp("verifiers")
    with leaving_nothing(folder):
        make_plain(folder / "tasks")
        yield folder


@pytest.fixture(scope="module")
def env(folder):
    return environment({"tasks_dir": str(folder / "tasks")}, max_turns=3)


def test_an_episode_of_tool_calls_has_our_score_as_its_reward(env):
    with model(calls(("modify_text", {"name": "a", "value": "violet"}))) as (ctx, server):
        (made,) = episodes(env, ctx, 0)
    assert (made.reward, made.metrics["ceiling"], made.info["outcome"]["outcome"]) == (0.5, 1.0, "scored")
    assert (made.errors, made.num_turns) == ([], 2)
    first = server.requests[0].json
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert "x" in first["messages"][1]["content"]
    assert {"modify_text", "observe", "finish"} <= {tool["function"]["name"] for tool in first["tools"]}
    assert server.requests[1].json["messages"][-1]["role"] == "tool"
    assert "violet" not in json.dumps(first)


def test_an_action_may_be_a_text_and_what_is_none_is_answered(env):
    wrong = openai_reply(tool_calls=[("modify_text", "{")])
    with model([openai_reply("Hm."), wrong, openai_reply("modify_radio('b', '1')")]) as (ctx, server):
        (made,) = episodes(env, ctx, 0)
    said = [asked.json["messages"][-1]["content"] for asked in server.requests[1:]]
    assert said == ["There is no action in this text.", "The arguments are not a JSON object."]
    # The last of three turns was acted on, and what the form held was sent.
    assert (made.stop_condition, made.reward) == ("max_turns", 0.5)


def test_answers_to_calls_stand_together_and_pictures_after_them(env):
    seeing = ("observe", {"picture": "viewport"})
    both = openai_reply(tool_calls=[seeing, ("modify_radio", {"name": "b", "value": "1"})])
    with model([both, *calls()]) as (ctx, server):
        (made,) = episodes(env, ctx, 0)
    roles = [message["role"] for message in server.requests[1].json["messages"]]
    assert (roles, made.reward) == (["system", "user", "assistant", "tool", "tool", "user"], 0.5)


def test_more_episodes_than_pages_wait_for_one(env, folder):
    stages: list[int] = []

    def reply(asked: Asked):
        stages.append(sum("harness.cli.commands.stage_process" in line for line in marked(folder)))
        is_first = len(asked.json["messages"]) == 2
        return openai_reply("modify_radio('b', '2')") if is_first else openai_reply(tool_calls=[("finish", {})])

    with model(reply) as (ctx, _):
        made = episodes(env, ctx, 0, 1)
    assert [each.reward for each in made] == [0.0, 0.5]
    assert set(stages) == {1}


def test_an_episode_whose_model_fails_has_no_score(env):
    with model([failure("openai", 400)]) as (ctx, _):
        (made,) = episodes(env, ctx, 0)
    assert made.errors
    assert made.info == {}
    assert made.rewards == {}


def test_instances_that_are_not_there_are_said_in_a_line(folder):
    with pytest.raises(UserError, match="Fancy"):
        list(environment({"tasks": "Fancy", "tasks_dir": str(folder / "tasks")}).taskset)


def test_the_command_of_the_page_writes_traces_with_scores(folder):
    (line,) = (line for line in command_lines(DOCS) if line.text.startswith("vf-eval"))
    program, *given = line.words
    with model(lambda _: openai_reply(tool_calls=[("finish", {})])) as (_, server):
        given[given.index("--client.base-url") + 1] = f"{server.url}/v1"
        out = ["--output-dir", str(folder / "out"), "--no-rich"]
        done = subprocess.run(
            [Path(sys.executable).parent / program, *given, *out],
            cwd=folder,
            env={**os.environ, "MY_KEY": "none", "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    (file,) = (folder / "out").rglob("traces.jsonl")
    traces = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    outcomes = [trace["info"]["outcome"] for episode in traces for trace in episode.get("traces", [episode])]
    assert len(outcomes) == int(given[given.index("-n") + 1])
    assert all(not math.isnan(each["score"]) and each["outcome"] == "scored" for each in outcomes)


@pytest.mark.usefixtures("folder")
def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours():
    with stage(BUNDLED_TASKS) as ours:
        assert theirs("Emergency messages", 1) == ours.score("Emergency messages", Scripted(), 1).score
