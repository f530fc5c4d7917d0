"""A page that is still open in the browser of a process that was killed."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from harness.browser.browser import PageFailed, call_of, value_of
from harness.browser.channel import Channel, CommandFailed, Params
from harness.browser.live_page import WORLD
from harness.browser.wire import BrowserGone, PipeEnds, Wire


class LeftPage:
    """A context; calls functions of the in-page library as ``Browser.run`` does, on another process's page."""

    def __init__(self, ends: PipeEnds, target: str, timeout: float) -> None:
        """Connect to a page.

        Args:
            ends: Of its browser's pipe, which nobody else reads any more; they are closed with the context.
            target: Its id, which is its main frame's, too.
            timeout: Seconds to wait for the browser before it counts as gone.

        Raises:
            harness.browser.wire.BrowserGone: the browser does not answer, or has no such page.
        """
        self._target = target
        self._world: str | None = None
        self._wire = Wire(ends)
        try:
            self._channel = Channel(self._wire, timeout=timeout).page(target)
            self._channel.on("Runtime.executionContextCreated", self._on_world)
            self._channel.call("Runtime.enable")
            self._channel.wait_until(lambda: self._world is not None)
        except CommandFailed as error:
            self._wire.close()
            raise BrowserGone(f"the page is gone: {error}") from error
        except BaseException:
            self._wire.close()
            raise

    def _on_world(self, params: Params) -> None:
        context = params["context"]
        if context.get("name") == WORLD and context["auxData"].get("frameId") == self._target:
            self._world = context["uniqueId"]

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library.

        Raises:
            PageFailed: the function threw.
            harness.browser.wire.BrowserGone: no answer.
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
        self._wire.close()
