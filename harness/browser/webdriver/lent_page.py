"""The open page in the WebDriver session that a Grid has lent its browser by."""

from __future__ import annotations

from harness.browser.browser import Browser
from harness.browser.channel import Refusal
from harness.browser.webdriver.driven_form import DrivenForm
from harness.browser.webdriver.driver_connection import Around, GridConnection, LentDriver, SolversDriver
from harness.kit.errors.user import UserError


class NotShared(UserError):
    """A solver asks for a session that is not for it."""


class LentPage:
    """See ``harness.browser.webdriver.webdriver_input.WorkedPage``. The session goes on when the page is left.

    Attributes:
        driver: The session.
        form: What is found and worked in it.
    """

    def __init__(self, browser: Browser) -> None:
        """Go on with the session, at the page that ``browser`` shows."""
        grid, _, session = browser.lent_by.rpartition("/session/")
        self.driver = LentDriver(GridConnection(grid, browser.settings.timeout), session)
        self.driver.switch_to.window(browser.target)
        self.form = DrivenForm(self.driver)

    def share(self, around: Around) -> SolversDriver:  # noqa: ARG002 - nobody's commands are sent
        """Refuse: the session can do more than work the page, and no gate stands before it.

        Raises:
            NotShared: always.
        """
        raise NotShared("act.driver is there in browsers of this machine only: leave out --grid")

    def end(self) -> None:
        """Nothing to end: the session is the browser's."""

    def take_back(self) -> list[Refusal]:
        """Nothing to take back: nobody else had it."""
        return []
