"""WebDriver sessions over the sockets of a driver in its box."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.common.proxy import Proxy
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3 import HTTPConnectionPool, PoolManager
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError

from harness.actions.result import ErrorCode
from harness.browser.webdriver.driver_process import PORT, DriverProcess
from harness.browser.wire import BrowserGone

_GONE = (
    "disconnected",
    "session deleted",
    "invalid session id",
    "tab crashed",
    "not connected to DevTools",
    "chrome not reachable",
    "no such window",
    "Timed out receiving message from renderer",
)
"""Of what a driver says, what it says where the page cannot be worked on any more."""


_CODES: Mapping[type[WebDriverException], ErrorCode] = {
    NoSuchElementException: ErrorCode.NO_SUCH_ELEMENT,
    StaleElementReferenceException: ErrorCode.ELEMENT_GONE,
    ElementClickInterceptedException: ErrorCode.COVERED,
    ElementNotInteractableException: ErrorCode.NOT_VISIBLE,
}
DriverError = WebDriverException
"""What a driver says to a command that it does not do; what a solver's driver raises."""
Around = Callable[[str, Callable[[], Any]], Any]
"""What is done around a solver's commands, each of which has a name and is sent by calling a function."""


class _Connection(HTTPConnection):
    """To the driver, by a socket of its box's network."""

    driver: DriverProcess
    patience: float

    def _new_conn(self) -> socket.socket:
        return self.driver.connected(self.patience)


class PatientConnection(RemoteConnection):
    """Carries the commands of WebDriver sessions; that there is no answer is told as the end of the browser."""

    def execute(self, command: str, params: dict[str, Any]) -> Any:
        """Send a command and wait for its answer.

        Raises:
            harness.browser.wire.BrowserGone: there is none.
        """
        try:
            return super().execute(command, params)  # type: ignore[no-untyped-call]
        except (HTTPError, OSError) as error:
            raise BrowserGone(f"the driver did not answer {command}: {error}") from error


class GridConnection(PatientConnection):
    """Carries commands to a Grid, whatever proxy the environment names."""

    def __init__(self, url: str, timeout: float) -> None:
        """Of the Grid at ``url``; every answer is waited for ``timeout`` seconds."""
        super().__init__(client_config=ClientConfig(url, proxy=Proxy({"proxyType": "DIRECT"}), timeout=int(timeout)))


class DriverConnection(PatientConnection):
    """Carries the commands of WebDriver sessions to a driver in its box."""

    def __init__(self, driver: DriverProcess, timeout: float) -> None:
        """Of a driver that runs; every answer is waited for ``timeout`` seconds."""
        self._driver = driver
        self._patience = timeout
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{PORT}", timeout=int(timeout)))

    def _get_connection_manager(self) -> PoolManager:
        kind = type("_DriverConnection", (_Connection,), {"driver": self._driver, "patience": self._patience})
        pool = type("_DriverPool", (HTTPConnectionPool,), {"ConnectionCls": kind})
        manager = PoolManager(retries=False, timeout=self._patience)
        manager.pool_classes_by_scheme = {"http": pool}
        return manager


class Driver(WebDriver):
    """A WebDriver session with the page that a browser shows.

    A text that is typed stays a text, even if it names a file of this machine, which Selenium would send otherwise.
    """

    def __init__(self, connection: PatientConnection, address: str) -> None:
        """Begin one.

        Args:
            connection: To the driver.
            address: Where DevTools lists the page, as host and port.
        """
        options = Options()
        options.debugger_address = address
        options.unhandled_prompt_behavior = "accept"
        super().__init__(command_executor=connection, options=options, file_detector=UselessFileDetector())

    def execute(self, driver_command: Any, params: dict[str, Any] | None = None) -> Any:
        """Send a command.

        Raises:
            harness.browser.wire.BrowserGone: the page, the browser or the driver is gone.
            WebDriverException: the command cannot be done.
        """
        try:
            return super().execute(driver_command, params)
        except WebDriverException as error:
            if any(words in (error.msg or "") for words in _GONE):
                raise BrowserGone(f"the driver: {(error.msg or '').splitlines()[0]}") from error
            raise


class LentDriver(Driver):
    """A session that was begun with its browser."""

    def __init__(self, connection: GridConnection, session: str) -> None:
        """Go on with a session.

        Args:
            connection: To the Grid.
            session: Its id.
        """
        self._lent = session
        super().__init__(connection, "")

    def start_session(self, capabilities: dict[str, Any]) -> None:  # noqa: ARG002 - it was begun with others
        """Go on with the session that there is."""
        self.session_id, self.caps = self._lent, {}


class SolversDriver(WebDriver):
    """A session that another driver has begun, for a solver that knows Selenium.

    The session is not the solver's to end: ``quit`` and ``close`` leave the page as it is.
    """

    def __init__(self, driver: Driver, around: Around) -> None:
        """Join a session.

        Args:
            driver: Of the session.
            around: Called with the name of each command and with what sends it; gives what that gives.
        """
        self._joined = driver
        self._around: Around = lambda _, send: send()
        super().__init__(
            command_executor=driver.command_executor, options=Options(), file_detector=UselessFileDetector()
        )
        self._around = around

    def start_session(self, capabilities: dict[str, Any]) -> None:  # noqa: ARG002 - it was begun with others
        """Go on with the session that there is."""
        self.session_id, self.caps = self._joined.session_id, dict(self._joined.caps)

    def execute(self, driver_command: Any, params: dict[str, Any] | None = None) -> Any:
        """Send a command; the end of the session is taken down and not sent."""

        def send() -> Any:
            if driver_command in (Command.QUIT, Command.CLOSE):
                return {"value": None}
            return super(SolversDriver, self).execute(driver_command, params)

        return self._around(str(driver_command), send)


def code_of(error: WebDriverException) -> ErrorCode:
    """The code of what a driver says to a command that it does not do."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), ErrorCode.WRONG_ARGUMENT)
