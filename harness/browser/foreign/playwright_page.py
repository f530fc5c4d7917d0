"""A page of Playwright's, in a Chromium: worked over DevTools as the pages of a run are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from harness.browser.browser import Browser
from harness.browser.channel import Params
from harness.browser.foreign.session_channel import (
    ARRIVAL_SECONDS,
    ATTEMPTS,
    IS_LEAVING,
    SETTLED,
    SessionChannel,
    WaitedPage,
    in_own_world,
    scaled,
)
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.live_page import WORLD, LivePage, PageFailed

_PATIENCE = 5.0
"""Seconds for word of another document, when the present one does not answer any more."""
_EVALUATED = {"returnByValue": True, "awaitPromise": True}


class PlaywrightPage(LivePage):
    """The page, as far as actions use a ``harness.browser.browser.Browser``.

    Attributes:
        on_leaving: What is called before the page is replaced by another: nothing.
    """

    def __init__(self, waited: WaitedPage) -> None:
        """Begin with a page.

        Raises:
            harness.browser.channel.CommandFailed: it is no page of a Chromium, or is closed.
        """
        channel: Any = SessionChannel(waited)
        super().__init__(channel, channel.call("Page.getFrameTree")["frameTree"]["frame"]["id"])
        self.on_leaving: list[Callable[[], None]] = []
        add = {"source": in_own_world(), "worldName": WORLD, "runImmediately": True}
        self.set_up([("Page.enable", {}), ("Runtime.enable", {}), ("Page.addScriptToEvaluateOnNewDocument", add)])
        self._loaded = self._loaded or self.evaluate("document.readyState") == "complete"

    def _listen(self) -> None:
        on = self.channel.on
        on("Runtime.executionContextCreated", self._on_world)
        on("Runtime.executionContextsCleared", self._on_cleared)
        on("Page.frameNavigated", self._on_navigated)
        on("Page.loadEventFired", lambda _: setattr(self, "_loaded", True))

    def _on_cleared(self, _: Params) -> None:
        self._world = None

    @property
    def page(self) -> PlaywrightPage:
        """What is shown: the page itself."""
        return self

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library; see ``harness.browser.browser.Browser.run``.

        Where another document comes meanwhile, that one is asked; one that an action leads to is waited for.

        Raises:
            PageFailed: the function threw, or one document after another comes.
            harness.browser.wire.BrowserGone: the page does not load.
        """
        answer = self._answer(function, arguments)
        if function == SETTLED:
            world = self._world
            if self._answer(IS_LEAVING, ()):
                self.channel.comes_true(lambda: self._world != world, ARRIVAL_SECONDS)
                self.wait_until_loaded()
        return answer

    def _answer(self, function: str, arguments: tuple[object, ...]) -> Any:
        for _ in range(ATTEMPTS):
            self.wait_until_loaded()
            world = self._world
            try:
                return super().run(function, *arguments)
            except PageFailed:
                if not self.channel.comes_true(lambda: self._world != world, _PATIENCE):  # noqa: B023 - asked at once
                    raise
        raise PageFailed(f"{function} got no answer: the page goes from document to document")

    def evaluate(self, expression: str) -> Any:
        """What an expression gives among the page's own scripts; a promise is awaited."""
        answer = self.channel.call("Runtime.evaluate", expression=expression, **_EVALUATED)
        return answer["result"].get("value")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in CSS pixels."""
        width, height = self.evaluate("[innerWidth, innerHeight]")
        return int(width), int(height)

    def picture(self, *, full_page: bool = False, quality: int | None = None) -> bytes:
        """PNG of the page area, or of the whole page, in CSS pixels."""
        png = super().picture(full_page=full_page, quality=quality)
        width = self.evaluate("document.documentElement.scrollWidth") if full_page else self.size[0]
        return scaled(png, int(width))


class PlaywrightInput(DevtoolsInput):
    """The page's screen; see ``harness.browser.input_back_end.InputBackEnd``."""

    def __init__(self, page: PlaywrightPage) -> None:
        """Of a page."""
        super().__init__(cast("Browser", page))  # what is used of a browser the page has
        self._shown = page

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in CSS pixels, as they are now."""
        return self._shown.size
