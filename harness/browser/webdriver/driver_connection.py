"""WebDriver sessions over the sockets of a driver in its box."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from selenium.webdriver.chrome.options import Options
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3 import HTTPConnectionPool, PoolManager
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError

from harness.browser.channel import CommandFailed
from harness.browser.webdriver.driver_process import PORT, DriverProcess
from harness.browser.wire import BrowserGone

_GONE = ("disconnected", "session deleted", "invalid session id", "tab crashed", "chrome not reachable", "timeout")
"""Of the driver's errors those after which the page cannot be worked on any more."""


class _Connection(HTTPConnection):
    """To the driver, by a socket of its box's network."""

    driver: DriverProcess
    patience: float

    def _new_conn(self) -> socket.socket:
        return self.driver.connected(self.patience)


class DriverConnection(RemoteConnection):
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

    def execute(self, command: str, params: dict[str, Any]) -> Any:
        """Send a command and wait for its answer.

        Raises:
            harness.browser.wire.BrowserGone: there is none.
        """
        try:
            return super().execute(command, params)
        except (HTTPError, OSError) as error:
            raise BrowserGone(f"the driver did not answer {command}: {error}") from error


class Driver(WebDriver):
    """A WebDriver session with the page that a browser shows."""

    def __init__(self, connection: DriverConnection, address: str) -> None:
        """Begin one.

        Args:
            connection: To the driver.
            address: Where DevTools lists the page, as host and port.
        """
        options = Options()
        options.debugger_address = address
        options.unhandled_prompt_behavior = "accept"
        super().__init__(command_executor=connection, options=options)
