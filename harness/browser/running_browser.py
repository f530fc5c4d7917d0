"""A browser that runs, whoever has started it."""

from __future__ import annotations

from typing import Protocol

from harness.browser.sandbox import Sandbox
from harness.browser.wire import Wire


class RunningBrowser(Protocol):
    """What is to be known of a browser that runs, and the way to it.

    Attributes:
        wire: The way to it.
        program: The path of its program; where it is elsewhere, its address.
        version: Product and version, e.g. ``Chrome/156.0.8078.79``.
        account: The user that it runs as; empty for our own, or where that is not known.
        session: The address of the WebDriver session that it was lent by; empty if it was not.
    """

    @property
    def wire(self) -> Wire:
        """See above."""

    @property
    def program(self) -> str:
        """See above."""

    @property
    def version(self) -> str:
        """See above."""

    @property
    def account(self) -> str:
        """See above."""

    @property
    def session(self) -> str:
        """See above."""

    @property
    def group(self) -> int:
        """The group of processes that ends with it, which no other process is in."""

    def sandbox(self) -> Sandbox:
        """Whether its pages are seen to be in a sandbox."""

    def end(self) -> None:
        """End it, or what we have of it; never raises."""
