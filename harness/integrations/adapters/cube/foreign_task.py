"""A task of somebody else's CUBE, as what tells of an episode of ours: its goal, its end and its reward."""

from __future__ import annotations

import math

from cube.core import TextContent
from cube.task import RuntimeContext, TaskConfig

from harness.browser.channel import CommandFailed
from harness.browser.site_browser import SiteBrowser
from harness.browser.tab import Tab
from harness.browser.wire import BrowserGone
from harness.integrations.adapters.cube.lent_tool import LentToolConfig, ScriptFailed


class ForeignTask:
    """One task, in the browser of the episode; see ``harness.browser.rewarding_page.Rewarding``."""

    def __init__(self, config: TaskConfig, context: RuntimeContext | None, browser: SiteBrowser) -> None:
        """Make the task.

        Args:
            config: Of the task, whose tool has to be a ``cube.tools.browser.BrowserTool``.
            context: What its benchmark shares.
            browser: Of the episode.
        """
        lent = config.model_copy(update={"tool_config": LentToolConfig(browser=browser)})
        self._task = lent.make(runtime_context=context)
        self._broken: Exception | None = None

    def instruction(self, tab: Tab) -> str:  # noqa: ARG002 - it is the only one
        """Reset the task, which opens its page; and what it says is to be done.

        Raises:
            ScriptFailed, PageFailed, BrowserGone: its page cannot be set up.
        """
        seen, _ = self._task.reset()
        return "\n\n".join(content.data for content in seen.contents if isinstance(content, TextContent)).strip()

    def reward(self, tabs: tuple[Tab, ...]) -> float | None:  # noqa: ARG002 - the task has its tool
        """The task's reward, if it says that it is over; None if not, and where its page cannot be asked."""
        try:
            return self._evaluate() if self._task.finished() else None
        except (ScriptFailed, CommandFailed):
            return None
        except BrowserGone:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of the task, which is not to be the solver's
            self._broken = error
            return None

    def final(self, tabs: tuple[Tab, ...]) -> float | None:  # noqa: ARG002 - the task has its tool
        """The task's reward as things are, over or not; None where its page, which was left then, cannot be asked.

        Raises:
            CommandFailed, BrowserGone: the page went on to another meanwhile, or is lost.
            Exception: the task itself failed, now or before.
        """
        if self._broken:
            raise self._broken
        try:
            return self._evaluate()
        except ScriptFailed:
            return None

    def _evaluate(self) -> float | None:
        """From -1 to 1; None if it is not a number."""
        reward, _ = self._task.evaluate()
        return min(1.0, max(-1.0, float(reward))) if math.isfinite(reward) else None

    def close(self) -> None:
        """Leave the task."""
        self._task.close()
