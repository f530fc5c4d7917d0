"""Looks: what a solver can learn of the open page without doing anything to it. They are free and not recorded."""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, Concatenate, ParamSpec, TypeVar

from harness.browser.browser import Browser
from harness.browser.looking import find_listeners, load
from harness.page.fields import Field, find_fields

P = ParamSpec("P")
Seen = TypeVar("Seen")
Looking = TypeVar("Looking", bound="Looks")


def timed(look: Callable[Concatenate[Looking, P], Seen]) -> Callable[Concatenate[Looking, P], Seen]:
    """Count the time that a look takes as ``Looks.look_ms``."""

    @functools.wraps(look)
    def measured(self: Looking, /, *args: P.args, **kwargs: P.kwargs) -> Seen:
        start = time.perf_counter()
        try:
            return look(self, *args, **kwargs)
        finally:
            self.look_ms += (time.perf_counter() - start) * 1000

    return measured


class Looks:
    """Looks at the page that a browser shows.

    Attributes:
        look_ms: Milliseconds that all looks together have taken.
    """

    def __init__(self, browser: Browser) -> None:
        self.look_ms = 0.0
        self._browser = browser
        self._loaded: set[str] = set()

    @timed
    def fields(self) -> list[Field]:
        """The form's fields as they are now, in page order."""
        return find_fields(self._browser)

    def buttons(self) -> list[str]:
        """What can be pressed and does not submit, visible now, by its text; equal texts are numbered."""
        return [name for name, _ in self._numbered_buttons()]

    @timed
    def load(self, script: str) -> None:
        """Add a script's functions to the in-page library of this page, unless they are there.

        Most pages are filled in without a closer look, and are not made to load what it needs.

        Args:
            script: Its text.
        """
        if script not in self._loaded:
            self._loaded.add(script)
            load(self._browser, script)

    @timed
    def look(self, function: str, *arguments: object) -> Any:
        """What a function of the in-page library tells, e.g. ``look("page.frame")`` (see ``Browser.run``)."""
        return self._browser.run(function, *arguments)

    @timed
    def rehearse(self) -> list[tuple[str, str]]:
        """Run the page's own submit handlers without sending anything: what the form would send, name by name.

        The handlers may change what the page shows, as they would for a worker whose submission the page refuses.
        """
        return [(entry["name"], entry["value"]) for entry in self._browser.run("form.rehearse")]

    @timed
    def find_listeners(self, types: Collection[str]) -> None:
        """Let the looks that follow know on which elements the page listens for events of ``types``."""
        find_listeners(self._browser, types)

    @timed
    def ask_page(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page's own world; None if it throws.

        For what only the page's own objects know, such as where a library has drawn a node. An expression that changes
        the page is no look.
        """
        answer = self._browser.channel.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value") if "exceptionDetails" not in answer else None

    @timed
    def _numbered_buttons(self) -> list[tuple[str, int]]:
        """The names of ``buttons``, with the numbers by which the page knows them."""
        seen: Counter[str] = Counter()
        named = []
        for button in self._browser.run("pressables.buttons"):
            text = button["text"]
            seen[text] += 1
            named.append((f"{text} #{seen[text]}" if seen[text] > 1 else text, button["number"]))
        return named
