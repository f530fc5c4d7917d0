"""The browser of an episode of ours as the tool of somebody else's task, which wants a browser tool of CUBE."""

from __future__ import annotations

from typing import Any

from cube.container import Container
from cube.core import Observation
from cube.resources.browser_session import BrowserSession
from cube.tool import ToolConfig
from cube.tools.browser import BrowserTool
from pydantic import Field

from harness.browser.site_browser import SiteBrowser
from harness.kit.errors import UnfinishedWork


class ScriptFailed(UnfinishedWork):
    """A script of a task failed in the page; the message says how."""


class LentSession(BrowserSession):
    """A browser that is another's: nobody else can attach to it or end it."""

    @property
    def cdp_url(self) -> str | None:
        """None: the browser listens nowhere."""
        return None

    def stop(self) -> None:
        """Nothing: it ends with its owner."""


class LentBrowserTool(BrowserTool):
    """What a task does with its browser: it goes to its page, and asks it by scripts. Actions are the solver's."""

    def __init__(self, browser: SiteBrowser) -> None:
        """Lend a browser.

        Args:
            browser: Empty, with a policy that lets it go where the task goes.
        """
        self._browser = browser
        self._session = LentSession()

    @property
    def session(self) -> BrowserSession:
        """See ``LentSession``."""
        return self._session

    def noop(self) -> None:
        """Nothing."""

    def goto(self, url: str) -> None:
        """Show a page in the current tab.

        Raises:
            PageFailed: the address is none of the task's, or cannot be opened.
            BrowserGone: the browser died.
        """
        self._browser.open(url)

    def evaluate_js(self, js: str) -> Any:
        """What a script gives, in the page's own world of the current tab; a function is called, as Playwright does.

        Raises:
            ScriptFailed: it failed.
            CommandFailed: the page went on to another meanwhile.
            BrowserGone: the browser died.
        """
        script = f"(async () => {{ const given = ({js}\n); return typeof given === 'function' ? given() : given; }})()"
        answer = self._browser.tab.channel.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if failed := answer.get("exceptionDetails"):
            why = failed.get("exception", failed)
            raise ScriptFailed(f"a script of the task failed: {why.get('description', why)}")
        return answer["result"].get("value")

    def page_obs(self) -> Observation:
        """Nothing: the solver looks at the page by itself."""
        return Observation()


class LentToolConfig(ToolConfig):
    """Lends a browser of this process.

    Attributes:
        browser: A ``SiteBrowser``.
    """

    browser: Any = Field(exclude=True)

    def make(self, container: Container | None = None) -> LentBrowserTool:  # noqa: ARG002 - CUBE hands it over
        """The tool."""
        return LentBrowserTool(self.browser)
