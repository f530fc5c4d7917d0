"""A page that is still open in the browser of a process that was killed."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from harness.browser.browser import WORLD, PageFailed, call_of, value_of
from harness.browser.channel import Channel, CommandFailed, Params


class LeftPage:
    """A context; calls functions of the in-page library as ``Browser.run`` does, on another process's page."""

    def __init__(self, address: str, timeout: float) -> None:
        """Connect to a page.

        Args:
            address: Its DevTools address; it ends in the id of its main frame.
            timeout: Seconds to wait for the browser before it counts as gone.

        Raises:
            harness.browser.channel.BrowserGone: the browser does not answer, or has no such page.
        """
        self._frame = address.rpartition("/")[2]
        self._world: str | None = None
        self._channel = Channel(address, timeout=timeout)
        try:
            self._channel.on("Runtime.executionContextCreated", self._on_world)
            self._channel.call("Runtime.enable")
            self._channel.wait_until(lambda: self._world is not None)
        except BaseException:
            self._channel.close()
            raise

    def _on_world(self, params: Params) -> None:
        context = params["context"]
        if context.get("name") == WORLD and context["auxData"].get("frameId") == self._frame:
            self._world = context["uniqueId"]

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library.

        Raises:
            PageFailed: the function threw.
            harness.browser.channel.BrowserGone: no answer.
        """
        try:
            result = self._channel.call(
                "Runtime.evaluate",
                expression=call_of(function, arguments),
                uniqueContextId=self._world,
                returnByValue=True,
                awaitPromise=True,
            )
        except CommandFailed as error:
            raise PageFailed(f"the page cannot be reached: {error}") from error
        return value_of(result)

    def __enter__(self) -> LeftPage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._channel.close()
