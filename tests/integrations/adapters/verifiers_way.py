"""The scripted answers through verifiers: its client, a server that is the model, and our environment."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import verifiers
from verifiers.clients import resolve_client

from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from tests.integrations.adapters.parity import scripted
from tests.models.servers import Answer, Script, Server, openai_reply

KEY = "KEY_OF_NO_PROVIDER"


@contextmanager
def model(script: Script) -> Iterator[tuple[verifiers.ClientConfig, Server]]:
    """A model whose replies are scripted, as verifiers wants it described."""
    os.environ.setdefault(KEY, "none")
    with Server(script) as server:
        yield (
            verifiers.ClientConfig(api_base_url=f"{server.url}/v1", api_key_var=KEY, max_retries=0),
            server,
        )


def rollouts(
    environment: verifiers.Environment, config: verifiers.ClientConfig, rows: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Rollouts on rows of the environment's data set, at once."""

    async def together() -> list[Mapping[str, Any]]:
        client = resolve_client(config)
        try:
            made = (environment.run_rollout(row, client, "scripted", {}, state_columns=["outcome"]) for row in rows)
            return await asyncio.gather(*made)
        finally:
            await client.close()

    return asyncio.run(together())


def rollout(environment: verifiers.Environment, config: verifiers.ClientConfig, row: int) -> Mapping[str, Any]:
    """One rollout on an instance of the environment's only task."""
    wanted = [each for each in environment.get_dataset().to_list() if each["info"]["row"] == row]
    (made,) = rollouts(environment, config, wanted)
    return made


def calls(*made: tuple[str, Mapping[str, Any]]) -> Sequence[Answer]:
    """Replies with a call each, and then ``finish``."""
    return [openai_reply(tool_calls=[each]) for each in (*made, ("finish", {}))]


def theirs(task: str, row: int) -> float:
    with Stage(stage_config("parity", "form", task=task)) as stage:
        script = calls(*((call.name, call.args) for call in scripted(stage.open(task, row).fields)))
    environment = verifiers.load_environment("harness.integrations.adapters.verifiers", task=task, max_turns=50)
    try:
        with model(script) as (client, _):
            return float(rollout(environment, client, row)["reward"])
    finally:
        asyncio.run(environment.close())
