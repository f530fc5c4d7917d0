"""A browser that is shown the pages of recorded steps, one after the other, and can go nowhere else."""

from __future__ import annotations

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.papers.teacher_forced.step_page import StepPageServer

HOST = "demonstration.test"
"""Where pages seem to come from; nothing else can be reached."""
ORIGIN = f"http://{HOST}"


class StepBrowser:
    """Serves pages and shows them; the browser is started with the first."""

    def __init__(self) -> None:
        self._server = StepPageServer()
        self._open: BrowserSession | None = None

    @property
    def session(self) -> BrowserSession:
        """The browser, started if it is not there."""
        if self._open is None:
            policy = NavigationPolicy((ORIGIN,), {HOST: self._server.place})
            self._open = devtools_session(BrowserSettings(f"http://{self._server.place}", policy=policy))
        return self._open

    def show(self, html: str, path: str = "") -> str:
        """Show a page in an emptied browser; gives its address.

        Args:
            html: The page, without what runs (``page_without_scripts``).
            path: Of its address; by default one that nobody can guess.
        """
        browser = self.session.site
        browser.clear()
        url = f"{ORIGIN}{self._server.show(html, path)}"
        browser.open(url)
        browser.take_moments()
        return url

    def end(self) -> None:
        """End the browser; the next page starts another."""
        if self._open is not None:
            self._open.browser.close()
            self._open = None

    def close(self) -> None:
        """End the browser, and serve no page any more."""
        self.end()
        self._server.close()
