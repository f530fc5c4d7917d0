"""BrowserGym's environment, in the browser of an episode."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
from browsergym.core import _get_global_playwright, _set_global_playwright
from browsergym.core.env import BrowserEnv

from harness.integrations.adapters.browsergym.lent_browser import LentPlaywright
from harness.integrations.adapters.browsergym.page_task import PageTask
from harness.integrations.adapters.stage.messages import Opened


class PageEnv(BrowserEnv):
    """An instance as BrowserGym's agents know environments; their observations and actions are BrowserGym's own."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(self, **settings: Any) -> None:
        """Prepare; server and browser start at ``reset``.

        Args:
            settings: BrowserGym's; ``task_kwargs`` names the instance. Those about the start of a browser have no
                effect on the page, whose browser is the episode's.
        """
        super().__init__(PageTask, **settings)

    def reset(self, seed: int | None = None, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Open the page.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        playwright = _get_global_playwright()
        _set_global_playwright(LentPlaywright(playwright, self._open))
        try:
            self._seen, told = super().reset(seed, **options)
        finally:
            _set_global_playwright(playwright)
        return self._seen, told

    def post_step(
        self, info: dict[str, Any], validate: bool = True
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Observe what an action has led to.

        Raises:
            NotStaged, StageGone: the browser was lost.
        """
        reward, done, _, info["task_info"] = self.task.validate(self.page, self.chat.messages)
        if not done:
            self._seen, *rest = super().post_step(info, validate)
            return self._seen, *rest
        # The page is closed: what was seen last is what there is to see.
        info["action_exec_stop"] = time.time()
        return self._get_obs(), reward, done, False, info

    def submit(self) -> tuple[float, dict[str, Any]]:
        """Send the form as it stands, or end the work on a website; gives the score, and what came of it.

        Raises:
            NotStaged, StageGone: the browser was lost.
        """
        self.task.submit()
        reward, _, _, told = self.task.validate(self.page, self.chat.messages)
        return reward, told

    def _open(self) -> Opened:
        """Open the page of the task that the reset has made."""
        opened: Opened = self.task.open()
        return opened

    def _get_obs(self) -> dict[str, Any]:
        if self.task.ended:
            return {**self._seen, "last_action": self.last_action, "last_action_error": self.last_action_error}
        seen: dict[str, Any] = super()._get_obs()
        return seen


class ScoredAtLimit(gymnasium.Wrapper):
    """Around Gymnasium's limit of steps, which cuts episodes short: what the form holds then is sent, and scored."""

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action; raises as ``PageEnv.post_step``."""
        seen, reward, terminated, truncated, told = self.env.step(action)
        if truncated and not terminated:
            reward, told["task_info"] = self.unwrapped.submit()
        return seen, float(reward), terminated, truncated, told
