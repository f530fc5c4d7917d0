"""A page that programs may reach through the gate, and what they may do with the tabs of a browser."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Protocol

from harness.browser.channel import Params


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
