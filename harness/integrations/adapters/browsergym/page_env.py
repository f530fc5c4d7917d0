"""BrowserGym's environment, in the browser of an episode."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import gymnasium
from browsergym.core import _get_global_playwright, _set_global_playwright
from browsergym.core.env import BrowserEnv
from browsergym.core.task import AbstractBrowserTask
from playwright.sync_api import Browser, Page, Playwright

from harness.browser.launch import SCREEN, find_browser
from harness.integrations.adapters.stage.messages import Ended, Opened
from harness.integrations.adapters.stage.stage import Stage
from harness.records.config import RunConfig


class LentContext:
    """The context of the episode's page: Playwright's own, but for what an episode does not leave to its agent."""

    def __init__(self, page: Page) -> None:
        """Of a page that is open."""
        self._context = page.context
        self._page = page
        self._scripts: list[str] = []

    def add_init_script(self, script: str) -> None:
        """Have a script run in each document, that of the open page included."""
        self._context.add_init_script(script)
        self._scripts.append(script)

    def new_page(self) -> Page:
        """The page that is open. Actions that want another ask its own context."""
        for script in self._scripts:
            self._page.evaluate(script)
        return self._page

    def cookies(self) -> list[Any]:
        """None: an episode does not tell them. BrowserGym asks so that Playwright delivers what pages have called."""
        self._context.pages[0].wait_for_timeout(1)
        return []

    def close(self) -> None:
        """Nothing: it ends with the episode."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def __eq__(self, other: object) -> bool:
        return other is self or other == self._context

    def __hash__(self) -> int:
        return hash(self._context)


class LentPlaywright:
    """Playwright, as an environment of BrowserGym asks it for browsers while it is reset.

    The first is that of the page, which is the episode's. The second is that of the chat window, which it launches.
    """

    def __init__(self, playwright: Playwright, opening: Callable[[], Opened]) -> None:
        """Prepare.

        Args:
            playwright: Who connects to the episode's browser, and launches the other.
            opening: Opens the page.
        """
        self.selectors = playwright.selectors
        self.chromium = self
        self._playwright = playwright
        self._opening = opening
        self._lent: Browser | None = None

    def launch(self, **settings: Any) -> Any:
        """The episode's browser, or the one of the chat window."""
        if self._lent:
            return self._playwright.chromium.launch(executable_path=find_browser(), **settings)
        self._opened = self._opening()
        assert self._opened.devtools  # noqa: S101 - it was opened so
        self._lent = self._playwright.chromium.connect_over_cdp(self._opened.devtools.http)
        return self

    def new_context(self, **_: Any) -> LentContext:
        """The context of the episode's page, which is as large as it is."""
        assert self._lent  # noqa: S101 - who asks for a context has a browser
        pages = [page for context in self._lent.contexts for page in context.pages]
        page = next(page for page in pages if page.url == self._opened.url)
        return LentContext(page)

    def close(self) -> None:
        """Leave the browser."""
        if self._lent:
            self._lent.close()


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
