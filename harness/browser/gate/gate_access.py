"""What connections of programs need of the gate, and who looks on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from harness.browser.channel import Params
from harness.browser.gate.reachable_page import ReachablePage, TabAccess
from harness.browser.wire import Wire


class Watcher(Protocol):
    """Who looks on at what programs do; called in the gate's thread, and never to raise."""

    def asked(self, method: str, params: Mapping[str, Any]) -> None:
        """A program asks something of the page; it is passed on next."""

    def answered(self, method: str) -> None:
        """The page has answered."""


class GateAccess(Protocol):
    """What a connection needs to know of the gate.

    Attributes:
        wire: The way to the browser.
        tabs: Who opens and closes tabs; None where there is one page and no other.
        taken: Names that no binding may have.
        watcher: Who looks on at what programs do; None for nobody.
    """

    wire: Wire
    tabs: TabAccess | None
    taken: frozenset[str]
    watcher: Watcher | None

    @property
    def pages(self) -> Sequence[ReachablePage]:
        """Those that programs may reach, in the order in which they were opened."""

    def refuse(self, method: str, reason: str) -> None:
        """Take down what was refused."""

    def keeps(self, page: ReachablePage, params: Params) -> bool:
        """Whether a ``Page.navigate`` is not to be passed on, since the page would go for an error in its place."""
