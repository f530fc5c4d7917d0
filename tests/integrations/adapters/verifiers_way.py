"""The scripted answers through verifiers: its environment server, a server that is the model, and our harness."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import verifiers.v1 as vf

from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.integrations.adapters.verifiers.page_env import PageEnvConfig
from tests.integrations.adapters.parity import scripted
from tests.models.servers import Answer, Script, Server, openai_reply

KEY = "KEY_OF_NO_PROVIDER"


@contextmanager
def model(script: Script) -> Iterator[tuple[vf.ModelContext, Server]]:
    """A model whose replies are scripted, as verifiers wants it described."""
    os.environ.setdefault(KEY, "none")
    with Server(script) as server:
        client = vf.EvalClientConfig(base_url=f"{server.url}/v1", api_key_var=KEY)
        yield vf.ModelContext(model="scripted", client=client), server


def environment(taskset: Mapping[str, Any], *, max_turns: int = 50, pages: int = 1) -> vf.Env:
    """The environment of ``vf-eval turkbench``."""
    config = {"taskset": {"id": "turkbench", **taskset}, "agent": {"max_turns": max_turns}, "pages": pages}
    return vf.load_environment(PageEnvConfig.model_validate(config))


def episodes(env: vf.Env, ctx: vf.ModelContext, *rows: int) -> list[vf.Trace]:
    """The traces of episodes on rows of the environment's only task, played at once."""

    async def together() -> list[vf.Episode]:
        tasks = [task for row in rows for task in env.taskset if task.data.row == row]
        async with env.serving():
            return await asyncio.gather(*(env.run_episode(task, ctx) for task in tasks))

    return [trace for episode in asyncio.run(together()) for trace in episode.traces]


def calls(*made: tuple[str, Mapping[str, Any]]) -> Sequence[Answer]:
    """Replies with a call each, and then ``finish``."""
    return [openai_reply(tool_calls=[each]) for each in (*made, ("finish", {}))]


def theirs(task: str, row: int) -> float:
    with Stage(stage_config("parity", "form", task=task)) as stage:
        script = calls(*((call.name, call.args) for call in scripted(stage.open(task, row).fields)))
    with model(script) as (ctx, _):
        (trace,) = episodes(environment({"tasks": task}), ctx, row)
    return float(trace.reward)
