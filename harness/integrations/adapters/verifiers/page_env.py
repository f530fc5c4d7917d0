"""The environment: one agent, which plays the task set in this process, where the browsers are, too."""

from __future__ import annotations

import asyncio
from typing import Any

import verifiers.v1 as vf


class PageEnvConfig(vf.EnvConfig):
    """Its one seat, and how many there are at once: ``--env.*``.

    Attributes:
        agent: Of this machine, since the harness runs in this process; after ``max_turns`` replies what the form holds
            is scored.
        pages: So many are open at most, each in a browser of its own; other episodes wait.
    """

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=30)
    pages: int = 2


class PageEnv(vf.Env[PageEnvConfig]):
    """Episodes of one agent on one page."""

    def __init__(self, config: PageEnvConfig) -> None:
        """Prepare; a browser starts with each episode.

        Args:
            config: The environment's.
        """
        super().__init__(config)
        self._room = asyncio.Semaphore(config.pages)

    async def run(self, task: vf.Task[Any], agents: vf.Agents) -> None:
        """Let the agent play an instance when there is room for its page."""
        async with self._room:
            await agents.agent.run(task)
