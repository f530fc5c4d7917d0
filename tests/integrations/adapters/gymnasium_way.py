"""The scripted answers through Gymnasium."""

from __future__ import annotations

import gymnasium

import harness.integrations.adapters.gym
from harness.browser.form.fields import Field
from harness.kit.files import codec
from tests.integrations.adapters.parity import scripted

gymnasium.register_envs(harness.integrations.adapters.gym)


def theirs(task: str, row: int) -> float:
    with gymnasium.make("turkbench/Form-v0", task=task, max_steps=50) as env:
        _, told = env.reset(options={"row": row})
        total = 0.0
        for call in scripted(codec.typed(told["fields"], tuple[Field, ...])):
            total += float(env.step(str(call))[1])
        return total + float(env.step("finish()")[1])
