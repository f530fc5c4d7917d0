"""The probe: what a solver that knows the labels may find out about a page, beyond what a person sees of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from harness.browser.browser import Browser
from harness.browser.page_inspection import find_listeners, load
from harness.episode.trajectory import Trajectory


class Probe:
    """Looks behind the page that a browser shows. They are free and not recorded."""

    def __init__(self, browser: Browser, trajectory: Trajectory) -> None:
        """Probe the page that ``browser`` shows.

        Args:
            browser: With the page open.
            trajectory: Of the episode; it counts the time.
        """
        self._browser = browser
        self._trajectory = trajectory
        self._loaded: set[str] = set()

    def load(self, script: str) -> None:
        """Add a script's functions to the in-page library of this page, unless they are there.

        Most pages are filled in without a closer look, and are not made to load what it needs.

        Args:
            script: Its text.
        """
        if script not in self._loaded:
            self._loaded.add(script)
            with self._trajectory.looking():
                load(self._browser, script)

    def look(self, function: str, *arguments: object) -> Any:
        """What a function of the in-page library tells, e.g. ``look("page.frame")`` (see ``Browser.run``)."""
        with self._trajectory.looking():
            return self._browser.run(function, *arguments)

    def rehearse(self) -> list[tuple[str, str]]:
        """Run the page's own submit handlers without sending anything: what the form would send, name by name.

        The handlers may change what the page shows, as they would for a worker whose submission the page refuses; so
        the next step says that it was done.
        """
        self._trajectory.leave_trace("rehearsed")
        with self._trajectory.looking():
            return [(entry["name"], entry["value"]) for entry in self._browser.run("form.rehearse")]

    def find_listeners(self, types: Collection[str]) -> None:
        """Let the looks that follow know on which elements the page listens for events of ``types``."""
        with self._trajectory.looking():
            find_listeners(self._browser, types)

    def ask_page(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page's own world; None if it throws.

        For what only the page's own objects know, such as where a library has drawn a node. An expression that changes
        the page is no look.
        """
        with self._trajectory.looking():
            answer = self._browser.channel.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value") if "exceptionDetails" not in answer else None
