"""A solver that is a program over DevTools, in this process."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

from websockets.sync.client import ClientConnection, connect

from harness.browser.devtools import Devtools
from harness.episode.assignment import Page
from harness.episode.library import Actions


class Connection:
    """Over DevTools, as a program has it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (message := json.loads(self._socket.recv(20))).get("id") != number:
            pass
        result: dict[str, Any] = message.get("result", {})
        return result

    def run(self, expression: str) -> Any:
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True).get("result", {}).get("value")

    def wait_for(self, condition: str) -> None:
        while not self.run(condition):
            time.sleep(0.01)  # as simple agents do; the run's limits end it


class Driving:
    """Lets ``drive`` work on the page."""

    def __init__(self, drive: Callable[[Connection], None]) -> None:
        self._drive = drive

    def solve_over_devtools(self, _page: Page, _act: Actions, devtools: Devtools) -> None:
        with connect(devtools.page, max_size=None, proxy=None) as socket:
            self._drive(Connection(socket))
        devtools.take_back()
