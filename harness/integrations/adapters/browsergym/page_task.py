"""An instance as a task of BrowserGym, on a stage of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from browsergym.core.task import AbstractBrowserTask
from playwright.sync_api import Page

from harness.browser.launch import SCREEN
from harness.integrations.adapters.stage.messages import Ended, Opened
from harness.integrations.adapters.stage.stage import Stage
from harness.records.config import RunConfig

FORM_GOAL = "Fill in the form on this page, as the page asks for it, and press its Submit button."
WORDS = ("assistant", "infeasible")
"""Roles of what the agent has said."""


class PageTask(AbstractBrowserTask):
    """One instance, from the open page to the submitted form, or to the last word about a website.

    Attributes:
        ended: What came of it; None while it is being worked on.
    """

    def __init__(self, seed: int, config: RunConfig, task: str, row: int) -> None:
        """Prepare; server and browser start with ``open``.

        Args:
            seed: BrowserGym's, which draws nothing: the page draws by the instance.
            config: How pages are shown and scored, and within which limits.
            task: The task's name.
            row: The instance's place in its table, from 0.
        """
        super().__init__(seed)
        width, height = SCREEN
        self.viewport = {"width": width, "height": height}
        self.slow_mo = 0
        self.ended: Ended | None = None
        self._stage = Stage(config)
        self._place = (task, row)
        self._instance = {"task": task, "row": row}
        self._opened: Opened | None = None

    def open(self) -> Opened:
        """Open the page in a browser of the stage; nothing more the second time.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        if self._opened is None:
            self._opened = self._stage.open(*self._place, over_devtools=True)
        return self._opened

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:  # noqa: ARG002 - BrowserGym hands it over
        """What is to be done on the page, which is open already, and what is told of the instance."""
        opened = self.open()
        return opened.goal or FORM_GOAL, {**self._instance, "names": list(opened.names)}

    def validate(
        self,
        page: Page,  # noqa: ARG002 - BrowserGym hands it over
        chat_messages: Sequence[Mapping[str, Any]],
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """Whether the work is over, and with which score.

        It is over when the form was sent, when the agent has said something to the user (on a website, the answer), or
        when the page's time is up. What a form holds then is scored.

        Args:
            page: Of the environment; the stage looks at it by itself.
            chat_messages: BrowserGym's, of which the first is its greeting in the agent's name.

        Raises:
            NotStaged, StageGone: the browser was lost.
        """
        if self.ended is None:
            said = [each["message"] for each in chat_messages[1:] if each["role"] in WORDS]
            self.ended = self._stage.submit(said[-1]).ended if said else self._stage.look().ended
        if self.ended is None:
            return 0.0, False, "", dict(self._instance)
        return self._reward(), True, "", {**self._instance, **asdict(self.ended)}

    def submit(self) -> None:
        """Send the form as it stands, or end the work on a website, if that is not over."""
        if self.ended is None:
            self.ended = self._stage.submit().ended

    def teardown(self) -> None:
        """End browser and server."""
        self._stage.close()

    def _reward(self) -> float:
        """The score; not a number if it is not known."""
        assert self.ended  # noqa: S101 - it has
        return math.nan if self.ended.score is None else self.ended.score
