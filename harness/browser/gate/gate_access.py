"""What the gate asks of pages and tabs that programs may reach, and what their connections ask of the gate."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.browser.channel import Params
from harness.browser.wire import Wire


@dataclass
class ReachablePage:
    """A page.

    Attributes:
        info: What DevTools says of it (``Target.TargetInfo``).
        tab: The id of the tab that shows it, of which the browser has none.
    """

    info: Params
    tab: str = field(default_factory=lambda: secrets.token_hex(16).upper())

    @property
    def target(self) -> str:
        """Its id."""
        return str(self.info["targetId"])

    @property
    def tab_info(self) -> Params:
        """What DevTools would say of the tab."""
        return {**self.info, "targetId": self.tab, "type": "tab"}


class TabAccess(Protocol):
    """Who has the tabs, where there can be several."""

    def page_parameters(self) -> Params:
        """What ``Target.createTarget`` has to be told beside the address."""

    def reason_against_tab(self, url: str) -> str:
        """Why a program may not open a tab there; empty if it may."""

    def reason_against_closing(self, target: str) -> str:
        """Why it may not close one; empty if it may."""

    def use(self, target: str) -> None:
        """A program works in this tab now."""


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
