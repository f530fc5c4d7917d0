"""The environment: one agent, which plays the task set in this process, where the browsers are, too."""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf


class PageEnvConfig(vf.EnvConfig):
    """Its one seat: ``--env.agent.*``.

    Attributes:
        agent: Of this machine, since the harness runs in this process; after ``max_turns`` replies what the form holds
            is scored.
    """

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=30)


class PageEnv(vf.Env[PageEnvConfig]):
    """Episodes of one agent on one page."""

    async def run(self, task: vf.Task[Any], agents: vf.Agents) -> None:
        """Let the agent play an instance."""
        await agents.agent.run(task)
