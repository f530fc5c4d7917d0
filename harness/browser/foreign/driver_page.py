"""The page that a WebDriver of somebody else's shows: Chrome, Firefox, here or elsewhere."""

from __future__ import annotations

import base64
import contextlib
import re
import time
from collections.abc import Callable
from typing import Any, cast

from selenium.common.exceptions import TimeoutException, UnexpectedAlertPresentException, WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from harness.browser.browser import Browser, PageFailed, function_of
from harness.browser.channel import Refusal
from harness.browser.foreign.session_channel import (
    ARRIVAL_SECONDS,
    ATTEMPTS,
    CALL,
    IS_LEAVING,
    KEY,
    LEFT,
    SETTLED,
    among_others,
    scaled,
)
from harness.browser.webdriver.driven_form import DrivenForm
from harness.browser.webdriver.driver_connection import Around, SolversDriver
from harness.browser.webdriver.webdriver_input import DrivenPages, WebdriverInput, failures

_LEFT = re.compile(r"unload|navigat|execution context|discarded|detached|tear", re.IGNORECASE)
"""Of what a driver says, what it says where one document takes another's place."""
_SECONDS = 30.0
"""For a page to load."""
_PAUSE = 0.02
_IS_KNOWN = f"return Boolean(document[Symbol.for({KEY!r})]);"
_SIZE = "return [innerWidth, innerHeight];"
_WHOLE = """
const { scrollWidth, scrollHeight } = document.scrollingElement || document.documentElement;
return [scrollWidth, scrollHeight];
"""
_MOST = 16_384
"""Pixels of a side of a picture; beyond, no browser holds a page as one."""


class DriverPage:
    """The page, as far as actions use a ``harness.browser.browser.Browser``.

    Attributes:
        driver: Whose it is; it is never ended here.
        form: What is found and worked in it.
        on_leaving: What is called before the page is replaced by another: nothing, as nobody tells of it.
    """

    def __init__(self, driver: WebDriver) -> None:
        """The page that ``driver`` shows, whichever that is at the time."""
        self.driver = driver
        self.form = DrivenForm(driver, ours=False)
        self.on_leaving: list[Callable[[], None]] = []

    @failures()
    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library; see ``harness.browser.browser.Browser.run``.

        A document that has not got the library is given it. Where another document comes meanwhile, that one is asked;
        one that an action leads to is waited for.

        Raises:
            PageFailed: the function threw, or one document after another comes.
            harness.browser.channel.CommandFailed: the driver refuses, or is gone.
        """
        answer = self._answer(function, arguments)
        if function == SETTLED and self._answer(IS_LEAVING, ()):
            self._wait_until_left()
        return answer

    def _answer(self, function: str, arguments: tuple[object, ...]) -> Any:
        path = function_of(function).split(".")[1:]
        for _ in range(ATTEMPTS):
            try:
                # Firefox gives None where the document went.
                answer = self.driver.execute_script(CALL, path, arguments) or LEFT
                if "absent" in answer:
                    self.driver.execute_script(among_others())
            except UnexpectedAlertPresentException:  # by which the driver has closed the alert
                continue
            except TimeoutException:
                if self.driver.execute_script(_IS_KNOWN):
                    raise
                continue  # the document that was asked is gone
            except WebDriverException as error:
                if not _LEFT.search(error.msg or ""):
                    raise
                answer = LEFT
            if "value" in answer:
                return answer["value"]
            if "error" in answer:
                raise PageFailed(f"a function of turkbench failed in the page: {answer['error']}")
            if "left" in answer:
                self._wait_until_loaded()
        raise PageFailed(f"{function} got no answer: the page goes from document to document")

    def _wait_until_left(self) -> None:
        """Wait for a document that has not got the library, as long as one may take to come."""
        deadline = time.monotonic() + ARRIVAL_SECONDS
        with contextlib.suppress(WebDriverException):  # asked between two documents
            while self.driver.execute_script(_IS_KNOWN) and time.monotonic() < deadline:
                time.sleep(_PAUSE)  # over WebDriver nobody tells of it
        self._wait_until_loaded()

    def evaluate(self, expression: str) -> Any:
        """What an expression gives among the page's own scripts; a promise is awaited."""
        return self.driver.execute_script(f"return {expression};")

    def _wait_until_loaded(self) -> None:
        ready = "return document.readyState === 'complete';"
        WebDriverWait(self.driver, _SECONDS, ignored_exceptions=[WebDriverException]).until(
            lambda driver: driver.execute_script(ready)
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in CSS pixels."""
        width, height = self.driver.execute_script(_SIZE)
        return int(width), int(height)

    @failures()
    def picture(self, *, full_page: bool = False) -> bytes:
        """PNG of the page area, or of the whole page, in CSS pixels."""
        if not full_page:
            return scaled(self.driver.get_screenshot_as_png(), self.size[0])
        width, height = (min(int(side), _MOST) for side in self.driver.execute_script(_WHOLE))
        return scaled(base64.b64decode(self._whole(width, height)), width)

    def _whole(self, width: int, height: int) -> str:
        """The whole page as Base64: WebDriver itself knows the page area only, each browser has a command beside."""
        if self.driver.capabilities.get("browserName") == "firefox":
            return str(self.driver.execute("FULL_PAGE_SCREENSHOT")["value"])
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        asked = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        command = {"cmd": "Page.captureScreenshot", "params": asked}
        return str(self.driver.execute("executeCdpCommand", command)["value"]["data"])

    # ---- see harness.browser.webdriver.webdriver_input.WorkedPage ---------------------------------------------------

    def share(self, around: Around) -> SolversDriver:  # noqa: ARG002 - nobody else's commands are sent
        """Refuse: who handed the driver in has it.

        Raises:
            AssertionError: always.
        """
        raise AssertionError("the driver is its owner's already")

    def end(self) -> None:
        """Nothing to end: the session is its owner's."""

    def take_back(self) -> list[Refusal]:
        """Nothing to take back."""
        return []


class DriverPageInput(WebdriverInput):
    """The page's screen over its own driver; see ``harness.browser.input_back_end.InputBackEnd``."""

    def __init__(self, page: DriverPage) -> None:
        """Of a page."""
        super().__init__(driven_pages(page))
        self._shown = page

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in CSS pixels, as they are now."""
        return self._shown.size

    def capture(self) -> bytes:
        """PNG of the page area, in CSS pixels."""
        return self._shown.picture()

    @failures()
    def maximize(self) -> tuple[int, int]:
        """Make the window as large as it gets; gives the size of its page area."""
        self._shown.driver.maximize_window()
        return self.size


def driven_pages(page: DriverPage) -> DrivenPages:
    """The page as the one whose fields are worked over WebDriver."""
    # What is used of a browser the page has.
    return DrivenPages(cast("Browser", page), lambda: page)
