"""Pages as an environment of verifiers. ``.ci/extras verifiers`` runs this where verifiers is installed."""

from __future__ import annotations

import asyncio
import json
import math
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.adapters.plain import leaving_nothing, make_plain
from tests.needs import extra

pytest.importorskip("verifiers", reason=extra("verifiers"))

import verifiers

from harness.kit.errors.user import UserError
from harness.kit.files.places import BUNDLED_TASKS
from tests.integrations.adapters.parity import Scripted
from tests.integrations.adapters.verifiers_way import calls, model, rollout, rollouts, theirs
from tests.models.servers import failure, openai_reply
from tests.run.processes import marked, needs_proc
from tests.runs import stage

pytestmark = needs_proc


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Of a task of two instances; in the end no process and no temporary file is left of what played them."""
    folder = tmp_path_factory.mktemp("verifiers")
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}  # verifiers takes both
    with leaving_nothing(folder):
        make_plain(folder / "tasks")
        yield folder
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def environment(folder) -> Iterator[verifiers.Environment]:
    settings = {"tasks_dir": str(folder / "tasks"), "pages": 1, "max_turns": 3}
    environment = verifiers.load_environment("harness.integrations.adapters.verifiers", **settings)
    yield environment
    asyncio.run(environment.close())


def test_a_rollout_of_tool_calls_has_our_score_as_its_reward(environment):
    with model(calls(("modify_text", {"name": "a", "value": "violet"}))) as (client, server):
        made = rollout(environment, client, 0)
    assert (made["reward"], made["metrics"]["score"], made["metrics"]["ceiling"]) == (0.5, 0.5, 1.0)
    assert (made["outcome"]["outcome"], made["error"]) == ("scored", None)
    first = server.requests[0].json
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert "x" in first["messages"][1]["content"]
    assert {"modify_text", "observe", "finish"} <= {tool["function"]["name"] for tool in first["tools"]}
    assert server.requests[1].json["messages"][-1]["role"] == "tool"
    assert "violet" not in json.dumps(first)


def test_an_action_may_be_a_text_and_what_is_none_is_answered(environment):
    wrong = openai_reply(tool_calls=[("modify_text", "{")])
    with model([openai_reply("Hm."), wrong, openai_reply("modify_radio('b', '1')")]) as (client, server):
        made = rollout(environment, client, 0)
    said = [asked.json["messages"][-1]["content"] for asked in server.requests[1:]]
    assert said == ["There is no action in this text.", "The arguments are not a JSON object."]
    # The last of three turns was acted on, and what the form held was sent.
    assert (made["stop_condition"], made["reward"]) == ("max_turns_reached", 0.5)


def test_more_rollouts_than_stages_wait_for_one(environment, folder):
    def reply(asked):
        is_first = len(asked.json["messages"]) == 2
        return openai_reply("modify_radio('b', '2')") if is_first else openai_reply(tool_calls=[("finish", {})])

    rows = environment.get_dataset().to_list() * 2
    with model(reply) as (client, _):
        made = rollouts(environment, client, rows)
    assert [each["reward"] for each in made] == [0.0, 0.5, 0.0, 0.5]
    assert sum("harness.cli.commands.stage_process" in line for line in marked(folder)) == 1


def test_a_rollout_whose_model_fails_has_no_score(environment):
    with model([failure("openai", 400)]) as (client, _):
        made = rollout(environment, client, 0)
    assert made["error"]
    assert math.isnan(made["reward"])
    assert made["outcome"] is None


def test_instances_that_are_not_there_are_said_in_a_line(folder):
    with pytest.raises(RuntimeError, match="Fancy") as wrong:
        verifiers.load_environment(
            "harness.integrations.adapters.verifiers", task="Fancy", tasks_dir=str(folder / "tasks")
        )
    assert isinstance(wrong.value.__cause__, UserError)


@pytest.mark.usefixtures("folder")
def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours():
    with stage(BUNDLED_TASKS) as ours:
        assert theirs("Emergency messages", 1) == ours.score("Emergency messages", Scripted(), 1).score
